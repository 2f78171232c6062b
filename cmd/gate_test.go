package cmd_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The gate (.ci/run) and the beds (.ci/all) know the rooms by lists, which are held against the tree here.

// readRows returns the rows of a list in .ci as words, without comments.
func readRows(t *testing.T, name string) (rows [][]string) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", ".ci", name))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		if words := strings.Fields(line); len(words) > 0 && !strings.HasPrefix(line, "#") {
			rows = append(rows, words)
		}
	}
	if len(rows) == 0 {
		t.Fatalf("%s is empty", name)
	}
	return rows
}

// runsBeside reports whether code of a file may run beside other code: it has a go statement, a mutex, or a call that
// runs a function by itself.
func runsBeside(file *ast.File) (is bool) {
	names := make(map[string]string) // of imports, in this file
	for _, i := range file.Imports {
		importPath := strings.Trim(i.Path.Value, `"`)
		if i.Name != nil {
			names[i.Name.Name] = importPath
		} else {
			names[path.Base(importPath)] = importPath
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			is = true
		case *ast.SelectorExpr:
			of, _ := n.X.(*ast.Ident)
			is = is || of != nil && slices.Contains(beside[names[of.Name]], n.Sel.Name)
		case *ast.CallExpr: // of a group of goroutines: of sync, or of golang.org/x/sync
			method, _ := n.Fun.(*ast.SelectorExpr)
			is = is || method != nil && method.Sel.Name == "Go" && len(n.Args) == 1
		}
		return !is
	})
	return is
}

// beside are the names of packages that make code run beside other code, or keep it from doing so.
var beside = map[string][]string{"sync": {"Mutex", "RWMutex", "Cond"}, "time": {"AfterFunc"}, "context": {"AfterFunc"}}

// TestRacing: the race detector of the gate sees each package that has goroutines or a mutex.
func TestRacing(t *testing.T) {
	wanted := make(map[string]bool)
	for file := range productFiles(t) {
		parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", file), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		if runsBeside(parsed) && hasTests(t, path.Dir(file)) {
			wanted[path.Dir(file)] = true
		}
	}
	if len(wanted) < 20 {
		t.Errorf("only %d packages have goroutines or a mutex; is the test still at its place in the tree?", len(wanted))
	}
	listed := make(map[string]bool)
	for _, row := range readRows(t, "racing") {
		listed[row[0]] = true
		if !wanted[row[0]] {
			t.Errorf("%s is in .ci/racing and has no goroutine, no mutex or no test", row[0])
		}
	}
	for pkg := range wanted {
		if !listed[pkg] {
			t.Errorf("%s has goroutines or a mutex: add it to .ci/racing", pkg)
		}
	}
}

func TestRunsBeside(t *testing.T) {
	for text, want := range map[string]bool{
		"func f() { go f() }":                                                true,
		"func f() { if true { go (func())(nil)() } }":                        true,
		"func f(s []func()) { go s[0]() }":                                   true,
		"import \"sync\"\ntype t struct{ sync.RWMutex }":                     true,
		"import s \"sync\"\nvar mu s.Mutex":                                  true,
		"import \"time\"\nvar _ = time.AfterFunc(0, nil)":                    true,
		"import \"context\"\nvar _ = context.AfterFunc(nil, nil)":            true,
		"import \"sync\"\nfunc f(g *sync.WaitGroup, h func()) { g.Go(h) }":   true,
		"import \"sync\"\nvar once sync.Once // go f(), and a sync.Mutex":    false,
		"type t struct{ Mutex int }\nvar sync t\nvar _ = `\ngo func() {}()`": false,
		"func f(goes func()) { goes() }":                                     false,
	} {
		file, err := parser.ParseFile(token.NewFileSet(), "x.go", "package x\n"+text+"\n", parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		if got := runsBeside(file); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

func hasTests(t *testing.T, pkg string) bool {
	t.Helper()
	found, err := filepath.Glob(filepath.Join("..", pkg, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	return len(found) > 0
}
