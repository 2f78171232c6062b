package cmd_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// starts are the ways to start a program, by the package that has them.
var starts = map[string]*regexp.Regexp{
	"exec":    regexp.MustCompile(`^(Command|CommandContext|Cmd)$`),
	"os":      regexp.MustCompile(`^StartProcess$`),
	"syscall": regexp.MustCompile(`^(Exec|ForkExec|StartProcess|CreateProcess|CreateProcessAsUser)$`),
	"unix":    regexp.MustCompile(`^Exec$`),
	"windows": regexp.MustCompile(`^(CreateProcess|CreateProcessAsUser|ShellExecute)$`),
}

// ownStarts are the product's starts of programs that are none of engine/launch, each with the reason.
var ownStarts = map[string]string{
	"engine/launch/launch.go exec.CommandContext":         "the rule itself",
	"engine/agent/sandbox/landlock_linux.go syscall.Exec": "becomes the agent, in the session that launch has given it",
	"engine/launch/become_unix.go syscall.Exec":           "the hub in the place of this process, at its terminal",
	"engine/launch/become_windows.go exec.Command":        "the same",
	"cmd/wiki/settings/settings.go exec.CommandContext":   "the person's editor, which needs their terminal",
	"service/supervise.go exec.CommandContext":            "the engine, which asks nobody, in the session of its supervisor: that has no terminal where Detach or the desktop starts it",
	"tray/opener/open_windows.go windows.ShellExecute":    "the desktop opens a file for the person, as a click does",
	"installer/dist/build.go exec.Command":                "makes packages: tools at the terminal of who releases",
	"installer/dist/documents.go exec.Command":            "as build.go",
	"installer/dist/image.go exec.Command":                "as build.go",
	"installer/dist/licences.go exec.Command":             "as build.go",
	"installer/dist/linux.go exec.Command":                "as build.go",
	"installer/dist/release.go exec.Command":              "as build.go",
	"installer/dist/sign.go exec.Command":                 "as build.go; a key may want its password",
	"installer/dist/windows.go exec.Command":              "as build.go",
}

// TestProgramsHaveNoTerminal: a program that the product starts has no terminal to ask at, or this file says why.
func TestProgramsHaveNoTerminal(t *testing.T) {
	found := make(map[string]bool)
	for file := range productFiles(t) {
		for _, start := range startsOf(t, file) {
			found[file+" "+start] = true
			if ownStarts[file+" "+start] == "" {
				t.Errorf("%s uses %s: start the program by engine/launch, or say here why it needs a terminal", file, start)
			}
		}
	}
	for start := range ownStarts {
		if !found[start] {
			t.Errorf("%s is allowed and not there", start)
		}
	}
}

// startsOf are the ways in which a file starts programs, whatever it calls the packages. A pointer to a command that was
// made elsewhere starts none.
func startsOf(t *testing.T, file string) (found []string) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", filepath.FromSlash(file)), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	names := make(map[string]string)
	for _, i := range f.Imports {
		of := path.Base(strings.Trim(i.Path.Value, `"`))
		if names[of] = of; i.Name != nil {
			names[i.Name.Name] = of
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.StarExpr:
			return !isCommandType(n)
		case *ast.SelectorExpr:
			of, ok := n.X.(*ast.Ident)
			if ok && starts[names[of.Name]] != nil && starts[names[of.Name]].MatchString(n.Sel.Name) {
				found = append(found, names[of.Name]+"."+n.Sel.Name)
			}
		}
		return true
	})
	slices.Sort(found)
	return slices.Compact(found)
}

// isCommandType reports whether an expression is *exec.Cmd.
func isCommandType(n ast.Node) bool {
	star, ok := n.(*ast.StarExpr)
	if !ok {
		return false
	}
	s, ok := star.X.(*ast.SelectorExpr)
	return ok && s.Sel.Name == "Cmd"
}
