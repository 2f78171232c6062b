package notepath

import (
	"errors"
	"strings"
	"testing"

	"vaultdispatcher/engine/api"
)

func TestLocate(t *testing.T) {
	locates(t, false, []api.Root{
		{Name: "a", Path: "/home/me/Notes", Aliases: []string{"/data/n", ""}},
		{Name: "b", Path: "/home/me/Notes/inner"},
		{Name: "c", Path: "/home/me/Cafe\u0301"},
	}, []location{
		{"/home/me/Notes/x.md", "a:x.md"},
		{"/home/me/Notes/inner/x.md", "b:x.md"},
		{"/data/n/s//x.md", "a:s/x.md"},
		{"/home/me/Notes/./s/../x.md", "a:x.md"},
		{"/home/me/Caf\u00e9/x.md", "c:x.md"},
		{"/home/me/Notes", "a:"},
		{"s/x.md", "a:s/x.md b:s/x.md c:s/x.md"},
		{"./x.md", "a:x.md b:x.md c:x.md"},
		{"10:30.md", "a:10:30.md b:10:30.md c:10:30.md"},
		{"Notes etc./x .md", "a:Notes etc./x .md b:Notes etc./x .md c:Notes etc./x .md"},
		{"/home/me/Notes/x.md/", "not_a_note"},
		{"/home/me/Notes/x.md//", "not_a_note"},
		{"/home/me/Notes/x.md/.", "not_a_note"},
		{"x.md/", "not_a_note"},
		{"/home/me/Notes-evil/x.md/", "outside_vaults"},
		{"/home/me/Notes-evil/x.md", "outside_vaults"},
		{"/home/me/Notes/../x.md", "outside_vaults"},
		{"/home/me/NOTES/x.md", "outside_vaults"},
		{"/home/me", "outside_vaults"},
		{"//home/me/Notes/x.md", "outside_vaults"},
		{`\\host\share\x.md`, "outside_vaults"},
		{`C:\Users\me\Notes\x.md`, "outside_vaults"},
		{"a/../../x.md", "outside_vaults"},
		{`a\..\..\x.md`, "outside_vaults"},
		{"", "bad_request"},
		{"x\x00.md", "bad_request"},
		{"x\xff.md", "bad_request"},
		{strings.Repeat("a", 4097), "bad_request"},
	})
}

func TestLocateOnWindows(t *testing.T) {
	locates(t, true, []api.Root{
		{Name: "a", Path: `C:\Users\me\Notes`, Aliases: []string{`D:/n`}},
		{Name: "u", Path: `E:\Ünï`},
	}, []location{
		{`C:\Users\me\Notes\x.md`, "a:x.md"},
		{`c:/users/ME/notes/S\x.md`, "a:S/x.md"},
		{`D:\n\x.md`, "a:x.md"},
		{`e:\üNÏ\x.md`, "u:x.md"},
		{`s\x.md`, "a:s/x.md u:s/x.md"},
		{`s/./x.md`, "a:s/x.md u:s/x.md"},
		{`C:\Users\me\Notes\x.md\`, "not_a_note"},
		{`x.md/`, "not_a_note"},
		{`C:\Users\me\Notes2\x.md`, "outside_vaults"},
		{`C:\Users\me\Notes\..\x.md`, "outside_vaults"},
		{`C:x.md`, "outside_vaults"},
		{`C:`, "outside_vaults"},
		{`\x.md`, "outside_vaults"},
		{`/x.md`, "outside_vaults"},
		{`\\host\share\x.md`, "outside_vaults"},
		{`//host/share/x.md`, "outside_vaults"},
		{`\/host\share\x.md`, "outside_vaults"},
		{`\\?\C:\Users\me\Notes\x.md`, "outside_vaults"},
		{`\\.\C:\Users\me\Notes\x.md`, "outside_vaults"},
		{`\??\C:\Users\me\Notes\x.md`, "outside_vaults"},
		{`C:\Users\me\Notes\NUL`, "outside_vaults"},
		{`C:\Users\me\Notes\aux.md`, "outside_vaults"},
		{`C:\Users\me\Notes\con \x.md`, "not_a_note"},
		{`C:\Users\me\Notes\Com1.tar.md`, "outside_vaults"},
		{`lpt¹.md`, "outside_vaults"},
		{`CONIN$`, "outside_vaults"},
		{`C:\Users\me\Notes\compass.md`, "a:compass.md"},
		{`C:\Users\me\Notes\x.md:stream`, "not_a_note"},
		{`C:\Users\me\Notes\x.md::$DATA`, "not_a_note"},
		{`x.md:s`, "not_a_note"},
		{`C:\Users\me\Notes\x.md.`, "not_a_note"},
		{`C:\Users\me\Notes\x.md `, "not_a_note"},
		{`C:\Users\me\Notes\dir.\x.md`, "not_a_note"},
		{`C:\Users\me\Notes\x?.md`, "not_a_note"},
		{`..\x.md`, "outside_vaults"},
	})
}

// location is a path that a client sends and what it means.
type location struct {
	file string
	want string // places as name:rel, or a code
}

func locates(t *testing.T, windows bool, roots []api.Root, tests []location) {
	t.Helper()
	for _, test := range tests {
		places, err := Locate(test.file, roots, windows)
		var got []string
		for _, p := range places {
			got = append(got, p.Root.Name+":"+p.Rel)
		}
		if err != nil {
			got = []string{refusal(t, err).Code}
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%q: %q, want %q", test.file, got, test.want)
		}
	}
}

func refusal(t *testing.T, err error) *api.StatusError {
	t.Helper()
	var refused *api.StatusError
	if !errors.As(err, &refused) {
		t.Fatalf("%v is no refusal", err)
	}
	return refused
}

// FuzzLocate: whatever is located lies inside its vault, on both systems, also
// for one who takes either slash for a separator.
func FuzzLocate(f *testing.F) {
	for _, seed := range []string{"/v/a.md", "a/../b.md", `\\x\y`, "C:/v/a.md", `c:\V\..\x`, "//v/a.md", "/v/../v/a.md", `a\..\..\b`, "/v2/a.md", "nul.md", "a.md:x", "/v/./", "~/a", "C:a", `/v/\\../v/a`} {
		f.Add(seed, true)
		f.Add(seed, false)
	}
	f.Fuzz(func(t *testing.T, file string, windows bool) {
		root := api.Root{Path: "/v", Aliases: []string{"/w/x"}}
		if windows {
			root = api.Root{Path: `C:\v`, Aliases: []string{"D:/w"}}
		}
		places, err := Locate(file, []api.Root{root}, windows)
		if err != nil {
			if s := refusal(t, err).Status; s < 400 || s >= 500 {
				t.Fatalf("%q: status %d", file, s)
			}
			return
		}
		for _, p := range places {
			both := strings.ReplaceAll(p.Rel, `\`, "/")
			switch {
			case strings.HasPrefix(p.Rel, "/"), strings.HasPrefix(both, "../"), both == "..", strings.ContainsRune(p.Rel, 0):
				t.Fatalf("%q is located at %q", file, p.Rel)
			case windows && strings.ContainsAny(p.Rel, `:\`):
				t.Fatalf("%q is located at %q", file, p.Rel)
			case climbsOut(both):
				t.Fatalf("%q climbs out by %q", file, p.Rel)
			}
		}
	})
}
