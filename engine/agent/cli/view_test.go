package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/testdata/silentdisk"
)

// hideThings puts hidden files and folders into a vault, and links where the system has
// any.
func hideThings(t *testing.T, root string) {
	t.Helper()
	for _, name := range []string{"Note.md", ".env", ".obsidian/data.json", ".obsidian/.deep/x", "sub/.git/config", "sub/n.md"} {
		path := filepath.Join(root, filepath.FromSlash(name))
		err := os.MkdirAll(filepath.Dir(path), 0o700)
		if err == nil {
			err = os.WriteFile(path, nil, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"out", "sub/l.md"} {
		if err := os.Symlink(t.TempDir(), filepath.Join(root, filepath.FromSlash(name))); err != nil {
			t.Skipf("no links here: %v", err)
		}
	}
}

func TestSurveyVault(t *testing.T) {
	root := filepath.Join(t.TempDir(), ".notes")
	hideThings(t, root)
	v, err := surveyVault(t.Context(), root, func() {})
	if err != nil || !slices.Equal(v.folders, []string{".obsidian", "sub/.git"}) || !slices.Equal(v.links, []string{"out", "sub/l.md"}) {
		t.Errorf("%+v, %v", v, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := surveyVault(ctx, root, func() {}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := surveyVault(t.Context(), filepath.Join(root, "gone"), func() {}); err == nil {
		t.Error("a vault that is not there was surveyed")
	}
}

// The call of no program waits for a vault whose disk does not respond: neither to see what the vault hides, nor to see
// what the program would believe there.
func TestNoCallWaitsForASilentVault(t *testing.T) {
	root := t.TempDir()
	silentdisk.Hang(t)
	for name, p := range presets {
		looks := map[string]bool{agent.ToolsRead: p.confine != nil, agent.ToolsNone: false}
		for tools, looks := range looks {
			ctx, end := context.WithTimeout(t.Context(), 10*time.Millisecond)
			r, ok := New(name, agent.Settings{Tools: tools})
			if !ok || r.settings.Tools != tools {
				end()
				continue
			}
			task := taskOf(t, 1)
			task.Root = root
			if _, err := r.prepareCall(ctx, task, t.TempDir()); looks != errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%s with tools %s: %v", name, tools, err)
			}
			end()
		}
	}
}

// TestReadingIsConfined looks at what each program is told of what a vault hides, and
// that none is told so without tools.
func TestReadingIsConfined(t *testing.T) {
	for name := range presets {
		for _, tools := range []string{agent.ToolsNone, agent.ToolsRead} {
			root := t.TempDir()
			hideThings(t, root)
			r, file := play(t, name, recorded(t, name+"_single"), agent.Settings{Tools: tools})
			task := taskOf(t, 1)
			task.Root = root
			_, err := r.Run(t.Context(), task)
			if tools == agent.ToolsRead && presets[name].byName && foldsCase {
				if err == nil {
					t.Errorf("%s follows links under any spelling, and was started", name)
				}
				continue
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			s := look(t, file)
			told := strings.Join(s.Args, "\n") + s.Permission + s.Confined
			for _, want := range confinements[name] {
				if strings.Contains(told, want) != (tools == agent.ToolsRead) {
					t.Errorf("%s with tools %s, %q: told\n%s", name, tools, want, told)
				}
			}
		}
	}
}

// confinements are what each program is told when it reads.
var confinements = map[string][]string{
	"claude": {`"deny":["Read(**/.*)","Read(**/.*/**)"]`},
	"codex": {"default_permissions='vault-dispatcher'", "'**/.*'='deny','.obsidian'='deny','sub/.git'='deny'",
		"sandbox_mode='read-only'", "inherit='core'"},
	"gemini":   {`decision = "deny"`, `sub[\\\\/]+l\\.md`, "--admin-policy"},
	"opencode": {`"*/.*":"deny"`, `"sub/l.md/*":"deny"`, `"external_directory":"deny"`},
	"qwen":     {"/**/.*)", "/**/.*/**)"},
	"pi":       {"only files that the vault shows can be read"},
}

// TestMentions: a program that reads what a prompt names behind an @ is not given one.
func TestMentions(t *testing.T) {
	for name := range presets {
		r, file := play(t, name, recorded(t, name+"_single"), agent.Settings{})
		task := taskOf(t, 1)
		task.Text = "see @.env"
		if _, err := r.Run(t.Context(), task); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		want := "see @.env"
		if name == "gemini" || name == "qwen" {
			want = `see \@.env`
		}
		if got, _, _ := strings.Cut(look(t, file).Input, "\n\nBegin the reply"); got != want {
			t.Errorf("%s reads %q", name, got)
		}
	}
}

// TestGeminiRule holds the rule that allows gemini to read against paths, as gemini
// writes a call: Go's expressions look nowhere ahead, so what the rule excludes is tried
// one by one.
func TestGeminiRule(t *testing.T) {
	v := view{roots: []string{`/home/u/it's "mine"/.notes`}, links: []string{"out", "sub/l.md"}}
	call := agent.Program{}
	scratch := t.TempDir()
	if err := confineGemini(&call, v, scratch); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(scratch, "policy.toml"))
	if err != nil {
		t.Fatal(err)
	}
	lines := regexp.MustCompile(`(?m)^argsPattern = "(.*)"$`).FindAllStringSubmatch(string(data), -1)
	if len(lines) != 2 || lines[0][1] != "file_path" {
		t.Fatalf("rules\n%s", data)
	}
	pattern := strings.NewReplacer(`\\`, `\`, `\"`, `"`).Replace(lines[1][1])
	parts := strings.Split(pattern, "(?!")
	allows := func(path string) bool {
		said := "\x00\"file_path\":\"" + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(path) + "\"\x00"
		for _, at := range regexp.MustCompile(parts[0]).FindAllStringIndex(said, -1) {
			excluded := slices.ContainsFunc(parts[1:], func(part string) bool {
				return regexp.MustCompile("^" + strings.TrimSuffix(part, ")")).MatchString(said[at[1]:])
			})
			if !excluded {
				return true
			}
		}
		return false
	}
	root := v.roots[0]
	for path, want := range map[string]bool{
		root + "/n.md": true, root + "/sub/n.md": true, root + "/outer.md": true, root + "/a.b/c": true,
		root + "/.env": false, root + "/sub/.x.md": false, root + "/../x": false, root + "/sub/../../x": false, root + "//.env": false,
		root + "/out": false, root + "/out/x.md": false, root + "/sub/l.md": false, root + "x/n.md": false, "n.md": false, "/etc/passwd": false,
	} {
		if allows(path) != want {
			t.Errorf("%s: allowed is %v", path, !want)
		}
	}
}

// TestOwnFolder: codex has to be readable in its own sandbox, whatever installed it.
func TestOwnFolder(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(dir, "node_modules", "@openai", "codex", "bin", "codex.js")
	native := filepath.Join(dir, "bin", "codex")
	for _, path := range []string{script, native} {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if got := ownFolder(script); got != filepath.Join(dir, "node_modules") {
		t.Errorf("a script: %s", got)
	}
	if got := ownFolder(native); got != native {
		t.Errorf("a program: %s", got)
	}
}
