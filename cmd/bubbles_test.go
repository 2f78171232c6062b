package cmd_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// bubbles returns the functions of a package's tests for which time may pass in a bubble of testing/synctest: those that
// name it or lead to one that does, and all to which these lead, be it by a type whose methods they are. Functions are
// told apart by their names alone.
func bubbles(files []*ast.File) map[string]bool {
	named, methods, is := make(map[string][]string), make(map[string][]string), make(map[string]bool)
	for _, file := range files {
		for _, decl := range file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok {
				continue
			}
			name := f.Name.Name
			if f.Recv != nil {
				of := receiver(f.Recv.List[0].Type)
				methods[of] = append(methods[of], name)
			}
			named[name] = append(named[name], "")
			for _, part := range []ast.Node{f.Type, f.Body} {
				ast.Inspect(part, func(n ast.Node) bool {
					if word, ok := n.(*ast.Ident); ok {
						is[name] = is[name] || word.Name == "synctest"
						named[name] = append(named[name], word.Name)
					}
					return true
				})
			}
		}
	}
	spread(is, func(from, to string, mark func(string)) {
		if is[to] {
			mark(from)
		}
	}, named)
	spread(is, func(from, to string, mark func(string)) {
		if !is[from] {
			return
		}
		mark(to)
		for _, method := range methods[to] {
			mark(method)
		}
	}, named)
	return is
}

// spread marks functions, as a rule says of each function and each word in it, until there is nothing more to mark.
func spread(is map[string]bool, rule func(from, to string, mark func(string)), named map[string][]string) {
	for again := true; again; {
		again = false
		for from, words := range named {
			for _, to := range words {
				rule(from, to, func(name string) {
					if named[name] != nil && !is[name] {
						is[name], again = true, true
					}
				})
			}
		}
	}
}

// receiver is the name of the type of a method.
func receiver(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.StarExpr:
		return receiver(x.X)
	case *ast.IndexExpr:
		return receiver(x.X)
	case *ast.Ident:
		return x.Name
	}
	return ""
}

func TestBubblesAreFound(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "x.go", `package x
func TestIn() { synctest.Test(t, func() { helper(slow{}) }) }
func TestBy() { bubble(func() { time.Sleep(n) }) }
func bubble(f func()) { synctest.Test(t, f) }
func helper() { time.Sleep(n) }
func (slow) Look() { time.Sleep(n) }
func TestOut() { other(); time.Sleep(n) }
func other() { time.Sleep(n) }
`, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for name, is := range bubbles([]*ast.File{file}) {
		if is {
			got = append(got, name)
		}
	}
	slices.Sort(got)
	if want := "Look TestBy TestIn bubble helper"; strings.Join(got, " ") != want {
		t.Errorf("got %v, want %s", got, want)
	}
}

func imports(file *ast.File, path string) bool {
	return slices.ContainsFunc(file.Imports, func(i *ast.ImportSpec) bool { return i.Path.Value == strconv.Quote(path) })
}
