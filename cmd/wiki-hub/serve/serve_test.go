package serve

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vaultdispatcher/cmd/wiki/command"
)

// The program says what is wrong in the words and with the statuses of wiki.
func TestRefusals(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_STATE_HOME", filepath.Join(dir, "state"))
	t.Setenv("LOCALAPPDATA", filepath.Join(dir, "state"))
	config := filepath.Join(dir, "config.yaml")
	broken := filepath.Join(dir, "broken.yaml")
	for file, text := range map[string]string{config: "wiki:\n  hub: {listen: nowhere}\n", broken: "wiki: ["} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		args string
		code int
		said string
	}{
		{"--unknown", command.ExitUsage, "hint: wiki-hub --help"},
		{"extra", command.ExitUsage, `"extra"`},
		{"--config " + broken, command.ExitConfig, "broken.yaml"},
		{"--config " + config, command.ExitFailed, "nowhere is no address to listen on; write it like 0.0.0.0:11437"},
		{"--config " + config + " --listen there", command.ExitFailed, "there is no address"},
	} {
		var out bytes.Buffer
		if code := run(t.Context(), strings.Fields(test.args), &out, &out); code != test.code || !strings.Contains(out.String(), test.said) || !strings.HasPrefix(out.String(), "wiki: ") {
			t.Errorf("%s: status %d, said %s", test.args, code, &out)
		}
	}
}
