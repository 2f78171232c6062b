package cmd_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A test that trusts the clock is red on a slow machine, or for a reason that nobody can repeat. Two such forms are looked
// for here: a seed that is a time, and a sleep after which something is hoped to have happened.

// slept are the files that sleep beside no bubble of synctest and in no loop that asks for a condition, and why they may.
var slept = map[string]string{
	"cmd/wiki/workers_test.go":                "a team at work, which pauses at random; the bed workers asks what came of it",
	"engine/dashboard/setupmeanwhile_test.go": "a look that is slow, so that others come meanwhile",
	"engine/disks_linux_test.go":              "a disk that fails for a while; what is wanted holds however little of it was met",
	"engine/harness_test.go":                  "the step of all who ask for a condition",
	"engine/watch/bench_linux_test.go":        "a benchmark of a watcher at rest",
	"engine/watch/bench_test.go":              "a benchmark of notes that are old enough",
	"service/main_test.go":                    "a program that ends late",
}

// TestNoSeedOfTheClock: a random test takes its seed from testseed, which prints it and can repeat it.
func TestNoSeedOfTheClock(t *testing.T) {
	eachTestFile(t, func(rel string, src []byte) {
		if rel == "cmd/clock_test.go" {
			return // its examples
		}
		for _, part := range strings.Split(string(src), "\n}\n") { // functions, mostly
			if isSeededByClock(part) {
				t.Errorf("%s: a seed is taken from the clock; take it from engine/testdata/testseed: %.300q", rel, part)
			}
		}
	})
}

var (
	clock     = regexp.MustCompile(`time\.Now\(\)\.(Unix\w*|Nanosecond)\(`)
	generator = regexp.MustCompile(`rand\.(NewPCG|NewSource|NewChaCha8|Seed)\(|\bquick\.|\brapid\.`)
	seedTaken = regexp.MustCompile(`(?i)\bseed\w*\b[^\n]*\btime\.Now\(`)
)

func isSeededByClock(part string) bool {
	return clock.MatchString(part) && generator.MatchString(part) || seedTaken.MatchString(part)
}

// unseeded are the files that take numbers of which nobody knows the seed, and why they may.
var unseeded = map[string]string{
	"cmd/wiki-tray/desktop_test.go":         "a port that is free",
	"cmd/wiki/main_test.go":                 "the same",
	"cmd/wiki/measure_events_linux_test.go": "a benchmark, at no particular time",
	"cmd/wiki/measure_linux_test.go":        "the same",
}

// chance is a call of the generator that no seed makes.
var chance = regexp.MustCompile(`\brand\.(Int|IntN|Intn|Int31|Int63|Int64|Int64N|N|Uint|UintN|Uint32|Uint64|Uint64N|Perm|Shuffle|Float64|NormFloat64|ExpFloat64)\(|\bquick\.Check\([^\n]*, nil\)`)

// TestNoChance: a random test can be repeated, so all of its numbers follow from the seed that it prints.
func TestNoChance(t *testing.T) {
	found := make(map[string]bool)
	eachTestFile(t, func(rel string, src []byte) {
		if rel == "cmd/clock_test.go" || !chance.Match(src) || strings.Contains(string(src), "crypto/rand") {
			return
		}
		if found[rel] = true; unseeded[rel] == "" {
			t.Errorf("%s: %s has no seed; take one from engine/testdata/testseed", rel, chance.Find(src))
		}
	})
	for rel := range unseeded {
		if !found[rel] {
			t.Errorf("%s takes no number without a seed: take it off the list", rel)
		}
	}
}

func TestSeedOfTheClockIsFound(t *testing.T) {
	for part, want := range map[string]bool{
		"\tseed := time.Now().UnixNano()\n":                                        true,
		"var seed = flag.Int64(\"seed\", time.Now().UnixMilli(), \"\")\n":          true,
		"\tr := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 0))\n":         true,
		"\tn := time.Now().Unix()\n\tr := rand.New(rand.NewSource(n))\n":           true,
		"\tseed := testseed.Take(t)\n\tr := rand.New(rand.NewPCG(seed, 0))\n":      false,
		"\tif time.Now().UnixNano()-e.MTime > late {\n":                            false,
		"\tseed := testseed.Take(t)\n\tfor begun := time.Now(); ; time.Sleep(n) {": false,
	} {
		if got := isSeededByClock(part); got != want {
			t.Errorf("%q: %v", part, got)
		}
	}
}

// TestNoSleep: what takes its time is waited for by its condition, or has the clock of testing/synctest.
func TestNoSleep(t *testing.T) {
	found, folders := make(map[string]bool), make(map[string]map[string]*ast.File)
	fset := token.NewFileSet()
	eachTestFile(t, func(rel string, src []byte) {
		if strings.HasPrefix(rel, ".") {
			return // in .ci are beds
		}
		file, err := parser.ParseFile(fset, rel, src, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		if folders[path.Dir(rel)] == nil {
			folders[path.Dir(rel)] = make(map[string]*ast.File)
		}
		folders[path.Dir(rel)][rel] = file
	})
	for _, files := range folders {
		inBubble := bubbles(slices.Collect(maps.Values(files)))
		for rel, file := range files {
			for _, decl := range file.Decls {
				if f, ok := decl.(*ast.FuncDecl); ok && inBubble[f.Name.Name] && imports(file, "testing/synctest") {
					continue
				}
				for _, at := range sleeps(decl) {
					if found[rel] = true; slept[rel] == "" {
						t.Errorf("%s: it sleeps; wait for a condition, or let the time pass in a bubble of testing/synctest", fset.Position(at))
					}
				}
			}
		}
	}
	for rel := range slept {
		if !found[rel] {
			t.Errorf("%s may sleep, and does not: take it from the list", rel)
		}
	}
}

// sleeps returns where code sleeps outside of loops, which ask for conditions. An hour is slept by a program that hangs
// until it is killed.
func sleeps(code ast.Node) (all []token.Pos) {
	var look func(n ast.Node, inLoop bool)
	look = func(n ast.Node, inLoop bool) {
		ast.Inspect(n, func(m ast.Node) bool {
			if m == n {
				return true
			}
			switch m := m.(type) {
			case *ast.ForStmt, *ast.RangeStmt:
				look(m, true)
				return false
			case *ast.FuncLit:
				look(m, false)
				return false
			case *ast.CommClause: // a deadline beside a condition
				for _, s := range m.Body {
					look(&ast.BlockStmt{List: []ast.Stmt{s}}, inLoop)
				}
				return false
			case *ast.ExprStmt:
				if !inLoop && isSleep(m.X) {
					all = append(all, m.Pos())
				}
			}
			return true
		})
	}
	look(code, false)
	return all
}

// isSleep reports whether an expression is time.Sleep(d) or <-time.After(d), for another time than an hour.
func isSleep(x ast.Expr) bool {
	name := "Sleep"
	if receive, ok := x.(*ast.UnaryExpr); ok {
		x, name = receive.X, "After"
	}
	call, ok := x.(*ast.CallExpr)
	return ok && len(call.Args) == 1 && isOfTime(call.Fun, name) && !isOfTime(call.Args[0], "Hour")
}

func isOfTime(x ast.Expr, name string) bool {
	s, ok := x.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	pkg, ok := s.X.(*ast.Ident)
	return ok && pkg.Name == "time" && s.Sel.Name == name
}

func TestSleepsAreFound(t *testing.T) {
	for body, want := range map[string]int{
		"time.Sleep(time.Second)":                                             1,
		"<-time.After(n)":                                                     1,
		"go func() { time.Sleep(n) }()":                                       1,
		"for range 3 { go func() { time.Sleep(n) }() }":                       1,
		"select { case <-done: time.Sleep(n); case <-time.After(n): fail() }": 1,
		"for !is() { time.Sleep(n) }":                                         0,
		"for ; !is(); <-time.After(n) { }":                                    0,
		"<-time.After(time.Hour)":                                             0,
		"end := time.After(n); <-end":                                         0,
	} {
		file, err := parser.ParseFile(token.NewFileSet(), "x.go", "package x\nfunc f() {\n"+body+"\n}\n", 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := len(sleeps(file)); got != want {
			t.Errorf("%s: %d sleeps", body, got)
		}
	}
}

// eachTestFile calls do for each test file of the tree, those of the modules in .ci among them, by its path from the top.
func eachTestFile(t *testing.T, do func(rel string, src []byte)) {
	t.Helper()
	n := 0
	err := filepath.WalkDir("..", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == ".git":
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, "_test.go"):
			return nil
		}
		rel, err := filepath.Rel("..", name)
		if err != nil {
			return err
		}
		src, err := os.ReadFile(name)
		n++
		do(filepath.ToSlash(rel), src)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if n < 400 {
		t.Errorf("only %d test files; is the test still at its place in the tree?", n)
	}
}
