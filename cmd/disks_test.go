package cmd_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// vaultDisk lists the rooms of the engine that open, read or look at files of a vault, and who waits when its disk hangs. The
// engine itself is none of them: it has a vault.Disk, or asks one of these.
var vaultDisk = map[string]string{
	"engine/vault":           "the vault's own goroutines",
	"engine/vault/folder":    "the vault's own goroutines, or whoever has a vault.Disk",
	"engine/vault/copies":    "as folder",
	"engine/vault/templates": "as folder",
	"engine/vault/presence":  "the vault's own goroutines",
	"engine/watch":           "the vault's own goroutines",
	"engine/watch/source":    "the vault's own goroutines",
	"engine/watch/disk":      "whoever asks: watch, folder, notedisk",
	"engine/notes":           "as folder, and roles/trial",
	"engine/githead":         "a look of the vault's",
	"engine/config/site":     "the vault's own goroutines when it opens; setup and the configuration by a context of theirs",
	"engine/recall/notedisk": "nobody: a call is left behind",
	"engine/library":         "the guard it is given, which is vault.OnDisk; without an engine the program itself",
	"engine/asking":          "vault.OnDisk",
	"engine/rewrite":         "the writer of this note",
	"engine/rewrite/swap":    "the writer of this note, or the broadcaster",
	"engine/writer":          "the writer of this note",
	"engine/broadcast/shelf": "the broadcaster: a call is left behind",
	"engine/broadcast/shown": "nobody: a look is left behind",
	"engine/agent":           "nobody before a program starts: patience.AwaitUntil; then an agent at work",
	"engine/agent/acp":       "an agent at work",
	"engine/agent/cli":       "an agent at work",
	"engine/agent/pi":        "an agent at work",
	"engine/agent/sandbox":   "an agent at work",
	"engine/patience":        "nobody: a look is left behind",
	"engine/api/notepath":    "nobody: patience.Await",
	"engine/api/listen":      "the vault's own goroutines, or one of service/host",
	"engine/api/client":      "the dashboard by patience.Await; the tray",
	"engine/dashboard":       "nobody: patience.Await",
	"engine/roles/trial":     "nobody: patience.Await, and then the one question",
	"engine/files":           "whoever asks",
}

// ownDisk lists the rooms that touch files of ours or of the system, and none of a vault.
var ownDisk = map[string]string{
	"engine":                   "the lock of the state folder",
	"engine/api/peer":          "/proc",
	"engine/broadcast/speech":  "the sounds that are kept",
	"engine/config":            "the configuration",
	"engine/config/definition": "the definitions of agents",
	"engine/config/runners":    "the log-ins of agent programs",
	"engine/journal/database":  "the journal",
	"engine/journal/dbfile":    "the journal",
	"engine/queue":             "keys",
	"engine/queue/hub":         "the lock of the hub",
	"engine/queue/keyring":     "keys",
	"engine/modelhttp":         "the file of a key",
	"engine/recall":            "the folder of the indexes",
	"engine/recall/cachefile":  "an index",
	"engine/recall/models":     "a model",
	"engine/roles":             "a folder for a program",
	"engine/vault/indexing":    "a folder for an index that is made once",
	"engine/vault/rested":      "what is remembered of notes",
}

// touches are the functions that go to a disk, by the package that has them.
var touches = map[string]*regexp.Regexp{
	"os": regexp.MustCompile(`^(Open|OpenFile|OpenRoot|OpenInRoot|ReadFile|ReadDir|Stat|Lstat|Create|CreateTemp|DirFS|Readlink|Mkdir|` +
		`MkdirAll|MkdirTemp|Remove|RemoveAll|Rename|WriteFile|CopyFS|Truncate|Chmod|Chown|Lchown|Chtimes|Link|Symlink|Chdir)$`),
	"filepath": regexp.MustCompile(`^(Walk|WalkDir|Glob|EvalSymlinks)$`),
	"files":    regexp.MustCompile(`^(Write|WriteInside|Remove|Lock|TakeLock|FollowLinks)$`),
}

// TestWhoTouchesADisk: a new room that opens files says here whose they are, and who waits with it.
func TestWhoTouchesADisk(t *testing.T) {
	found := make(map[string]bool)
	for file := range productFiles(t) {
		if room := path.Dir(file); under(room, "engine") && len(diskCalls(t, file)) > 0 {
			found[room] = true
			if vaultDisk[room] == "" && ownDisk[room] == "" {
				t.Errorf("%s: %s touches a disk (%s), and this test does not say whose", file, room, strings.Join(diskCalls(t, file), ", "))
			}
		}
	}
	for _, table := range []map[string]string{vaultDisk, ownDisk} {
		for room := range table {
			if !found[room] {
				t.Errorf("%s is said to touch a disk, and no file of it does", room)
			}
		}
	}
}

// diskCalls are the functions of a file that go to a disk, called or handed on.
func diskCalls(t *testing.T, file string) (calls []string) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", filepath.FromSlash(file)), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if of, ok := s.X.(*ast.Ident); ok && touches[of.Name] != nil && touches[of.Name].MatchString(s.Sel.Name) && of.Obj == nil {
				calls = append(calls, of.Name+"."+s.Sel.Name)
			}
		}
		return true
	})
	return calls
}
