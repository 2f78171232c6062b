package installer

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vaultdispatcher/installer/clients"
)

// TestPurgeAndClients: a purge takes out our entries alone, names what it cannot change, and goes on.
func TestPurgeAndClients(t *testing.T) {
	home := t.TempDir()
	for _, name := range []string{"HOME", "USERPROFILE", "XDG_CONFIG_HOME", "APPDATA", "AppData"} {
		t.Setenv(name, home)
	}
	t.Setenv("CLAUDE_CONFIG_DIR", "")
	t.Setenv("CODEX_HOME", "")
	own := `{"mcpServers":{"vault-dispatcher":{"type":"http","url":"http://127.0.0.1:11435/mcp"}}}`
	cursor := filepath.Join(home, ".cursor", "mcp.json")
	err := errors.Join(os.MkdirAll(filepath.Dir(cursor), 0o700), os.WriteFile(cursor, []byte(own), 0o600))
	files := make(map[string]string)
	for _, client := range []string{"claude", "codex", "vscode"} {
		done, failed := clients.Install(client, "/usr/bin/wiki", []string{"mcp"})
		err, files[client] = errors.Join(err, failed), done.File
	}
	text, failed := os.ReadFile(files["claude"])
	if err = errors.Join(err, failed, os.WriteFile(files["claude"], append([]byte("// mine\n"), text...), 0o600)); err != nil {
		t.Fatal(err)
	}
	var p Purge
	problems := errors.Join(p.leaveClients()...)
	if manual := new(clients.Manual); !errors.As(problems, &manual) || manual.File != files["claude"] {
		t.Errorf("problems: %v", problems)
	}
	named := strings.Join(p.TakenOut(), "\n")
	for _, client := range p.Clients {
		if strings.Contains(named, client.File) != client.Changed || client.Changed && !strings.Contains(named, client.Backup) || client.Changed != (client.Backup != "") {
			t.Errorf("%+v is told of as %q", client, named)
		}
	}
	for file, isIn := range map[string]bool{files["claude"]: true, files["codex"]: false, files["vscode"]: false} {
		if text, err := os.ReadFile(file); err != nil || strings.Contains(string(text), clients.Entry) != isIn {
			t.Errorf("%s: %q, %v", file, text, err)
		}
	}
	if text, err := os.ReadFile(cursor); err != nil || string(text) != own {
		t.Errorf("a person's own entry became %q, %v", text, err)
	}
}
