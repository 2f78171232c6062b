package places

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/testdata/silentdisk"
)

func TestRisk(t *testing.T) {
	env := map[string]string{"SystemRoot": `C:\WINDOWS`, "ProgramFiles": `D:\Programs`, "LOCALAPPDATA": `C:\Users\me\AppData\Local`}
	linux := Machine{System: "linux", Home: "/home/me"}
	darwin := Machine{System: "darwin", Home: "/Users/me"}
	windows := Machine{System: "windows", Home: `C:\Users\me`, Getenv: func(name string) string { return env[name] }}
	wsl := Machine{System: "linux", Home: "/home/me", Drives: "/mnt"}
	root := Machine{System: "linux", Home: "/root"}
	nobody := Machine{System: "linux", Home: "/"}
	for _, test := range []struct {
		machine Machine
		want    Risk
		paths   string // separated by commas
	}{
		{linux, System, "/,/etc,/etc/,/etc/notes,/usr,/usr/share/doc,/proc/1,/dev,/dev/shm,/usr/local,/home,/tmp,/var,/root"},
		{linux, Home, "/home/me,/home/me/"},
		{linux, "", "/home/me/Notes,/home/me/usr,/etcetera,/srv/notes,/opt/notes,/tmp/notes,/usr/local/notes,/dev/shm/notes,/media/me/STICK,/mnt/c,/home/Me,/var/www/notes"},
		{linux, Ours, "/home/me/.local/state/wiki,/home/me/.local/state/wiki/notes"},
		{root, Home, "/root"},
		{root, "", "/root/Notes"},
		{Machine{System: "linux", Home: "/data/me"}, Home, "/data,/data/me"},
		{nobody, System, "/,/etc"},
		{wsl, Drive, "/mnt/c,/mnt/c/"},
		{wsl, "", "/mnt/c/Users/me/Notes"},
		{darwin, System, "/,/System,/system/library,/Library,/private/etc,/usr/bin,/Users,/Volumes,/Applications/Obsidian.app"},
		{darwin, Home, "/Users/me,/users/ME"},
		{darwin, "", "/Users/me/Documents,/Volumes/STICK,/Users/me/Library/Mobile Documents/iCloud~md~obsidian/Documents"},
		{windows, System, `C:\Windows,c:\windows\System32,D:\Programs\x,C:\Users,C:\Users\me\AppData,C:\$Recycle.Bin`},
		{windows, Home, `C:\Users\me,c:\users\ME\`},
		{windows, Drive, `C:\,d:\,E:`},
		{windows, "", `C:\Users\me\Notes,D:\Notes,\\server\share\Notes,C:\Windows Notes`},
	} {
		for path := range strings.SplitSeq(test.paths, ",") {
			if got := test.machine.pathRisk(path, []string{"/home/me/.local/state/wiki"}); got != test.want {
				t.Errorf("%s, home %s: %s is %q, want %q", test.machine.System, test.machine.Home, path, got, test.want)
			}
		}
	}
}

// What a link leads to counts, and so do vaults beside it and too many files.
func TestDoubt(t *testing.T) {
	home, ctx := t.TempDir(), context.Background()
	m := Machine{System: runtime.GOOS, Home: home, Getenv: func(string) string { return "" }}
	notes, state := filepath.Join(home, "Notes"), filepath.Join(home, "state")
	among, file := filepath.Join(home, "among"), filepath.Join(home, "Notes", "wiki.yaml")
	for _, dir := range []string{filepath.Join(notes, "in"), state, filepath.Join(among, "cache")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(home, "link")
	want := map[string]Risk{notes: "", among: Around, filepath.Join(among, "other"): "", home: Home, filepath.Join(state, "x"): Ours}
	if runtime.GOOS != "windows" { // there only administrators make links
		if err := os.Symlink(state, link); err != nil {
			t.Fatal(err)
		}
		want[link] = Ours
	}
	for path, want := range want {
		if got := m.Doubt(ctx, path, []string{state, filepath.Join(among, "cache"), file}, nil); got.Risk != want || got.Never() != (want == Ours) {
			t.Errorf("%s: %+v, want %q", path, got, want)
		}
	}
	for vault, path := range map[string]string{notes: filepath.Join(notes, "in"), filepath.Join(notes, "in"): notes} {
		if got := m.Doubt(ctx, path, nil, []string{vault}); !got.Never() || !strings.Contains(got.Detail, "may be in one vault only") {
			t.Errorf("%s beside %s: %+v", path, vault, got)
		}
	}
}

// A folder whose disk does not respond keeps nobody waiting, and is no vault now.
func TestDoubtOnASilentDisk(t *testing.T) {
	m := Machine{System: runtime.GOOS, Home: t.TempDir(), Getenv: func(string) string { return "" }}
	folder := t.TempDir()
	silentdisk.Hang(t)
	ctx, end := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer end()
	if got := m.Doubt(ctx, folder, nil, nil); got.Risk != Silent || !got.Never() {
		t.Errorf("%+v", got)
	}
}

// A folder is judged by itself, with one sentence, whatever the others are among themselves.
func TestDoubtAmongOthers(t *testing.T) {
	home := t.TempDir()
	at := func(name string) string { return filepath.Join(home, filepath.FromSlash(name)) }
	for _, dir := range []string{"a/b/c", "d"} {
		if err := os.MkdirAll(at(dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	m := Machine{System: runtime.GOOS, Home: home, Getenv: func(string) string { return "" }}
	inOne := "and a note may be in one vault only; leave one out"
	for _, test := range []struct{ path, others, want string }{
		{"d", "", ""},
		{"d", "a", ""},
		{"d", "a a/b", ""}, // these two are at odds, and d is not
		{"d", "a a/b a/b/c", ""},
		{"d", "a d", `"HOME/d" and "HOME/d" are the same folder; keep one of them`},
		{"a", "d a/b", `"HOME/a" contains "HOME/a/b", ` + inOne},
		{"a", "a/b a/b/c", `"HOME/a" contains "HOME/a/b", ` + inOne},
		{"a/b/c", "a a/b", `"HOME/a/b/c" is inside "HOME/a", ` + inOne},
		{"a/b", "d a/b/c a", `"HOME/a/b" contains "HOME/a/b/c", ` + inOne},
	} {
		var others []string
		for _, other := range strings.Fields(test.others) {
			others = append(others, at(other))
		}
		d := m.Doubt(t.Context(), at(test.path), nil, others)
		want := Doubt{Detail: strings.ReplaceAll(filepath.FromSlash(test.want), "HOME", home)}
		if test.want != "" {
			want.Risk = Nested
		}
		if d != want {
			t.Errorf("%s beside %s: %+v\nwant %+v", test.path, test.others, d, want)
		}
	}
}

// Files are counted, and those in folders that are not looked into are not.
func TestCrowded(t *testing.T) {
	dir := t.TempDir()
	for i := range 3 {
		put(t, filepath.Join(dir, ".git", fmt.Sprint(i)), "")
		put(t, filepath.Join(dir, "a b", fmt.Sprint(i)), "")
	}
	ended, end := context.WithCancel(context.Background())
	end()
	for _, test := range []struct {
		ctx  context.Context
		most int
		want bool
	}{{context.Background(), 2, true}, {context.Background(), 3, false}, {ended, 2, false}} {
		if got := holdsTooMany(test.ctx, dir, test.most); got != test.want {
			t.Errorf("more than %d: %v", test.most, got)
		}
	}
}
