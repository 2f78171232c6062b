package installer

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"vaultdispatcher/engine/config"
)

func TestWriteKeepsWhatWasThere(t *testing.T) {
	home := alone(t)
	file := filepath.Join(home, "config.yaml")
	const before = "# mine\nwiki:\n  settle: 3s # slow\n\n  other: [1]\n"
	put(t, file, before)
	link := filepath.Join(home, "link.yaml")
	if err := os.Symlink(file, link); err != nil && runtime.GOOS != "windows" {
		t.Fatal(err)
	} else if err != nil {
		link = file // no right to make links
	}
	now, err := Read(link)
	if err != nil {
		t.Fatal(err)
	}
	w, err := Write(now, config.Change{HTTPPort: 7000})
	if err != nil || !w.Changed || read(t, w.Backup) != before {
		t.Fatalf("%+v, %v", w, err)
	}
	if got, want := read(t, file), before+"  httpPort: 7000\n"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if info, err := os.Lstat(link); link != file && (err != nil || info.Mode()&os.ModeSymlink == 0) {
		t.Error("the link was replaced")
	}
	second, err := Read(link)
	if err != nil {
		t.Fatal(err)
	}
	again, err := Write(second, config.Change{HTTPPort: 7001})
	if err != nil || again.Backup == w.Backup || read(t, w.Backup) != before {
		t.Errorf("the first copy is gone: %+v, %v", again, err)
	}
	entries, err := os.ReadDir(home)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".config-") {
			t.Errorf("%s was left", e.Name())
		}
	}
}

// A link to a file that is not there now, such as one on a disk that is not mounted,
// is neither followed nor replaced.
func TestDanglingLink(t *testing.T) {
	home := alone(t)
	link, away := filepath.Join(home, "config.yaml"), filepath.Join(home, "away", "config.yaml")
	if err := os.Symlink(away, link); err != nil {
		if runtime.GOOS == "windows" {
			return // no right to make links
		}
		t.Fatal(err)
	}
	now, err := Read(link)
	if err == nil || !strings.Contains(err.Error(), "is a link to "+away) {
		t.Errorf("it was read: %v", err)
	}
	if w, err := Write(now, config.Change{HTTPPort: 7000}); err == nil {
		t.Errorf("it was written: %+v", w)
	}
	if to, err := os.Readlink(link); err != nil || to != away {
		t.Errorf("the link leads to %q, %v", to, err)
	}
	if _, err := os.Lstat(filepath.Dir(away)); err == nil {
		t.Error("the folder of what is away was made")
	}
}

func TestWriteRefuses(t *testing.T) {
	home := alone(t)
	file := filepath.Join(home, "config.yaml")
	put(t, file, "wiki: {}\n")
	now, err := Read(file)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Write(now, config.Change{HTTPPort: 70000}); err == nil {
		t.Error("a port that is none was written")
	}
	put(t, file, "wiki: {settle: 1s}\n")
	if _, err := Write(now, config.Change{HTTPPort: 7000}); err == nil || !strings.Contains(err.Error(), "somebody else") {
		t.Errorf("a file that has changed: %v", err)
	}
	if got := read(t, file); got != "wiki: {settle: 1s}\n" {
		t.Errorf("it became\n%s", got)
	}
	put(t, file, "wiki: {httpPort: no}\n")
	if _, err := Read(file); err == nil {
		t.Error("a file that cannot be used was read")
	}
}

// What the environment says hides the file, but does not keep it from being written.
func TestWriteBehindTheEnvironment(t *testing.T) {
	home := alone(t)
	file := filepath.Join(home, "config.yaml")
	put(t, file, "wiki: {httpPort: 7000}\n")
	t.Setenv("WIKI_HTTPPORT", "7005")
	now, err := Read(file)
	if err != nil {
		t.Fatal(err)
	}
	if w, err := Write(now, config.Change{HTTPPort: 7001}); err != nil || !w.Changed {
		t.Errorf("%+v, %v", w, err)
	}
	if got := read(t, file); got != "wiki: {httpPort: 7001}\n" {
		t.Errorf("it became\n%s", got)
	}
}
