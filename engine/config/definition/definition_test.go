package definition

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"vaultdispatcher/assets"
	"vaultdispatcher/engine/config"
)

const editor = "---\nname: vault-mind-editor\ndescription: Mends sentences\nmodel: small\ntools: none\n---\n\nYou mend sentences.\n"

func TestParse(t *testing.T) {
	want := Definition{Name: "vault-mind-editor", Description: "Mends sentences", Model: "small", Tools: "none", Prompt: "You mend sentences."}
	for name, text := range map[string]string{
		"as written":        editor,
		"byte order mark":   "\ufeff" + editor,
		"Windows line ends": strings.ReplaceAll(editor, "\n", "\r\n"),
		"spaces at the end": strings.ReplaceAll(editor, "---\n", "---  \n"),
		"no last line end":  strings.TrimSuffix(editor, "\n"),
		"quoted, comment":   strings.Replace(editor, "name: vault-mind-editor", "# who\nname: \"vault-mind-editor\"", 1),
	} {
		got, err := Parse("f.md", []byte(text))
		if err != nil || got != want {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

// Every mistake is one line that begins with its place.
func TestDefinitionRefused(t *testing.T) {
	for _, tt := range []struct{ old, new, want string }{
		{"---\nname", "name", "f.md:1: expected the line ---; begin with name, description and tools between two lines ---"},
		{editor, "", "f.md:1: expected the line ---; begin with name, description and tools between two lines ---"},
		{"none\n---\n", "none\n", "f.md:1: the block that begins here has no end; put a line --- after its last key"},
		{"name: vault-mind-editor\n", "", "f.md:1: name: missing; write name: vault-mind- and the role in lower case"},
		{"vault-mind-editor", "Editor", `f.md:2: name: "Editor" is not the name of a role; write vault-mind- and the role in lower case, such as vault-mind-miner`},
		{"vault-mind-editor", "[a]", "f.md:2: name: expected a text, found a list"},
		{"description: Mends sentences\n", "", "f.md:1: description: missing; say in one line what the role does"},
		{"Mends sentences", "|\n\n  ", "f.md:3: description: missing; say in one line what the role does"},
		{"tools: none", "tools: write", `f.md:5: tools: "write" is unknown; use none or read`},
		{"tools: none", "tools: [[Read]]", "f.md:5: tools: expected a text, found a list"},
		{"tools: none", "tools: Read, write", `f.md:5: tools: "Read, write" is unknown; use none or read`},
		{"tools: none", "command: [sh]", "f.md:5: command: unknown; the keys are name, description, model, tools, writes and runner"},
		{"tools: none", "trust: true", "f.md:5: trust: unknown; the keys are name, description, model, tools, writes and runner"},
		{"tools: none", "costs: false", "f.md:5: costs: unknown; the keys are name, description, model, tools, writes and runner"},
		{"tools: none", "runner: [claude]", "f.md:5: runner: expected a text, found a list"},
		{"tools: none", "writes: note", `f.md:5: writes: "note" is unknown; use answer or section`},
		{"tools: none", "thinking: high", "f.md:5: thinking: unknown; the keys are name, description, model, tools, writes and runner"},
		{"tools: none", "model: other", `f.md:5: not valid YAML: mapping key "model" already defined at line 4`},
		{"tools: none", "\ttools", "f.md:4: not valid YAML: found a tab character"}, // the library counts from 0 here
		{"You mend sentences.", " ", "f.md:1: prompt: missing; write below the second line --- what the role does and how it answers"},
		{"mend", "m\xe4nd", "f.md:1: prompt: not UTF-8 text; save the file as UTF-8"},
		{"mend", strings.Repeat("mend ", maxDefinition/5), "f.md: is larger than 64 KiB; shorten the prompt"},
	} {
		text := strings.Replace(editor, tt.old, tt.new, 1)
		got, err := Parse("f.md", []byte(text))
		if err == nil || !strings.HasPrefix(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q for %q:\n%v, want\n%s", tt.new, tt.old, err, tt.want)
		}
		if got != (Definition{}) {
			t.Errorf("%q for %q: refused and returned %+v", tt.new, tt.old, got)
		}
	}
}

// A file of Claude Code's is a definition: what it says of tools can only take away, and
// what it says beyond ours does nothing.
func TestClaudeFiles(t *testing.T) {
	const head = "---\nname: code-reviewer\ndescription: \"Reviews.\\n\\n<example>\\nlong\\n</example>\"\ncolor: blue\npermissionMode: bypassPermissions\nhooks: {Stop: []}\n"
	for more, want := range map[string]Definition{
		"":                                {},
		"tools: Read, Grep, Glob, Bash\n": {Tools: "read"},
		"tools: Bash(git log:*, git show), Write\n": {Tools: "none"},
		"tools: [WebFetch, Read(src/**)]\n":         {Tools: "read"},
		"tools: mcp__db__query\n":                   {Tools: "none"},
		"tools: \"*\"\nmodel: inherit\n":            {},
		"tools: Read\ndisallowedTools: Read\n":      {Tools: "none"},
		"model: sonnet\nrunner: Researcher\n":       {Model: "sonnet", Runner: "Researcher"},
	} {
		want.Name, want.Description, want.Prompt = "vault-mind-code-reviewer", "Reviews.", "You review."
		got, err := Parse("f.md", []byte(head+more+"---\n\nYou review.\n"))
		if err != nil || got != want {
			t.Errorf("%q: %+v, %v", more, got, err)
		}
	}
	d := Definition{Model: "sonnet"}
	for runner, want := range map[string]string{"claude": "sonnet", "codex": ""} {
		if got := d.Apply(config.Agent{Runner: runner}); got.Model != want {
			t.Errorf("%s is given the model %q", runner, got.Model)
		}
	}
}

// Claude Code takes descriptions that are no YAML; what stands beside one counts, and is refused on its line.
func TestPlainDescriptions(t *testing.T) {
	for text, want := range map[string]string{
		"Reviews: it's all.": "Reviews: it's all.",
		"Reviews. Examples: <example>user: \"a\"</example>":                                                        "Reviews. Examples:",
		`Reviews. Examples:\n\n<example>\nContext: a.`:                                                             "Reviews. Examples:",
		"Reviews. Examples:\n\n<example>\nuser: \"a\"\ncommand: x\n</example>\n\n<example>\n\tb: 'c\n</example>\n": "Reviews. Examples:",
		"Reviews (a: b), %c: @d # e: f":                                                                            "Reviews (a: b), %c: @d # e: f",
	} {
		file := "---\nname: reviewer\ndescription: " + text + "\ntools: Read, Grep\n---\n\nYou review: all.\n"
		got, err := Parse("f.md", []byte(file))
		if err != nil || got.Description != want || got.Tools != "read" || got.Prompt != "You review: all." {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
		for _, more := range []string{"command: [sh]", "trust: true", "tools: Read", "x: y: z"} {
			got, err := Parse("f.md", []byte(strings.Replace(file, "\n---\n\n", "\n"+more+"\n---\n\n", 1)))
			place := fmt.Sprintf("f.md:%d: ", 5+strings.Count(text, "\n"))
			if err == nil || !strings.HasPrefix(err.Error(), place) || got != (Definition{}) {
				t.Errorf("%q with %s: %+v, %v, want %s", text, more, got, err, place)
			}
		}
	}
	for _, text := range []string{`"Reviews": a`, "[a: b", "'a", "a\n b: c: d"} {
		if got, err := Parse("f.md", []byte("---\nname: reviewer\ndescription: "+text+"\n---\nYou review.\n")); err == nil {
			t.Errorf("%q: %+v", text, got)
		}
	}
}

func TestDefinitionMistakesAreToldTogether(t *testing.T) {
	_, err := Parse("f.md", []byte("---\nname: X\ntools: all\nhat: red\n---\n"))
	if err == nil || strings.Count(err.Error(), "\n") != 4 {
		t.Errorf("want five lines for five mistakes, got\n%v", err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(editor)
	f.Add("---\n---\n")
	f.Add("---\na: &a [*a]\n---\n")
	f.Fuzz(func(t *testing.T, text string) {
		d, err := Parse("f.md", []byte(text))
		if err == nil && (!isDefinitionName(d.Name) || d.Prompt == "" || d.Tools != "" && d.Tools != "none" && d.Tools != "read") {
			t.Errorf("%q gives %+v", text, d)
		}
		if err != nil && !strings.HasPrefix(err.Error(), "f.md:") {
			t.Errorf("%q is refused without its place: %v", text, err)
		}
	})
}

func definitionOf(name, prompt string) string {
	return fmt.Sprintf("---\nname: %s\ndescription: d\n---\n%s\n", name, prompt)
}

func save(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func someDefinitions(t *testing.T, c config.Config) *Set {
	t.Helper()
	d, err := NewSet(fstest.MapFS{
		"vault-mind-miner.md":   {Data: []byte(definitionOf("vault-mind-miner", "built-in miner"))},
		"vault-mind-general.md": {Data: []byte(definitionOf("vault-mind-general", "general"))},
	}, c)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func (d *Set) prompt(t *testing.T, role string) string {
	t.Helper()
	found, err := d.Find(role)
	if err != nil {
		return err.Error()
	}
	return found.Prompt
}

// What is asked for is what the folder says at that moment.
func TestDefinitionsFollowTheFolder(t *testing.T) {
	dir := t.TempDir()
	d := someDefinitions(t, config.Config{File: filepath.Join(dir, "config.yaml")})
	own := filepath.Join(dir, "agents", "vault-mind-miner.md")
	check := func(when, role, want string) {
		t.Helper()
		if got := d.prompt(t, role); !strings.Contains(got, want) {
			t.Errorf("%s: %s plays %q, want %q", when, role, got, want)
		}
	}
	check("no folder", "Miner", "built-in miner")
	check("no folder", "Critic", "general")
	save(t, own, definitionOf("vault-mind-miner", "mine"))
	check("a file of the same name", "MINER", "mine")
	save(t, own, definitionOf("vault-mind-miner", "nine")) // same size, perhaps the same time stamp
	check("changed at once", "Miner", "nine")
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(own, old, old); err != nil {
		t.Fatal(err)
	}
	check("older", "Miner", "nine")
	save(t, own, definitionOf("vault-mind-miner", "fine"))
	check("changed later", "Miner", "fine")
	save(t, own, "no front matter")
	check("broken", "Miner", "vault-mind-miner.md:1: expected the line ---")
	check("broken", "Critic", "general")
	save(t, filepath.Join(dir, "agents", "vault-mind-critic.md"), definitionOf("vault-mind-other", "x"))
	check("another name", "Critic", `"vault-mind-other" does not fit the file's name; call the file vault-mind-other.md`)
	save(t, filepath.Join(dir, "agents", "vault-mind-general.md"), definitionOf("vault-mind-general", "all the rest"))
	check("a general one", "Poet", "all the rest")
	if list, err := d.List(); len(list) != 1 || strings.Count(fmt.Sprint(err), "\n") != 1 {
		t.Errorf("listed %+v, %v; want one and two problems", list, err)
	}
	save(t, filepath.Join(dir, "agents", "reviewer.md"), definitionOf("reviewer", "by its own name"))
	check("a file of Claude Code's", "Reviewer", "by its own name")
	save(t, filepath.Join(dir, "agents", "vault-mind-reviewer.md"), definitionOf("vault-mind-reviewer", "ours"))
	check("both", "Reviewer", "ours")
	if err := os.RemoveAll(filepath.Join(dir, "agents")); err != nil {
		t.Fatal(err)
	}
	check("taken away", "Miner", "built-in miner")
}

// What a sync can bring never says how an agent behaves.
func TestDefinitionInVaultIsNeverRead(t *testing.T) {
	vault, dir := t.TempDir(), t.TempDir()
	vaults := []config.Vault{{Name: "v", Path: vault}}
	inVault := filepath.Join(vault, "agents", "vault-mind-miner.md")
	save(t, inVault, definitionOf("vault-mind-miner", "from the vault"))

	beside := someDefinitions(t, config.Config{File: filepath.Join(vault, "config.yaml"), Vaults: vaults})
	if got := beside.prompt(t, "Miner"); !strings.Contains(got, "definitions are never read") {
		t.Errorf("a configuration in a vault: %q", got)
	}
	d := someDefinitions(t, config.Config{File: filepath.Join(dir, "config.yaml"), Vaults: vaults})
	if got := d.prompt(t, "Miner"); got != "built-in miner" {
		t.Errorf("a vault with agents in it: %q", got)
	}
	if err := os.Mkdir(filepath.Join(dir, "agents"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(inVault, filepath.Join(dir, "agents", "vault-mind-miner.md")); err != nil {
		t.Logf("no links here: %v", err)
		return
	}
	if got := d.prompt(t, "Miner"); !strings.Contains(got, "definitions are never read") {
		t.Errorf("a link into a vault: %q", got)
	}
}

// The built-in definitions are read as strictly as anybody's, and none takes away
// what a configuration may allow.
func TestBuiltInDefinitions(t *testing.T) {
	d, err := NewSet(assets.Agents(), config.Config{})
	if err != nil {
		t.Fatal(err)
	}
	for _, role := range []string{"Miner", "Broadcaster", "Manager", "Heavy-Lifter", "General"} {
		found, err := d.Find(role)
		if err != nil || found.Name != "vault-mind-"+strings.ToLower(role) || found.File != "" {
			t.Errorf("%s: %+v, %v", role, found, err)
		}
		if got := found.Apply(config.Agent{Tools: "read", Model: "mine"}); got.Tools != "read" || got.Model != "mine" {
			t.Errorf("%s makes of the configuration %+v", role, got)
		}
	}
	if got, err := d.Find("Poet"); err != nil || got.Name != General {
		t.Errorf("a role of its own: %+v, %v", got, err)
	}
}

// A definition gives a model where there is none, and never a tool.
func TestAs(t *testing.T) {
	for _, tt := range []struct{ configured, defined, want string }{
		{"", "", ""}, {"", "read", ""}, {"", "none", "none"}, {"none", "read", "none"},
		{"none", "none", "none"}, {"read", "", "read"}, {"read", "read", "read"}, {"read", "none", "none"},
	} {
		got := Definition{Tools: tt.defined, Model: "small"}.Apply(config.Agent{Tools: tt.configured})
		if got.Tools != tt.want || got.Model != "small" {
			t.Errorf("%+v gives %+v", tt, got)
		}
	}
}

// A role is spelled as notes and the setup page have it.
func TestRoleOf(t *testing.T) {
	for name, want := range map[string]string{"vault-mind-editor": "Editor", "vault-mind-heavy-lifter": "Heavy-Lifter", "vault-mind-über": "Über", "vault-mind-a--b": "A--B"} {
		if got := RoleOf(name); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
}
