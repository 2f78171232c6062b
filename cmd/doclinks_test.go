package cmd_test

import (
	"fmt"
	"go/ast"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// docLink is a reference of a comment: [Name], [Type.Name], [pkg.Name] or [pkg.Type.Name]
// (https://go.dev/doc/comment#doclinks). An index of a map or slice in code has a letter or a
// bracket before it and is none.
var docLink = regexp.MustCompile(`(^|[\s("'])\[\*?([A-Za-z]\w*(?:\.[A-Za-z]\w*){0,2})\]($|[^(:\w\[])`)

// sourcePackage is what the comments of one package may refer to.
type sourcePackage struct {
	names map[string]bool // Name and Type.Name
	files []*ast.File
}

// TestDocLinks: what a comment refers to is there. A link names a declaration of its own package, or
// of one that the product has or the file imports; and the comment over a declaration begins with its name.
func TestDocLinks(t *testing.T) {
	fset := token.NewFileSet()
	all := parsePackages(t, fset)
	if len(all) < 50 {
		t.Fatalf("only %d packages found", len(all))
	}
	byName := map[string][]*sourcePackage{}
	for dir, p := range all {
		byName[path.Base(dir)] = append(byName[path.Base(dir)], p)
	}
	for _, p := range all {
		for _, file := range p.files {
			for _, group := range file.Comments {
				for _, m := range docLink.FindAllStringSubmatch(group.Text(), -1) {
					if !resolves(m[2], p, file, byName) {
						t.Errorf("%s: the comment refers to [%s], which is not there", fset.Position(group.Pos()), m[2])
					}
				}
			}
			for _, problem := range strangeDocs(fset, file) {
				t.Error(problem)
			}
		}
	}
}

// TestDocLinksFound: links, stale names and what only looks like one are told apart.
func TestDocLinksFound(t *testing.T) {
	src := "package p\n\nimport \"io/fs\"\n\n// openOld opens [New], [T.M], [fs.FS] and [Gone], a[i] and [x](y).\nfunc openNew() {}\n\n// New is new.\nfunc New() {}\n\n// Old is a type.\ntype T struct{}\n\n// M does.\nfunc (t T) M() {}\n\n// doing is what it does.\nfunc describe() {}\n\n// Where it goes, nobody knows.\nfunc leave() {}\n\nvar _ fs.FS\n"
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", src, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	p := &sourcePackage{names: declaredNames(file), files: []*ast.File{file}}
	var gone []string
	for _, group := range file.Comments {
		for _, m := range docLink.FindAllStringSubmatch(group.Text(), -1) {
			if !resolves(m[2], p, file, nil) {
				gone = append(gone, m[2])
			}
		}
	}
	if !slices.Equal(gone, []string{"Gone"}) {
		t.Errorf("not resolved: %q", gone)
	}
	if problems := strangeDocs(fset, file); len(problems) != 3 {
		t.Errorf("comments with the name of something else: %q", problems)
	}
}

// parsePackages parses every package of the product, for all systems at once, by its folder.
func parsePackages(t *testing.T, fset *token.FileSet) map[string]*sourcePackage {
	t.Helper()
	all := map[string]*sourcePackage{}
	for name := range productFiles(t) {
		dir := path.Dir(name)
		if all[dir] == nil {
			all[dir] = &sourcePackage{names: map[string]bool{}}
		}
		file, err := parser.ParseFile(fset, filepath.Join("..", filepath.FromSlash(name)), nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		all[dir].files = append(all[dir].files, file)
		for name := range declaredNames(file) {
			all[dir].names[name] = true
		}
	}
	return all
}

// declaredNames returns what a file declares: Name, and Type.Name of methods and fields.
func declaredNames(file *ast.File) map[string]bool {
	names := map[string]bool{}
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			names[prefixOf(d)+d.Name.Name] = true
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch s := spec.(type) {
				case *ast.ValueSpec:
					for _, id := range s.Names {
						names[id.Name] = true
					}
				case *ast.TypeSpec:
					names[s.Name.Name] = true
					ast.Inspect(s.Type, func(n ast.Node) bool {
						if f, ok := n.(*ast.Field); ok {
							for _, id := range f.Names {
								names[s.Name.Name+"."+id.Name] = true
							}
						}
						return true
					})
				}
			}
		}
	}
	return names
}

// prefixOf returns the type of a method and a dot, or nothing for a function.
func prefixOf(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return ""
	}
	typ := d.Recv.List[0].Type
	for {
		switch x := typ.(type) {
		case *ast.StarExpr:
			typ = x.X
		case *ast.IndexExpr:
			typ = x.X
		case *ast.IndexListExpr:
			typ = x.X
		case *ast.Ident:
			return x.Name + "."
		default:
			return ""
		}
	}
}

// resolves reports whether a link of a comment leads somewhere: in its own package, in one of the
// product of that name, or in a package that is not ours. Of these only an import is asked for.
func resolves(link string, p *sourcePackage, file *ast.File, byName map[string][]*sourcePackage) bool {
	if p.names[link] || !unicode.IsUpper(rune(link[0])) && !strings.Contains(link, ".") {
		return true // [x] with a small letter is code or a word in brackets, no link
	}
	pkg, name, ok := strings.Cut(link, ".")
	if !ok {
		return false
	}
	for _, other := range byName[pkg] {
		if other.names[name] {
			return true
		}
	}
	if embedded, method, ok := strings.Cut(name, "."); ok { // pkg.Type.Name, by an embedded type
		for _, other := range byName[pkg] {
			if other.names[embedded] && hasMember(byName, method) {
				return true
			}
		}
	}
	for _, imported := range file.Imports {
		where := strings.Trim(imported.Path.Value, `"`)
		if !strings.HasPrefix(where, module+"/") && strings.TrimSuffix(path.Base(where), ".go") == pkg {
			return true
		}
	}
	if _, std := comment.DefaultLookupPackage(pkg); std && len(byName[pkg]) == 0 {
		return true
	}
	return p.names[pkg] && hasMember(byName, name) // Type.Name, by an embedded type
}

// hasMember reports whether any type of the product has a method or field of that name.
func hasMember(byName map[string][]*sourcePackage, name string) bool {
	for _, packages := range byName {
		for _, p := range packages {
			for known := range p.names {
				if strings.HasSuffix(known, "."+name) {
					return true
				}
			}
		}
	}
	return false
}

// strangeDocs returns the comments over declarations that begin with another name than theirs.
func strangeDocs(fset *token.FileSet, file *ast.File) (problems []string) {
	check := func(doc *ast.CommentGroup, name string) {
		if doc == nil {
			return
		}
		first, _, _ := strings.Cut(doc.Text(), " ")
		first = strings.TrimSuffix(strings.TrimSpace(first), "'s")
		isName := unicode.IsLower([]rune(first + " ")[0]) && strings.IndexFunc(first, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) < 0
		if ast.IsExported(name) || isName {
			if first != name && first != "A" && first != "An" && first != "The" {
				problems = append(problems, fmt.Sprintf("%s: the comment over %s begins with %q", fset.Position(doc.Pos()), name, first))
			}
		}
	}
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			check(d.Doc, d.Name.Name)
		case *ast.GenDecl:
			if s, ok := d.Specs[0].(*ast.TypeSpec); ok && len(d.Specs) == 1 {
				check(d.Doc, s.Name.Name)
			}
		}
	}
	return problems
}
