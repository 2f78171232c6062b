package proof

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/config"
)

const (
	plainText = "It would stand on the roof and turn slowly, all night.\nEvery cat would know it.\n"
	aged      = time.Minute // from one note to the next newer one
)

// TestFindSubjects: a proof is about the newest note that anybody may read, of those whose paragraph is short and about its name.
func TestFindSubjects(t *testing.T) {
	vault := t.TempDir()
	cfg := config.Default()
	cfg.Exclude, cfg.Private, cfg.Index.Exclude = []string{"Templates/**"}, []string{"Private/**"}, []string{"Unindexed/**"}
	if got, why := findSubjects(cfg, vault); len(got) > 0 || why != api.NoNotes {
		t.Errorf("an empty vault: %+v %s", got, why)
	}
	base := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for i, n := range []struct{ name, text string }{ // the newest last
		{"Old.md", "# Of dogs and a lighthouse\n\n" + plainText},
		{"Deep/Cats.md", "---\ntags: [x]\n---\n# Notes\n\n- a list\n\n## A lighthouse for cats ##\n\n" + plainText},
		{"Private/Diary.md", "# Secret lighthouse\n\n" + plainText},
		{"Templates/T.md", "# Template lighthouse\n\n" + plainText},
		{"Unindexed/U.md", "# Unindexed lighthouse\n\n" + plainText},
		{"Clippings/C.md", "# Clipped lighthouse\n\n" + plainText},
		{"Web.md", "---\nsource: https://example.com\n---\n# Foreign lighthouse\n\n" + plainText},
		{"Off.md", "---\nwiki: off\n---\n# Silent lighthouse\n\n" + plainText},
		{"Asks.md", "> @agent-Editor what?\n\n<!-- agent-response -->\n# An answered lighthouse\n\n" + plainText + "<!-- /agent-response -->\n"},
		{"2026.md", "```\n# Coded lighthouse\n\n" + plainText + "```\n"},
		{"2026-11-22.md", "# 2026-11-22\n\n" + plainText},
		{"2026-11-23.md", "# The [[linked]] lighthouse\n\n" + plainText},
		{"Short.md", "# Short lighthouse\n\nToo short.\n"},
		{"Note.txt", "# Text lighthouse\n\n" + plainText},
		{".trash/Gone.md", "# Gone lighthouse\n\n" + plainText},
		{"Novel.md", "# A fine story\n\n" + strings.Repeat("It went on without an end, and nobody stopped it. ", 20)},
	} {
		path := filepath.Join(vault, filepath.FromSlash(n.name))
		put(t, path, n.text)
		at := base.Add(time.Duration(i) * aged)
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	got, _ := findSubjects(cfg, vault)
	if len(got) != 3 || got[2].rel != "Novel.md" || got[1].rel != "Old.md" || got[0] != (subject{"Deep/Cats.md", "A lighthouse for cats", plainText[:len(plainText)-1]}) {
		t.Fatalf("%+v", got)
	}
	for text, title := range map[string]string{
		plainText:                  "The Machine Stops",
		"- " + plainText:           "The Machine Stops",
		"# Quotes\n\n" + plainText: "The Machine Stops",
		"# Quotes of machines\n- a\n\n" + plainText:    "Quotes of machines",
		"# Quotes of machines\n# Else\n" + plainText:   "The Machine Stops",
		"# Quotes of machines\n\n```\n" + plainText:    "",
		"# Quotes of machines\n\n%% " + plainText[:55]: "",
	} {
		if s, ok := readSubject("x/The Machine Stops.md", text); s.title != title || ok != (title != "") {
			t.Errorf("%q is about %q", text, s.title)
		}
	}
	copied := filepath.Join(t.TempDir(), "v")
	if err := got[0].copyTo(copied); err != nil {
		t.Fatal(err)
	}
	if text := read(t, filepath.Join(copied, "Deep", "Cats.md")); text != "# A lighthouse for cats\n\n"+plainText {
		t.Errorf("%q", text)
	}
}

// TestNoSubject: where there is nothing to ask about, why is told as it is.
func TestNoSubject(t *testing.T) {
	const plain = "# A lighthouse for cats\n\n" + plainText
	for _, tt := range []struct {
		text string
		tune func(*config.Config)
		want string
	}{
		{plain, func(c *config.Config) { c.Private = []string{"**"} }, api.NoPublic},
		{plain, func(c *config.Config) { c.Exclude = []string{"**"} }, api.NoPublic},
		{plain, func(c *config.Config) { c.Untrusted = []string{"*.md"} }, api.NoPublic},
		{"---\nwiki: off\n---\n" + plain, func(*config.Config) {}, api.NoPublic},
		{"---\nsource: https://example.com\n---\n" + plain, func(*config.Config) {}, api.NoPublic},
		{"# A lighthouse\n\nShort.\n", func(*config.Config) {}, api.NoSubject},
		{plain, func(*config.Config) {}, ""},
	} {
		vault, cfg := t.TempDir(), config.Default()
		tt.tune(&cfg)
		put(t, filepath.Join(vault, "a.md"), tt.text)
		if got, why := findSubjects(cfg, vault); why != tt.want || (len(got) > 0) != (why == "") {
			t.Errorf("%q: %+v, %q, want %q", tt.text, got, why, tt.want)
		}
	}
}

func TestLinesOfAProof(t *testing.T) {
	long := strings.Repeat("many words ", 10)
	for answer, want := range map[string]int{
		"**From your notes**\n\n> one\n> two\n>\n> — [[Note]]\n\nAlso in: [[B]]": 2,
		"> " + long + "\n> " + long: 4,
		"a model\nwrote this":       2,
	} {
		if n := countLines(quoteOf(answer)); n != want {
			t.Errorf("%q has %d lines, want %d", answer, n, want)
		}
	}
}
