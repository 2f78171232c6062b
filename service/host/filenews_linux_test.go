package host

import (
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"vaultdispatcher/engine/watch/source"
)

// Whatever a person does to the configuration is told at once, whether the file or its folder is replaced, and through
// a link; what happens beside it is not.
func TestFileNews(t *testing.T) {
	home := t.TempDir()
	folder, target, other := filepath.Join(home, "config"), filepath.Join(home, "dotfiles"), filepath.Join(home, "other")
	file := filepath.Join(folder, "config.yaml")
	write := func(name string) { must(t, os.WriteFile(name, []byte(time.Now().String()), 0o600)) }
	for _, dir := range []string{folder, target, other} {
		must(t, os.Mkdir(dir, 0o700))
	}
	write(file)
	n := newFileNews(file, slog.New(slog.DiscardHandler))
	defer n.close()
	if !n.listen() {
		t.Fatal("nothing tells of changes in " + home)
	}
	awaitNews(t, n, "what came before it listened")
	for _, c := range []struct {
		what string
		do   func()
	}{
		{"a save", func() { write(file) }},
		{"an exchange", func() { write(file + ".new"); must(t, os.Rename(file+".new", file)) }},
		{"a change of who may write it", func() { must(t, os.Chmod(file, 0o666)) }},
		{"a new file in its place", func() { must(t, os.Remove(file)); write(file) }},
		{"another folder in its place", func() {
			must(t, os.Rename(folder, other+"/config"))
			must(t, os.Mkdir(folder, 0o700))
			write(file)
		}},
		{"a save there", func() { write(file) }},
		{"a link in its place", func() {
			write(filepath.Join(target, "wiki.yaml"))
			must(t, os.Remove(file))
			must(t, os.Symlink(filepath.Join(target, "wiki.yaml"), file))
		}},
		{"a save where the link leads", func() { write(filepath.Join(target, "wiki.yaml")) }},
	} {
		c.do()
		awaitNews(t, n, c.what)
	}
	write(filepath.Join(target, "beside.yaml"))
	awaitWake(t, n, "a file beside it")
	if n.takeNews() {
		t.Error("a file beside it is news")
	}
}

// awaitNews waits until something of the file was told, listens where it is then, and takes all that was told until then.
func awaitNews(t *testing.T, n *fileNews, what string) {
	t.Helper()
	for isNews := false; !isNews; isNews = n.takeNews() {
		awaitWake(t, n, what)
	}
	if !n.listen() {
		t.Fatal("nothing is told after " + what)
	}
	n.hints.Take()
	const last = "last.yaml"
	must(t, os.WriteFile(filepath.Join(n.folder, last), nil, 0o600))
	must(t, os.Remove(filepath.Join(n.folder, last)))
	for gone := source.Here; gone != source.Subtree; {
		awaitWake(t, n, "the end of "+what)
		paths, _ := n.hints.Take()
		gone = paths[last]
	}
}

func awaitWake(t *testing.T, n *fileNews, what string) {
	t.Helper()
	select {
	case <-n.hints.Wake:
	case <-time.After(time.Minute):
		t.Fatal("not told: " + what)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
