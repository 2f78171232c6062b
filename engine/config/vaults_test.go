package config

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"vaultdispatcher/engine/config/site"
)

func TestVaultShapes(t *testing.T) {
	home := alone(t)
	at := func(name string) string { return filepath.Join(home, filepath.FromSlash(name)) }
	for _, test := range []struct {
		name, file string
		want       []Vault
	}{
		{"strings", `wiki: {vaults: [~/Notes, "~/Work/My.Vault/"]}`,
			[]Vault{{Name: "Notes", Path: at("Notes")}, {Name: "My.Vault", Path: at("Work/My.Vault")}}},
		{"objects", "wiki:\n  vaults:\n    - path: ~/a/../b\n      name: Second Brain v1.2\n      watch: poll\n      paused: true\n    - {path: ~/c}\n    - ~/d",
			[]Vault{{"Second Brain v1.2", at("b"), "poll", true}, {Name: "c", Path: at("c")}, {Name: "d", Path: at("d")}}},
		{"names", "wiki:\n  vaults:\n    Work.2026: {path: ~/w, paused: true}\n    HOME: ~/h\n",
			[]Vault{{Name: "Work.2026", Path: at("w"), Paused: true}, {Name: "HOME", Path: at("h")}}},
		{"equal folder names", "wiki: {vaults: [~/a/Notes, ~/b/notes, ~/c/Notes]}",
			[]Vault{{Name: "Notes", Path: at("a/Notes")}, {Name: "notes 2", Path: at("b/notes")}, {Name: "Notes 3", Path: at("c/Notes")}}},
		{"a given name comes first", "wiki: {vaults: [~/a/Notes, {path: ~/b, name: Notes}]}",
			[]Vault{{Name: "Notes 2", Path: at("a/Notes")}, {Name: "Notes", Path: at("b")}}},
		{"the home folder", `wiki: {vaults: ["~"]}`, []Vault{{Name: filepath.Base(home), Path: home}}},
		{"none", "wiki: {vaults: []}", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := mustParse(t, test.file)
			if !slices.Equal(c.Vaults, test.want) {
				t.Errorf("got  %+v\nwant %+v", c.Vaults, test.want)
			}
			if len(c.Warnings) > 0 {
				t.Errorf("warnings %q", c.Warnings)
			}
		})
	}
}

func TestWatchMode(t *testing.T) {
	alone(t)
	c := mustParse(t, "wiki: {watch: {mode: poll}, vaults: [~/a, {path: ~/b, watch: fsnotify}]}")
	if a, b := c.WatchMode(c.Vaults[0]), c.WatchMode(c.Vaults[1]); a != "poll" || b != "fsnotify" {
		t.Errorf("%q, %q", a, b)
	}
}

func TestVaultsApart(t *testing.T) {
	home := alone(t)
	for _, dir := range []string{"real/inner", "other"} {
		if err := os.MkdirAll(filepath.Join(home, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	whole := filepath.VolumeName(home) + string(filepath.Separator)
	long := strings.Repeat("Notes of the team ", 9) + "in the cloud"
	for _, test := range []apart{
		{[]string{"~/real", "~/other", "~/gone", "~/real2"}, ""},
		{[]string{"~/a", "~/a/"}, `vault 2: "HOME/a" and "HOME/a" are the same folder; keep one of them`},
		{[]string{"~/a", "~/a/b"}, `vault 2: "HOME/a/b" is inside "HOME/a", and a note may be in one vault only; leave one out`},
		{[]string{"~/a/b", "~/a"}, `vault 2: "HOME/a" contains "HOME/a/b", and a note may be in one vault only; leave one out`},
		{[]string{"~/..a", "~/a"}, ""},
		{[]string{"~/" + long + "/a", "~/" + long + "/a/b"}, `vault 2: "HOME/` + long + `/a/b" is inside "HOME/` + long + `/a", and a note may be in one vault only; leave one out`},
		{[]string{"", "x"}, "vault 1: no path; name the folder, such as ~/Notes\nvault 2: \"x\" is a relative path; write ~/... or an absolute path"},
		{[]string{whole}, `vault 1: "` + whole + `" is a whole file system; choose a folder in it`},
	} {
		test.check(t, home)
	}
}

func TestVaultsApartThroughLinks(t *testing.T) {
	home := alone(t)
	if err := os.MkdirAll(filepath.Join(home, "real", "inner"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(home, "real"), filepath.Join(home, "link")); err != nil {
		t.Fatal(err)
	}
	at := func(path string) string { return filepath.Join(home, filepath.FromSlash(path)) }
	for _, test := range []struct{ one, other, want string }{
		{"link", "real", `"HOME/link" and "HOME/real" are the same folder; keep one of them`},
		{"real", "link/inner", `"HOME/real" contains "HOME/link/inner", and a note may be in one vault only; leave one out`},
	} {
		if _, err := NewVaults(at(test.one), at(test.other)); err != nil {
			t.Errorf("%s, %s: paths that differ are judged by their disk: %v", test.one, test.other, err)
		}
		err := CheckDisjoint(site.Inspect(at(test.one)), site.Inspect(at(test.other)))
		if err == nil || plain(err, home) != test.want {
			t.Errorf("%s, %s: got %v, want %s", test.one, test.other, err, test.want)
		}
	}
}

// apart is a list of vaults and why it is refused, "" when it is not.
type apart struct {
	paths []string
	want  string
}

func (test apart) check(t *testing.T, home string) {
	t.Helper()
	vaults, err := NewVaults(test.paths...)
	got := ""
	if err != nil {
		got = plain(err, home)
	}
	if got != test.want {
		t.Errorf("%q: got  %s\nwant %s", test.paths, got, test.want)
	}
	problems, _ := errors.AsType[Problems](err)
	for _, p := range problems {
		if !strings.HasPrefix(p.Error(), fmt.Sprintf("vault %d: ", p.Path)) {
			t.Errorf("%q: %v is told of path %d", test.paths, p, p.Path)
		}
	}
	if err == nil && len(vaults) != len(test.paths) {
		t.Errorf("%q became %+v", test.paths, vaults)
	}
}

func TestTooMany(t *testing.T) {
	alone(t)
	var file strings.Builder
	file.WriteString("wiki:\n  vaults:\n")
	for i := range maxVaults {
		fmt.Fprintf(&file, "    - ~/%d/Notes\n", i)
	}
	c := mustParse(t, file.String())
	if last := c.Vaults[maxVaults-1].Name; last != fmt.Sprintf("Notes %d", maxVaults) {
		t.Errorf("the last vault is called %q", last)
	}
	file.WriteString("    - ~/more\n")
	_, err := parseConfig("c.yaml", []byte(file.String()))
	want := fmt.Sprintf("c.yaml:%d: wiki.vaults[%d]: one vault too many; at most %d are watched", 3+maxVaults, maxVaults, maxVaults)
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}

	file.Reset()
	for i := range maxWarnings + 7 {
		fmt.Fprintf(&file, "other%d: 1\n", i)
	}
	c = mustParse(t, file.String())
	if len(c.Warnings) != maxWarnings+1 || c.Warnings[maxWarnings] != "7 more unknown keys" {
		t.Errorf("%d warnings, the last %q", len(c.Warnings), c.Warnings[len(c.Warnings)-1])
	}
}
