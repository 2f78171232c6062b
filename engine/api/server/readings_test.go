package server

import (
	"encoding/json"
	"strings"
	"testing"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/notepath"

	"golang.org/x/text/encoding/charmap"
)

func quoteJSON(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

// shellEscape is what the note app's shell plugin does to a value: a prefix
// before everything that is no ASCII letter, digit or underscore.
func shellEscape(value, prefix string) string {
	var b strings.Builder
	for _, r := range value {
		if r != '_' && (r > 127 || !strings.ContainsRune("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", r)) {
			b.WriteString(prefix)
		}
		b.WriteRune(r)
	}
	return b.String()
}

func cp1252(t testing.TB, text string) string {
	t.Helper()
	out, err := charmap.Windows1252.NewEncoder().String(text)
	if err != nil {
		t.Fatalf("%q has no CP1252 form", text)
	}
	return out
}

// TestWindowsBodies reads what Windows shells make of a path. The notes are
// not looked for, so that this holds on every system.
func TestWindowsBodies(t *testing.T) {
	for _, file := range []string{`C:\Users\me\n.md`, `C:\new\table.md`, `C:\notes\reading\todo.md`, `C:\b\f\r\uni.md`, `D:\Café\naïve.md`, `C:\My Vault\a b.md`} {
		for form, body := range map[string]string{
			"cmd, raw":               `{"file":"` + file + `"}`,
			"ANSI code page":         cp1252(t, `{"file":"`+file+`"}`),
			"backticks":              `{"file":"` + shellEscape(file, "`") + `"}`,
			"backticks, no quotes":   `{file:` + shellEscape(file, "`") + `}`,
			"ConvertTo-Json":         `{"file":` + quoteJSON(file) + `}`,
			"ConvertTo-Json, ANSI":   cp1252(t, `{"file":`+quoteJSON(file)+`}`),
			"doubled, broken around": `{'file':"` + strings.ReplaceAll(file, `\`, `\\`) + `"}`,
		} {
			found := false
			for _, r := range listReadings([]byte(body), "application/json", true) {
				found = found || r.path == file
				if _, err := notepath.Locate(r.path, []api.Root{{Path: `C:\`}, {Path: `D:\`}}, true); err == nil && r.strict && r.path != file {
					t.Errorf("%s of %s: the strict reading is %q", form, file, r.path)
				}
			}
			if !found {
				t.Errorf("%s of %s: %q is not read", form, file, body)
			}
		}
	}
}
