package cmd_test

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "vaultdispatcher"

// room is one line of the table of rooms: what a package may import besides the
// standard library. Tests may import more.
type room struct {
	ours    []string // our packages
	outside []string // modules, or packages of one
}

// rooms is the structure of the product. A package that is not here does not
// belong to it.
var rooms = map[string]room{
	"engine/notices":      {[]string{"engine/api"}, nil},
	"engine/due":          {nil, nil}, // one timer queue for all
	"engine/wording":      {nil, nil}, // what sentences are made of
	"engine/note":         {nil, []string{"github.com/yuin/goldmark"}},
	"engine/modelhttp":    {nil, nil},                                                                                    // one POST to a model behind a server
	"engine/watch/disk":   {nil, []string{"golang.org/x/sys", "golang.org/x/text"}},                                      // what a file system is and a folder holds
	"engine/watch/source": {[]string{"engine/watch/disk"}, []string{"github.com/fsnotify/fsnotify", "golang.org/x/sys"}}, // where something may have happened
	"engine/watch":        {[]string{"engine/due", "engine/watch/disk", "engine/watch/source"}, []string{"golang.org/x/sys"}},
	"engine/rewrite/swap": {nil, []string{"golang.org/x/sys"}},
	"engine/api":          {nil, nil},
	"engine/api/peer":     {nil, []string{"golang.org/x/sys"}}, // the user at the other end of a connection
	"assets":              {nil, nil},
	"engine/lockfile":     {nil, []string{"golang.org/x/sys"}}, // engine, supervisor and tray: one of each
	"engine/files":        {nil, []string{"golang.org/x/sys"}}, // small files that several programs read
	"service":             {[]string{"engine/files", "engine/lockfile"}, []string{"github.com/kardianos/service", "golang.org/x/sys"}},
	"service/logfile":     {nil, nil},
	"service/host":        {[]string{"engine", "engine/api", "engine/api/client", "engine/api/listen", "engine/config", "engine/dashboard", "engine/files", "engine/roles", "assets", "service/logfile", "engine/wording"}, nil}, // the engine in this process

	"engine/config":          {[]string{"engine/config/yamltext"}, []string{"github.com/spf13/viper", "go.yaml.in/yaml/v3"}},
	"engine/config/yamltext": {nil, []string{"go.yaml.in/yaml/v3"}}, // nodes with their lines, no meaning
	"engine/journal":         {[]string{"engine/note"}, []string{"modernc.org/sqlite"}},
	"engine/agent":           {[]string{"engine/note", "engine/wording"}, []string{"golang.org/x/sys"}},
	"engine/rewrite":         {[]string{"engine/note", "engine/note/sanitize", "engine/rewrite/swap"}, nil},

	"engine/note/sanitize": {[]string{"engine/note"}, []string{"github.com/yuin/goldmark"}},

	"engine/recall/terms":     {nil, nil},                                                                      // the words of texts and of queries
	"engine/recall/page":      {[]string{"engine/note", "engine/recall/terms"}, nil},                           // a note taken apart and quoted
	"engine/recall/notedisk":  {[]string{"engine/note"}, nil},                                                  // a disk that may hang
	"engine/recall/cachefile": {nil, []string{"modernc.org/sqlite"}},                                           // files that can be made again
	"engine/recall/linkgraph": {nil, nil},                                                                      // which note links to which
	"engine/recall/embed":     {[]string{"engine/modelhttp", "engine/wording"}, []string{"golang.org/x/text"}}, // Unicode forms, as tokenizers ask for
	"engine/recall/vectors":   {[]string{"engine/recall/cachefile", "engine/recall/embed", "engine/recall/terms"}, nil},
	"engine/recall": {[]string{"engine/note", "engine/recall/cachefile", "engine/recall/embed", "engine/recall/linkgraph", "engine/recall/notedisk", "engine/recall/page",
		"engine/recall/terms", "engine/recall/vectors"}, nil},
	"engine/recall/eval": {[]string{"engine/recall", "engine/recall/page", "engine/recall/terms"}, nil},

	"engine/agent/builtin": {[]string{"engine/agent", "engine/recall", "engine/recall/terms", "engine/note", "engine/wording"}, nil},
	"engine/dispatch":      {[]string{"engine/agent", "engine/due", "engine/journal"}, nil},
	"engine/writer":        {[]string{"engine/due", "engine/journal", "engine/note", "engine/rewrite", "engine/rewrite/swap"}, nil},
	"engine/notes":         {[]string{"engine/config", "engine/note"}, nil}, // which files of a vault are notes
	"engine/vault": {[]string{"engine/api", "engine/api/listen", "engine/config", "engine/due", "engine/files", "engine/journal", "engine/note", "engine/notes", "engine/recall",
		"engine/rewrite/swap", "engine/watch"}, []string{"golang.org/x/sync"}}, // listen: the file in a vault that says the port; api: its states and notices have names
	"engine/api/client": {[]string{"engine/api", "engine/api/peer", "engine/files"}, nil},
	"engine/api/listen": {[]string{"engine/api", "engine/api/peer", "engine/api/client", "engine/files"}, []string{"golang.org/x/sys"}}, // asks who has a port
	"engine/api/server": {[]string{"engine/api", "engine/api/peer"}, []string{"golang.org/x/text"}},
	"engine/dashboard":  {[]string{"engine/api", "engine/api/server", "engine/api/client", "engine/wording"}, nil}, // client: the link that opens a note

	"engine/roles": {[]string{"engine/agent", "engine/agent/builtin", "engine/agent/cli", "engine/agent/openai", "engine/agent/acp", "engine/agent/pi",
		"engine/config", "engine/due", "engine/journal", "engine/note", "engine/notes", "engine/recall"}, []string{"golang.org/x/sync"}},
	"engine/agent/pisession": {[]string{"engine/agent"}, nil}, // a file format that two runners write
	"engine/agent/cli":       {[]string{"engine/agent", "engine/agent/pisession"}, nil},
	"engine/agent/pi":        {[]string{"engine/agent", "engine/agent/pisession"}, nil},

	"engine/agent/openai": {[]string{"engine/agent", "engine/modelhttp", "engine/wording"}, nil},
	"engine/agent/acp":    {[]string{"engine/agent", "engine/wording"}, []string{"github.com/coder/acp-go-sdk"}},

	"engine": {[]string{"engine/..."}, []string{"golang.org/x/sync"}},

	"tray":             {[]string{"engine/api", "engine/api/client", "engine/lockfile", "service", "assets", "engine/wording"}, []string{"fyne.io/systray", "github.com/godbus/dbus", "git.sr.ht/~jackmordaunt/go-toast", "golang.org/x/sys"}},
	"installer":        {[]string{"engine/config", "engine/agent", "engine/api", "engine/api/client", "engine/api/listen", "engine/recall/embed", "engine/files", "installer/doctor", "service", "service/host"}, []string{"github.com/atotto/clipboard"}}, // embed: an address is shown in one way
	"installer/doctor": {[]string{"engine/config", "engine/agent", "engine/watch", "engine/rewrite/swap", "engine/api", "engine/api/client", "engine/api/listen", "service"}, []string{"golang.org/x/sys"}},
	"installer/dist":   {[]string{"assets"}, nil}, // a program for releases; what packs is a module of its own

	"cmd/wiki/demo":   {[]string{"assets", "engine/api", "engine/api/client", "engine/config", "engine/files", "service/host"}, []string{"github.com/rogpeppe/go-internal/diff"}},
	"cmd/wiki/texts":  {[]string{"engine/api", "engine/config", "engine/recall/embed", "installer", "installer/doctor", "engine/wording"}, nil}, // embed: an address is shown in one way
	"cmd/wiki/wizard": {[]string{"cmd/wiki/texts", "engine/config", "installer", "installer/doctor", "service"}, []string{"charm.land"}},
	"cmd/wiki/page":   {[]string{"cmd/wiki/texts", "assets", "engine/api", "engine/config", "engine/roles", "installer", "installer/doctor", "service", "service/host"}, nil}, // setup on the dashboard
	"cmd/wiki": {[]string{"cmd/wiki/...", "engine", "engine/...", "assets", "service", "service/host", "service/logfile", "installer", "installer/..."},
		[]string{"github.com/spf13/cobra", "github.com/spf13/pflag", "golang.org/x/term",
			"github.com/godbus/dbus"}},
	// The engine's port and folders are found as cmd/wiki finds them.
	"cmd/wiki-tray": {[]string{"tray", "engine/api", "engine/api/client", "engine/api/listen", "engine/config", "service"}, nil},
}

// why gives the reason behind the arrows that must never be drawn, by importing
// and imported package. The first match is reported.
var why = []struct{ from, to, reason string }{
	{"tray", "engine", "the tray is a client of the HTTP server and must work beside an engine of another version"},
	{"engine", "tray", "the engine runs without a desktop"},
	{"engine", "service", "the engine does not know who started it"},
	{"engine", "installer", "the engine is handed what setup and doctor do"},
	{"engine", "assets", "the engine is handed its assets as a file system"},
	{"engine", "cmd", "commands are built on the engine, not the other way round"},
	{"", "github.com/spf13/viper", "viper is seen only in engine/config: other rooms get plain values"},
	{"", "github.com/fsnotify/fsnotify", "fsnotify is seen only in engine/watch/source: other rooms get events"},
	{"", "modernc.org/sqlite", "only the journal and recall keep a database"},
	{"", "github.com/kardianos/service", "only service speaks to service managers"},
}

// pure lists the packages of the standard library that do no I/O, by the room
// that may import no others. Rooms that are not here may import all of it.
var pure = map[string][]string{
	"engine/note": {
		"bytes", "cmp", "errors", "fmt", "html", "iter", "maps", "math", "math/bits", "path", "regexp", "slices", "sort",
		"strconv", "strings", "unicode", "unicode/utf8",
	},
	"engine/wording":      {"fmt", "strings", "unicode", "unicode/utf8"},
	"engine/recall/terms": {"bytes", "maps", "slices", "strings", "unicode", "unicode/utf8"},
	"engine/recall/page": {
		"bytes", "cmp", "crypto/sha256", "math/bits", "net/url", "path", "regexp", "slices", "strings", "unicode/utf8",
	},
	"engine/note/sanitize": {"bytes", "fmt", "regexp", "slices", "strings", "unicode/utf8"},
}

// unlinked are the packages that must not end up in a room or a program, not
// even by way of another package of ours.
var unlinked = []struct{ from, to, reason string }{
	{"cmd/wiki-tray", "engine", "the tray is a client: it runs no engine"},
	{"cmd/wiki-tray", "engine/api/server", "the tray is a client: it serves nothing"},
	{"cmd/wiki-tray", "engine/dashboard", "the tray is a client: the engine shows the pages"},
	{"cmd/wiki-tray", "html/template", "the tray is a client: the engine shows the pages"},
	{"engine/api/server", "html/template", "the server knows its pages as Pages; only the dashboard has templates"},
	{"cmd/wiki-tray", "modernc.org/sqlite", "the tray is a client: it opens no database"},
	{"cmd/wiki-tray", "github.com/fsnotify/fsnotify", "the tray is a client: it watches no files"},
}

// topLevel lists everything that the top of the repository may hold.
var topLevel = []string{
	"cmd", "tray", "service", "engine", "installer", "assets", "go.mod", "go.sum", "CHANGELOG.md",
	"README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "LICENSE", ".ci", ".github",
	".golangci.yml", ".editorconfig", ".gitignore", ".gitattributes", ".git",
}

// longestChain is how many packages of ours may import one another in a row. The
// longest one leads from a command through the index to the POST that embeds its texts.
const longestChain = 12

// TestRooms parses every file of every platform and holds its imports against
// the table.
func TestRooms(t *testing.T) {
	for file, imports := range productFiles(t) {
		from := path.Dir(file)
		allowed, ok := rooms[from]
		if !ok {
			t.Errorf("%s: the package %s has no place in the table of rooms", file, from)
			continue
		}
		for _, to := range imports {
			if reason := forbidden(from, to, allowed); reason != "" {
				t.Errorf("%s: %s must not import %s: %s", file, from, to, reason)
			}
		}
	}
}

// TestRoomsUseTheirPermissions fails on lines and entries of the table that no
// file needs, so that the table says what is, not what once was.
func TestRoomsUseTheirPermissions(t *testing.T) {
	arrows := packageImports(t)
	for from, allowed := range rooms {
		imports, ok := arrows[from]
		if !ok {
			t.Errorf("%s is in the table of rooms, but the tree has no such package", from)
		}
		for _, entry := range slices.Concat(allowed.ours, allowed.outside) {
			isUsed := slices.ContainsFunc(imports, func(to string) bool { return listed(to, []string{entry}) })
			if !isUsed {
				t.Errorf("%s may import %s, but no file of it does: take the permission out of the table", from, entry)
			}
		}
	}
}

// TestUnlinked follows the imports down and fails where a program reaches a
// package that it must not hold.
func TestUnlinked(t *testing.T) {
	arrows := packageImports(t)
	for _, rule := range unlinked {
		if chain := findChain(arrows, rule.from, rule.to); chain != nil {
			t.Errorf("%s: %s", strings.Join(chain, " > "), rule.reason)
		}
	}
	if findChain(arrows, "cmd/wiki", "modernc.org/sqlite") == nil {
		t.Error("cmd/wiki does not reach its database: the imports are not followed")
	}
}

// findChain returns the packages by which from comes to import the package or
// module to, or nil.
func findChain(arrows map[string][]string, from, to string) []string {
	for _, next := range arrows[from] {
		if listed(next, []string{to}) {
			return []string{from, next}
		}
		if chain := findChain(arrows, next, to); chain != nil {
			return append([]string{from}, chain...)
		}
	}
	return nil
}

// TestLongestChain counts the packages of the longest way down the imports.
func TestLongestChain(t *testing.T) {
	arrows := packageImports(t)
	var longest []string
	for from := range arrows {
		if way := wayDown(arrows, from); len(way) > len(longest) {
			longest = way
		}
	}
	t.Logf("the longest chain has %d packages: %s", len(longest), strings.Join(longest, " > "))
	if len(longest) > longestChain {
		t.Errorf("that is %d more than the %d that are allowed", len(longest)-longestChain, longestChain)
	}
	if len(longest) < 3 {
		t.Error("no chain of three was found; is the test still at its place in the tree?")
	}
}

// wayDown is the longest chain of imports that begins at from. The compiler
// refuses circles.
func wayDown(arrows map[string][]string, from string) []string {
	var longest []string
	for _, to := range arrows[from] {
		if arrows[to] == nil {
			continue // not a package of ours
		}
		if way := wayDown(arrows, to); len(way) > len(longest) {
			longest = way
		}
	}
	return append([]string{from}, longest...)
}

// TestTopLevel keeps the first thing a reader sees small: the folders are fixed.
func TestTopLevel(t *testing.T) {
	ignored, err := os.ReadFile("../.gitignore")
	if err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir("..")
	if err != nil {
		t.Fatal(err)
	}
	built := func(name string) bool {
		return slices.ContainsFunc(strings.Fields(string(ignored)), func(pattern string) bool {
			ok, _ := path.Match(strings.Trim(pattern, "/"), name)
			return ok
		})
	}
	for _, e := range entries {
		if !slices.Contains(topLevel, e.Name()) && !built(e.Name()) {
			t.Errorf("%s is not allowed at the top of the tree: what belongs there is fixed", e.Name())
		}
	}
}

// forbidden says why from must not import to, or nothing.
func forbidden(from, to string, allowed room) string {
	if to == "C" {
		return "the product is pure Go and builds with CGO_ENABLED=0"
	}
	if first, _, _ := strings.Cut(to, "/"); !strings.Contains(first, ".") && first != module {
		if list, isPure := pure[from]; isPure && !slices.Contains(list, to) {
			return "this room is pure: it does no I/O and knows no time"
		}
		return ""
	}
	if own, ok := strings.CutPrefix(to, module+"/"); ok {
		if listed(own, allowed.ours) {
			return ""
		}
		return reasonFor(from, own)
	}
	if listed(to, allowed.outside) {
		return ""
	}
	return reasonFor(from, to)
}

// listed reports whether pkg is in a list of packages, of modules with their
// packages, or of patterns that end in "/...".
func listed(pkg string, list []string) bool {
	return slices.ContainsFunc(list, func(entry string) bool {
		if below, ok := strings.CutSuffix(entry, "/..."); ok {
			return strings.HasPrefix(pkg, below+"/")
		}
		return pkg == entry || strings.Contains(entry, ".") && strings.HasPrefix(pkg, entry+"/")
	})
}

func reasonFor(from, to string) string {
	for _, w := range why {
		if under(from, w.from) && under(to, w.to) {
			return w.reason
		}
	}
	return "the table of rooms has no such arrow; ask which room the code belongs to"
}

func under(pkg, dir string) bool {
	return dir == "" || pkg == dir || strings.HasPrefix(pkg, dir+"/")
}

// packageImports returns what each package of the product imports on any
// platform, our own packages by their path from the top of the tree.
func packageImports(t *testing.T) map[string][]string {
	t.Helper()
	arrows := make(map[string][]string)
	for file, imports := range productFiles(t) {
		from := path.Dir(file)
		if arrows[from] == nil {
			arrows[from] = []string{}
		}
		for _, to := range imports {
			to = strings.TrimPrefix(to, module+"/")
			if !slices.Contains(arrows[from], to) {
				arrows[from] = append(arrows[from], to)
			}
		}
	}
	return arrows
}

// productFiles returns the imports of every Go file of the product, by its path
// with slashes from the top of the tree.
func productFiles(t *testing.T) map[string][]string {
	t.Helper()
	top, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	files := make(map[string][]string)
	err = filepath.WalkDir(top, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(top, name)
		rel = filepath.ToSlash(rel)
		if d.IsDir() {
			return skip(rel, name)
		}
		if !strings.HasSuffix(rel, ".go") || strings.HasSuffix(rel, "_test.go") {
			return nil
		}
		imports, err := importsOf(name)
		files[rel] = imports
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// skip leaves out hidden folders, test data and nested modules.
func skip(rel, name string) error {
	base := path.Base(rel)
	if rel == "." {
		return nil
	}
	_, err := os.Stat(filepath.Join(name, "go.mod"))
	if strings.HasPrefix(base, ".") || base == "testdata" || err == nil {
		return fs.SkipDir
	}
	return nil
}

func importsOf(name string) ([]string, error) {
	f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
	if err != nil {
		return nil, fmt.Errorf("parse: %w", err)
	}
	imports := make([]string, len(f.Imports))
	for i, spec := range f.Imports {
		if imports[i], err = strconv.Unquote(spec.Path.Value); err != nil {
			return nil, err
		}
	}
	return imports, nil
}

// TestForbidden checks the table itself: these arrows must never pass.
func TestForbidden(t *testing.T) {
	for _, arrow := range [][2]string{
		{"tray", module + "/engine"},
		{"tray", module + "/engine/config"},
		{"engine", module + "/tray"},
		{"engine/dispatch", module + "/engine"},
		{"engine/dispatch", "github.com/spf13/viper"},
		{"engine/note", "os"},
		{"engine/note", "io"},
		{"engine/note", "time"},
		{"engine/note", "math/rand/v2"},
		{"engine/rewrite/swap", "C"},
		{"cmd/wiki", "C"},
		{"engine/note", "golang.org/x/sys/unix"},
		{"engine/api", module + "/engine/note"},
		{"engine/watch", module + "/engine/note"},
		{"cmd/wiki", "github.com/fsnotify/fsnotify"},
		{"engine/journal", module + "/engine/agent"},
	} {
		if forbidden(arrow[0], arrow[1], rooms[arrow[0]]) == "" {
			t.Errorf("%s may import %s", arrow[0], arrow[1])
		}
	}
	for _, arrow := range [][2]string{
		{"engine", module + "/engine/note"},
		{"cmd/wiki", module + "/engine"},
		{"engine/journal", "modernc.org/sqlite"},
		{"engine/api/peer", "golang.org/x/sys/unix"},
		{"engine/note", "bytes"},
	} {
		if reason := forbidden(arrow[0], arrow[1], rooms[arrow[0]]); reason != "" {
			t.Errorf("%s may not import %s: %s", arrow[0], arrow[1], reason)
		}
	}
}
