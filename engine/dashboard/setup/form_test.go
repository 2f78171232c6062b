package setup

import (
	"net/url"
	"testing"
)

// A folder is taken as file managers copy it: with quotes, or with a blank behind it.
func TestPastedFolder(t *testing.T) {
	for text, want := range map[string]string{
		`"C:\Users\me\My notes"`: `C:\Users\me\My notes`, " /notes\t": "/notes", ` "/a b" `: "/a b", "'/a b'": "/a b",
		`/a"b"`: `/a"b"`, `"/a`: `"/a`, `"`: `"`, "~/Notes": "~/Notes",
	} {
		choice, refused := View{}.ReadChoice(url.Values{"folder": {text}})
		if refused != nil || len(choice.Vaults) != 1 || choice.Vaults[0] != want {
			t.Errorf("%q: %q, %v", text, choice.Vaults, refused)
		}
	}
	for _, nothing := range []string{"", "  ", `""`} {
		if _, refused := (View{}).ReadChoice(url.Values{"folder": {nothing}}); refused == nil {
			t.Errorf("%q is taken for a folder", nothing)
		}
	}
}
