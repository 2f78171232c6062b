package broadcast

import (
	"context"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/broadcast/kinds"
	"vaultdispatcher/engine/recall"
	"vaultdispatcher/engine/testdata/fewer"
)

// openVault returns a controller of a folder of notes, which is indexed.
func openVault(t testing.TB, root string) *Controller {
	t.Helper()
	var rels []string
	err := fs.WalkDir(os.DirFS(root), ".", func(rel string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(rel, ".md") && !strings.HasPrefix(rel, "Agent/") {
			rels = append(rels, rel)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	ix, err := recall.Open(t.Context(), filepath.Join(t.TempDir(), "index.db"), root, recall.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ix.Close() })
	if err := ix.Sync(t.Context(), rels, nil); err != nil {
		t.Fatal(err)
	}
	return New(Port{Index: func(string) (*recall.Index, error) { return ix, nil }, Folder: "Agent/Presentations"})
}

// ask returns the answer to one question in a note of the vault at root.
func ask(t testing.TB, c *Controller, root, question string) string {
	t.Helper()
	reply, err := c.Run(context.WithoutCancel(t.Context()), agent.Task{Root: root, Role: "Broadcaster", Note: "Asking.md", Requests: []agent.Request{{Line: 1, Instruction: question}}})
	if err != nil {
		t.Fatal(err)
	}
	return reply.Text
}

func copyVault(t testing.TB, from string) (root string) {
	t.Helper()
	root = t.TempDir()
	if err := os.CopyFS(root, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	return root
}

func readFile(t testing.TB, root, rel string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(rel)))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

const sampleVault = "../../assets/vault"

func TestBriefing(t *testing.T) {
	root := copyVault(t, sampleVault)
	c := openVault(t, root)
	answer := ask(t, c, root, "briefing of [[Dial in espresso]]")
	if !strings.HasPrefix(answer, "![[Agent/Presentations/dial-in-espresso-briefing]]\n\n**Briefing: Dial in espresso**") || !strings.Contains(answer, "\n\nSources: [[Dial in espresso]]") {
		t.Errorf("the answer is\n%s", answer)
	}
	text := readFile(t, root, "Agent/Presentations/dial-in-espresso-briefing.md")
	t.Log(answer + "\n=====\n" + text)
	for _, want := range []string{"---\nwiki: off\n", "wiki-kind: briefing\n", "wiki-asked: \"Asking.md\"\n", "# Briefing: Dial in espresso\n", "## In short\n", "## Sources\n\n1. "} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}

// defined is what cards are made of.
const defined = "- **Restic**: a program that saves folders\n- **Drum**: the part of a roaster that turns\n"

// A name in an answer is the name of the note.
func TestQuoteWords(t *testing.T) {
	for text, want := range map[string]string{"a_b_c plan": "a_b_c plan", "_a_ **b** [[c]] `d`": "a b c d", "x__y #z": "x__y z", "pages/a___b": "pages/a___b", "_": "", "__x": "x"} {
		if got := quoteWords(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// Cards come with a deck for Anki, which is the same one when it is made again on that day.
func TestCardsHaveDeck(t *testing.T) {
	root := copyVault(t, sampleVault)
	writeNote(t, root, "Projects/Terms.md", defined)
	c := openVault(t, root)
	answer := ask(t, c, root, "cards of Projects/")
	if !strings.Contains(answer, "[[Agent/Presentations/projects-cards.apkg|projects-cards.apkg]]") || !strings.HasPrefix(readFile(t, root, "Agent/Presentations/projects-cards.apkg"), "PK") {
		t.Errorf("the answer is\n%s", answer)
	}
	if ask(t, c, root, "cards of Projects/") != answer {
		t.Error("made again, the cards stand elsewhere")
	}
}

var cited = regexp.MustCompile(`(?m)^(?:[->] |\d+\. )*(.*?) \(\[\[([^\]#|]+)[^\]]*\|\d+\]\]\)$`)

// Every sentence of every kind stands in the note that it names, and no kind makes something empty.
func TestEveryKindIsVerbatim(t *testing.T) {
	t.Parallel()
	root := copyVault(t, sampleVault)
	asked := "# Questions\n\n## When do you open?\n\nAt seven. On Sundays at nine.\n\nQ: Do you have oat milk?\nA: Yes, at no extra cost.\n\n- May I bring a dog?\n\n## Where are you?\n\n- [ ] Find the map.\n"
	if err := os.WriteFile(filepath.Join(root, "People", "Questions.md"), []byte(asked), 0o600); err != nil {
		t.Fatal(err)
	}
	c := openVault(t, root)
	notes := make(map[string]string)
	fs.WalkDir(os.DirFS(root), ".", func(rel string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(rel, ".md") {
			notes[strings.TrimSuffix(path.Base(rel), ".md")] = lettersOf(readFile(t, root, rel))
		}
		return err
	})
	for _, k := range fewer.Cases(kinds.All) {
		checked, made := 0, 0
		for _, of := range []string{"[[Dial in espresso]]", "Meetings/", "Coffees/", "Projects/ and Reference/", "People/", "How-to/", "Daily/"} {
			answer := ask(t, c, root, "kind: "+k.Name+" of "+of)
			if strings.HasPrefix(answer, "**Nothing was made.**") {
				continue
			}
			made++
			name, _, ok := strings.Cut(strings.TrimPrefix(answer, "![["), "]]")
			if !ok || !strings.Contains(answer, "\n\nSources: ") {
				t.Fatalf("%s of %s:\n%s", k.Name, of, answer)
			}
			text := readFile(t, root, strings.TrimSuffix(name, ".canvas")+".md")
			for _, m := range cited.FindAllStringSubmatch(text, -1) {
				said := m[1]
				if _, after, ok := strings.Cut(said, "**: "); ok && strings.HasPrefix(said, "**") {
					said = after
				}
				if strings.HasPrefix(said, "**20") { // of a timeline
					said = said[strings.Index(said, "** ")+3:]
					if _, after, ok := strings.Cut(said, "]]: "); ok && strings.HasPrefix(said, "[[") {
						said = after
					}
				}
				if k.Name == "quiz" {
					said = said[strings.Index(said, ") ")+1:]
				}
				if checked++; !strings.Contains(notes[m[2]], lettersOf(said)) {
					t.Errorf("%s of %s: %q does not stand in %s", k.Name, of, said, m[2])
				}
			}
		}
		t.Logf("%s: %d made, %d sentences", k.Name, made, checked)
		if made == 0 && !k.NeedsAgent() {
			t.Errorf("the sample vault has nothing for the kind %s", k.Name)
		}
	}
}

// lettersOf is a text without all that is neither letter nor digit.
func lettersOf(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, text)
}

// What is private is no source, not even by its name, unless what is made is as private: it would
// be told to agents that leave the machine.
func TestPrivateIsNoSource(t *testing.T) {
	root := copyVault(t, sampleVault)
	c := openVault(t, root)
	c.port.Private = func(rel string) bool { return strings.HasPrefix(rel, "Projects/") }
	if got := ask(t, c, root, "briefing of [[Backups]]"); !strings.Contains(got, "Nothing was made") || !strings.Contains(got, "it is private") {
		t.Errorf("of a private note:\n%s", got)
	}
	if got := ask(t, c, root, "briefing of Projects/"); !strings.Contains(got, "Nothing was made") || strings.Contains(got, "Backups") {
		t.Errorf("of a folder of private notes:\n%s", got)
	}
	c.port.Private = func(rel string) bool {
		return strings.HasPrefix(rel, "Projects/") || strings.HasPrefix(rel, c.port.Folder+"/")
	}
	if got := ask(t, c, root, "briefing of [[Backups]]"); !strings.Contains(got, "backups-briefing") {
		t.Errorf("into a private folder:\n%s", got)
	}
}
