package main

import (
	"bytes"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"vaultdispatcher/cmd/wiki/command"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/config/definition"
	"vaultdispatcher/engine/config/place"
	"vaultdispatcher/engine/note"
)

// snippet is a fenced block of a page. Its language says what is done with it:
//
//   - console: the command lines are run, except those of unrun
//   - console PLACE: the command lines are for another system or need another program; those of
//     wiki are parsed
//   - yaml: a configuration, which is loaded; yaml PLACE: that of another program
//   - ini: settings of another program
//   - markdown: a note, in which each question is found; markdown role: the definition of a role
type snippet struct {
	page, language, place string
	lines                 []string
}

// languages are all that a page may use.
var languages = []string{"console", "yaml", "markdown", "vim", "elisp", "ini"}

// unrun are the commands that are only parsed here, with the reason.
var unrun = map[string]string{
	"wiki demo":        "takes seconds; demo.txtar runs it",
	"wiki run":         "does not end; most scripts run it",
	"wiki setup":       "starts an engine; setup.txtar runs it",
	"wiki service":     "changes this machine; service.txtar runs it, and its commands",
	"wiki open":        "opens a browser; open.txtar runs it",
	"wiki token":       "there is none before the first start; token.txtar runs it",
	"wiki config edit": "opens an editor; config.txtar runs it",
	"wiki update":      "may ask a server; its package has a test",
	"wiki doctor":      "judges this machine; doctor.txtar runs it",
}

// foreign are other programs that the pages call. They are not run.
var foreign = []string{"go", "curl", "sudo", "sh", "wiki-tray"}

// readPages returns the pages that tell how the program is, by their paths from the top. What
// the changelog tells may be gone.
func readPages(t *testing.T) map[string]string {
	t.Helper()
	pages := map[string]string{}
	for _, pattern := range []string{"*.md", "assets/docs/*.md", "assets/docs/evidence/*.md"} {
		files, err := filepath.Glob(filepath.Join("../..", filepath.FromSlash(pattern)))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if name := filepath.Base(file); name != "CHANGELOG.md" {
				pages[path.Join(path.Dir(pattern), name)] = strings.ReplaceAll(string(text), "\r\n", "\n")
			}
		}
	}
	return pages
}

// readSnippets returns the fenced blocks of all pages.
func readSnippets(t *testing.T) []snippet {
	t.Helper()
	var all []snippet
	pages := readPages(t)
	for _, page := range slices.Sorted(maps.Keys(pages)) {
		blocks := strings.Split("\n"+pages[page], "\n```")
		for i := 1; i < len(blocks); i += 2 {
			head, body, _ := strings.Cut(blocks[i], "\n")
			language, place, _ := strings.Cut(head, " ")
			all = append(all, snippet{page, language, place, strings.Split(body, "\n")})
			if !slices.Contains(languages, language) {
				t.Errorf("%s: a block is of %q, not one of %q", page, language, languages)
			}
		}
	}
	return all
}

// TestPagesFenceTheirBlocks: an indented block would be checked by nobody.
func TestPagesFenceTheirBlocks(t *testing.T) {
	for page, text := range readPages(t) {
		fenced, blank := false, true
		for line := range strings.Lines(text) {
			if strings.HasPrefix(line, "```") {
				fenced = !fenced
			}
			if !fenced && blank && strings.HasPrefix(line, "    ") && page != "ARCHITECTURE.md" {
				t.Errorf("%s: %q is an indented block; fence it and name its language", page, line)
			}
			blank = strings.TrimSpace(line) == ""
		}
	}
}

// TestPagesCommands runs every command line of the pages that can be run here, with a home of its
// own and without an engine: it succeeds, or says that no engine runs.
func TestPagesCommands(t *testing.T) {
	run := 0
	for _, s := range readSnippets(t) {
		if s.language != "console" {
			continue
		}
		home := ownHome(t)
		for _, line := range s.lines {
			for _, args := range commandsIn(t, s, strings.ReplaceAll(line, " ~/", " "+filepath.ToSlash(home)+"/")) {
				cmd := parseCommand(t, s.page, args)
				if cmd == nil || s.place != "" || isUnrun(cmd) {
					continue
				}
				var stdout, stderr bytes.Buffer
				if code := Main(t.Context(), args, &stdout, &stderr); code != 0 && code != command.ExitNotRunning {
					t.Errorf("%s: wiki %q ends with %d: %s", s.page, args, code, stderr.String())
				}
				run++
			}
		}
	}
	if run < 12 {
		t.Errorf("only %d command lines were run", run)
	}
}

// isUnrun reports whether a command, or the one it belongs to, is only parsed.
func isUnrun(cmd *cobra.Command) bool {
	return unrun[cmd.CommandPath()] != "" || cmd.HasParent() && isUnrun(cmd.Parent())
}

// ownHome gives the process a home with a vault and a configuration, at whose port nothing listens.
func ownHome(t *testing.T) string {
	t.Helper()
	home := t.TempDir()
	for _, name := range []string{"HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"} {
		t.Setenv(name, home)
	}
	for _, name := range []string{"CLAUDE_CONFIG_DIR", "CODEX_HOME", "PATH"} {
		t.Setenv(name, "")
	}
	t.Setenv("WIKI_HTTPPORT", "1") // tcpmux, which no system here has
	configured, err := place.ConfigFile()
	if err != nil {
		t.Fatal(err)
	}
	for file, text := range map[string]string{
		configured:                               "wiki:\n  vaults: [~/Notes]\n",
		filepath.Join(home, "Notes", "Today.md"): "# Today\n\nThe backups are made on Fridays.\n",
	} {
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return home
}

// substitution is what a shell runs inside a line.
var substitution = regexp.MustCompile(`\$\(([^)]*)\)`)

// commandsIn returns the arguments of each call of wiki in a line, and looks for what the line's other
// programs are given of this repository.
func commandsIn(t *testing.T, s snippet, line string) [][]string {
	t.Helper()
	var calls [][]string
	for _, m := range substitution.FindAllStringSubmatch(line, -1) {
		if words := shellWords(m[1]); words[0] == "wiki" {
			calls = append(calls, words[1:])
		}
	}
	words := shellWords(line)
	if at := slices.IndexFunc(words, isWiki); at >= 0 && (at == 0 || s.place != "") {
		return append(calls, words[at+1:])
	}
	if len(words) == 0 || s.place != "" {
		return calls
	}
	for _, word := range words {
		if file, ok := strings.CutPrefix(word, "./"); (ok && !strings.HasSuffix(word, "...")) || strings.HasPrefix(word, ".ci/") {
			if _, err := os.Stat(filepath.Join("../..", filepath.FromSlash(file))); err != nil {
				t.Errorf("%s: %q: %v", s.page, line, err)
			}
		}
	}
	if first := words[0]; !slices.Contains(foreign, first) && !strings.HasPrefix(first, ".ci/") && !strings.Contains(first, "=") {
		t.Errorf("%s: %q calls a program that no test knows; say in the fence where it is called", s.page, line)
	}
	return calls
}

// isWiki reports whether a word of a line is our program, wherever it is.
func isWiki(word string) bool {
	return slices.Contains([]string{"wiki", "wiki.exe"}, path.Base(word)) && !strings.HasPrefix(word, "./cmd") && !strings.Contains(word, "*")
}

// shellWord is one of a shell's: quoted parts and others, side by side.
var shellWord = regexp.MustCompile(`(?:'[^']*'|"[^"]*"|[^\s'"])+`)

// shellWords parts a line as a shell does, without its comment.
func shellWords(line string) []string {
	words := []string{}
	for _, w := range shellWord.FindAllString(line, -1) {
		if strings.HasPrefix(w, "#") {
			break
		}
		words = append(words, strings.NewReplacer("'", "", `"`, "").Replace(w))
		if inner := strings.Trim(w, "'"); strings.HasPrefix(w, "'") {
			words[len(words)-1] = inner // double quotes in single ones stay
		}
	}
	return words
}

// parseCommand finds the command of a line, and tells of what it does not take.
func parseCommand(t *testing.T, page string, args []string) *cobra.Command {
	t.Helper()
	cmd, rest, err := root(&command.App{}).Find(args)
	if err == nil {
		err = cmd.ParseFlags(rest)
	}
	if err == nil {
		err = cmd.ValidateArgs(cmd.Flags().Args())
	}
	if err != nil {
		t.Errorf("%s: wiki %q: %v", page, args, err)
		return nil
	}
	return cmd
}

// TestPagesConfigurations loads every configuration of the pages: no mistake, and no key without effect.
func TestPagesConfigurations(t *testing.T) {
	loaded := 0
	for _, s := range readSnippets(t) {
		if s.language != "yaml" || s.place != "" {
			continue
		}
		ownHome(t)
		file := filepath.Join(t.TempDir(), "config.yaml")
		if err := os.WriteFile(file, []byte(strings.Join(s.lines, "\n")+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		cfg, err := config.Load(file)
		if err != nil || len(cfg.Warnings) > 0 {
			t.Errorf("%s: %v, %q in\n%s", s.page, err, cfg.Warnings, strings.Join(s.lines, "\n"))
		}
		loaded++
	}
	if loaded < 8 {
		t.Errorf("only %d configurations were loaded", loaded)
	}
}

// question is the line of one in a block of a page.
var question = regexp.MustCompile(`^[-> ]*> ?@agent-`)

// TestPagesQuestions: what the pages tell people to write is taken up, as that question.
func TestPagesQuestions(t *testing.T) {
	found := 0
	for _, s := range readSnippets(t) {
		if s.language != "markdown" {
			continue
		}
		if s.place == "role" {
			if _, err := definition.Parse("vault-mind-critic.md", []byte(strings.Join(s.lines, "\n")+"\n")); err != nil {
				t.Errorf("%s: %v", s.page, err)
			}
			continue
		}
		wanted := 0
		for _, line := range s.lines {
			if question.MatchString(line) {
				wanted++
			}
		}
		doc := note.Parse([]byte(strings.Join(s.lines, "\n") + "\n"))
		if len(doc.Markers) != wanted || len(doc.Misses) > 0 {
			t.Errorf("%s: %d questions where %d were meant, %v in\n%s", s.page, len(doc.Markers), wanted, doc.Misses, strings.Join(s.lines, "\n"))
		}
		found += wanted
	}
	if found < 6 {
		t.Errorf("only %d questions were found", found)
	}
}
