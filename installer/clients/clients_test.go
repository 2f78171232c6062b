package clients

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"
)

// home gives every client an empty home.
func home(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"HOME", "USERPROFILE", "XDG_CONFIG_HOME", "APPDATA"} {
		t.Setenv(name, dir)
	}
	t.Setenv("CLAUDE_CONFIG_DIR", "")
	t.Setenv("CODEX_HOME", "")
}

func putFile(t *testing.T, file, text string) {
	t.Helper()
	err := os.MkdirAll(filepath.Dir(file), 0o700)
	if err == nil {
		err = os.WriteFile(file, []byte(text), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

var args = []string{"mcp", "--config", `C:\my "x"\c.yaml`}

// What a client had before is there again after an uninstallation, to the byte, and an entry
// that was there is replaced.
func TestThereAndBack(t *testing.T) {
	for _, client := range Names {
		texts := []string{"", "{}", "{\n  \"a\": 1\n}\n", `{"z":[1,2,{"b":null}],"mcpServers":{"other":{"command":"x"}},"servers":{"o":{}},"n":12345678901234567890}`,
			"{\n\t\"mcpServers\": {\n\t\t\"other\": {\n\t\t\t\"command\": \"x\"\n\t\t}\n\t},\n\t\"servers\": {\n\t\t\"one\": {},\n\t\t\"two\": {}\n\t},\n\t\"end\": \"\\u00e9 {\\\"\"\n}"}
		if client == "codex" {
			texts = []string{"", "# mine\nmodel = \"x\" # why\n", "a = 1\n\n[mcp_servers.other]\ncommand = \"x\"\n\n[mcp_servers.other.env]\nK = \"v\"\n\n[tail]\nb = [1,\n 2]\n"}
		}
		for _, text := range texts {
			home(t)
			file, key, err := fileOf(client)
			if err != nil {
				t.Fatal(err)
			}
			if text != "" {
				putFile(t, file, text)
			}
			if _, err := Install(client, "/other/wiki", []string{"mcp"}); err != nil {
				t.Fatalf("%s %q: %v", client, text, err)
			}
			done, err := Install(client, `/usr/bin/w"iki`, args)
			if err != nil || !done.Changed || done.File != file {
				t.Fatalf("%s %q: %+v, %v", client, text, done, err)
			}
			expectEntry(t, file, key)
			if again, err := Install(client, `/usr/bin/w"iki`, args); err != nil || again.Changed {
				t.Errorf("%s %q: changed again: %+v, %v", client, text, again, err)
			}
			if got := Installed(); !slices.Equal(got, []string{client}) {
				t.Errorf("%s: installed %q", client, got)
			}
			if _, err := Uninstall(client); err != nil {
				t.Fatalf("%s %q: %v", client, text, err)
			}
			got, _ := os.ReadFile(file)
			if want := text; string(got) != want && !(want == "" && strings.TrimSpace(string(got)) == "{}") {
				t.Errorf("%s: %q, want %q", client, got, want)
			}
			if again, err := Uninstall(client); err != nil || again.Changed || len(Installed()) > 0 {
				t.Errorf("%s %q: taken out again: %+v, %v", client, text, again, err)
			}
		}
	}
}

func expectEntry(t *testing.T, file, key string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]map[string]any
	if key == "" {
		key = tomlPlace
		var mixed map[string]any
		if err = toml.Unmarshal(text, &mixed); err == nil {
			all = map[string]map[string]any{key: mixed[key].(map[string]any)}
		}
	} else {
		var mixed map[string]any
		if err = json.Unmarshal(text, &mixed); err == nil {
			all = map[string]map[string]any{key: mixed[key].(map[string]any)}
		}
	}
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	entry, _ := all[key][Entry].(map[string]any)
	if entry["command"] != `/usr/bin/w"iki` || !reflect.DeepEqual(entry["args"], []any{args[0], args[1], args[2]}) {
		t.Errorf("%q", text)
	}
}

// What cannot be changed safely is left alone, byte by byte, and so is its folder.
func TestLeftAlone(t *testing.T) {
	for client, texts := range map[string][]string{
		"claude": {"{ // mine\n}", "[]", "{\"mcpServers\": []}", "{", "{\"mcpServers\":{}} x", "null", "\"{}\""},
		"vscode": {"{\n  /* mine */\n}", "// mine\n{\"servers\": {}}", "{\"servers\": 1}", "{\"a\":1,}"},
		"codex":  {"a = ", "mcp_servers = {other = {command = 'x'}}\n", "s = '''\n[mcp_servers.vault-dispatcher]\n'''\n"},
	} {
		for _, text := range texts {
			home(t)
			file, _, _ := fileOf(client)
			putFile(t, file, text)
			if _, err := Install(client, "/wiki", args); !errors.As(err, new(*Manual)) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%s %q: %v", client, text, err)
			}
			entries, _ := os.ReadDir(filepath.Dir(file))
			if got, _ := os.ReadFile(file); string(got) != text || len(entries) != 1 {
				t.Errorf("%s %q became %q, %d files", client, text, got, len(entries))
			}
		}
	}
	if _, err := Install("vim", "/wiki", nil); !errors.Is(err, ErrUnknown) {
		t.Errorf("an unknown client: %v", err)
	}
}

// What was there before is kept beside it, with its mode.
func TestBackup(t *testing.T) {
	home(t)
	file, _, _ := fileOf("claude")
	putFile(t, file, `{"secret":1}`)
	done, err := Install("claude", "/wiki", args)
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(done.Backup); string(got) != `{"secret":1}` || filepath.Dir(done.Backup) != filepath.Dir(file) {
		t.Errorf("%+v: %q", done, got)
	}
	if same, err := filepath.Match(filepath.Base(file)+".????????-??????.bak", filepath.Base(done.Backup)); err != nil || !same {
		t.Errorf("the first copy is %s", done.Backup) // as that of the configuration
	}
}
