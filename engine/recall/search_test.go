package recall

import (
	"context"
	"math/rand/v2"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"vaultdispatcher/engine/recall/page"
	"vaultdispatcher/engine/testdata/testseed"
)

func vault(t *testing.T, notes map[string]string) (*Index, string) {
	t.Helper()
	dir := t.TempDir()
	for rel, text := range notes {
		writeNote(t, dir, rel, text)
	}
	return open(t, dir), dir
}

func TestRanking(t *testing.T) {
	filler := strings.Repeat("Restic is named here, and restic again, restic. ", 5)
	ix, dir := vault(t, map[string]string{
		"Restic.md":     "A program for backups.\n",
		"Talk.md":       filler,
		"Aliased.md":    "---\naliases: [Borg Backup]\n---\nSomething else entirely.\n",
		"Borg.md":       "borg backup borg backup borg backup\n",
		"Many.md":       "# A\nheron one\n# B\nheron two\n# C\nheron three\n",
		"Meeting.md":    "# Budget\n## Decision\nThe budget is 900 euros.\n# Other\nThe budget was discussed for hours.\n",
		"old tie.md":    "the same egret\n",
		"new tie.md":    "the same egret.\n",
		"Copy/Copy.md":  "an identical ibis line\n",
		"Copy/Copy2.md": "an identical ibis line\n",
	})
	past := time.Now().Add(-1000 * time.Hour)
	if err := os.Chtimes(filepath.Join(dir, "old tie.md"), past, past); err != nil {
		t.Fatal(err)
	}
	change(t, ix, "old tie.md")
	for query, want := range map[string]string{
		"what is restic?":                        "Restic.md Talk.md",
		"borg backup":                            "Aliased.md Borg.md Restic.md",
		"heron":                                  "Many.md Many.md",
		"egret":                                  "new tie.md old tie.md",
		"ibis":                                   "Copy/Copy.md",
		"what did we decide about the budget":    "Meeting.md Meeting.md",
		"nothing of the kind occurs qwxyz":       "",
		"the":                                    "",
		"":                                       "",
		"BUDGETS decided":                        "Meeting.md Meeting.md",
		"Borg backup " + strings.Repeat("x ", 9): "Borg.md Restic.md Aliased.md",
	} {
		got := notesOf(search(t, ix, query))
		if query == "ibis" {
			got = strings.Replace(got, "Copy2", "Copy", 1)
		}
		if strings.HasPrefix(query, "Borg backup x") {
			got = strings.Join(strings.Fields(got)[:1], " ")
			want = strings.Fields(want)[0]
		}
		if got != want {
			t.Errorf("%q: %q, want %q", query, got, want)
		}
	}
	if p := search(t, ix, "what did we decide about the budget")[0]; p.Heading != "Budget › Decision" || p.Matched != 2 || p.Terms != 2 {
		t.Errorf("a question about a decision found first: %+v", p)
	}
}

func TestOtherScripts(t *testing.T) {
	ix, _ := vault(t, map[string]string{
		"ja.md": "# 設定\nバックアップは毎晩東京のサーバーに保存します。\n",
		"zh.md": "# 会议\n我们决定每天备份数据库到北京。\n",
		"de.md": "# Rückblick\nDie Sicherung läuft über Nacht auf der Straße.\n",
		"ko.md": "백업은 매일 밤 실행됩니다\n",
		"th.md": "สำรองข้อมูลทุกคืน\n",
	})
	for query, want := range map[string]string{
		"バックアップ": "ja.md", "東京": "ja.md", "晩": "ja.md", "数据库备份": "zh.md", "京": "ja.md zh.md",
		"lauft": "de.md", "Ruckblick STRASSE": "de.md", "Straße": "de.md", "백업": "ko.md", "ข้อมูล": "th.md",
	} {
		got := strings.Fields(notesOf(search(t, ix, query)))
		slices.Sort(got)
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %q, want %q", query, got, want)
		}
	}
}

func TestExcludedLinesAreNotQuoted(t *testing.T) {
	ix, _ := vault(t, map[string]string{"a.md": "> [!q] which heron\n> @agent-Miner which heron?\n> heron talk\n\nThe grey heron.\n"})
	found, err := ix.Search(context.Background(), "heron", SearchOptions{Exclude: Lines{Note: "a.md", Start: 2, End: 2}})
	if err != nil || len(found) != 1 || found[0].Text != "The grey heron." || found[0].Line != 5 {
		t.Errorf("%+v %v", found, err)
	}
}

// A note that changed after it was indexed is quoted as it is, or not at all.
func TestQuotesAreFresh(t *testing.T) {
	ix, dir := vault(t, map[string]string{
		"a.md": "# One\nThe heron stands in the pond.\n", "b.md": "A heron, far away and less interesting than others.\n", "gone.md": "heron heron\n"})
	writeNote(t, dir, "a.md", "# New\nNothing.\n\n# Two\nA heron flew off.\n")
	os.Remove(filepath.Join(dir, "gone.md"))
	found := search(t, ix, "heron")
	if len(found) != 2 {
		t.Fatalf("found %+v", found)
	}
	for _, p := range found {
		if p.Note == "a.md" && (p.Text != "A heron flew off." || p.Line != 5 || p.Link != "[[a#Two|a › Two]]") {
			t.Errorf("%+v", p)
		}
	}
	writeNote(t, dir, "a.md", "no bird\n")
	if got := notesOf(search(t, ix, "heron")); got != "b.md" {
		t.Errorf("found %q", got)
	}
}

func unknownWords(ctx context.Context, ix *Index, text string) ([]string, error) {
	q, err := ix.Weigh(ctx, text, 0)
	return q.UnknownWords(), err
}

// A compound that no note has is found by its two words, where the notes have both.
func TestCompounds(t *testing.T) {
	ix, _ := vault(t, map[string]string{"a.md": "Die Abrechnung der Kosten.\n", "b.md": "Ein Reiher am See.\n", "c.md": "Der Bildungsplan.\n"})
	for query, want := range map[string]string{"Kostenabrechnung": "a.md", "Bildungsabrechnung": "", "Seereiher": ""} {
		found := search(t, ix, query)
		if len(found) > 0 && found[0].Note != want || len(found) == 0 && want != "" {
			t.Errorf("%s finds %+v, want %q", query, found, want)
		}
	}
	if words, err := unknownWords(t.Context(), ix, "Kostenabrechnung Bildungsabrechnung"); err != nil || strings.Join(words, " ") != "Bildungsabrechnung" {
		t.Errorf("unknown are %q: %v", words, err)
	}
}

func TestRarestAndUnknown(t *testing.T) {
	ix, _ := vault(t, map[string]string{"a.md": "common common heron\n", "b.md": "common pond\n", "c.md": "common reed\n"})
	found, err := ix.Search(context.Background(), "common heron nowhere", SearchOptions{Rarest: 1})
	if err != nil || notesOf(found) != "a.md" || found[0].Terms != 1 {
		t.Errorf("%+v %v", found, err)
	}
	missing, err := unknownWords(context.Background(), ix, "Is the Heron or the Flamingo common in 東京?")
	if err != nil || !slices.Equal(missing, []string{"Flamingo", "東京"}) {
		t.Errorf("%q %v", missing, err)
	}
}

func TestQuoteShapes(t *testing.T) {
	long := "Opening words of a long paragraph that says little. " + strings.Repeat("More of it follows here and there. ", 20) +
		"The heron eats [[Fish and other food|fish]] every day. " + strings.Repeat("And so it goes on and on. ", 20)
	for name, c := range map[string]struct{ note, query, want string }{
		"item with its lead-in":  {"Birds we saw:\n- a heron\n- an otter\n", "heron", "Birds we saw:\n\n- a heron"},
		"item with children":     {"- heron\n\t- grey\n\t- tall\n- otter\n", "heron", "- heron\n\t- grey\n\t- tall"},
		"nested item":            {"- birds\n    - heron\n", "heron", "- birds\n    - heron"},
		"row with its header":    {"| bird | legs |\n|---|---|\n| otter | 4 |\n| heron | 2 |\n", "heron", "| bird | legs |\n|---|---|\n| heron | 2 |"},
		"code":                   {"```sh\nfind heron\n```\n", "heron", "```sh\nfind heron\n```"},
		"code never closed":      {"~~~\nfind heron\n", "heron", "~~~\nfind heron\n~~~"},
		"long code":              {"```\nfind heron\n" + strings.Repeat("another line of code\n", 60) + "```\n", "heron", "```\nfind heron\n" + strings.Repeat("another line of code\n", 17) + "…\n```"},
		"code in two pieces":     {"- ```js\n  heron()\n<!-- agent-response -->\nx\n<!-- /agent-response -->\nmore\n  ```\n```\nthe otter\n```\n", "heron otter", "- ```js\n  heron()\n```\n\n…\n\n```\nthe otter\n```"},
		"callout":                {"> [!tip]- Birds\n> the heron\n> > inner\n", "heron", "Birds\nthe heron\ninner"},
		"embed, task, block id":  {"- [ ] see ![[heron.png]] %%secret%% <!-- c --> now ^b1\n- [x] done\n", "heron", "- ☐ see [[heron.png]]   now"},
		"embeds the other way":   {"see ![the heron](Heron.md) and ![](b.png)\n", "heron", "see [the heron](Heron.md) and […](b.png)"},
		"comment of many lines":  {"A heron. %% not\nfor the otter\n\nnor the heron %% here\nAn otter.\n", "heron otter", "A heron.\n\nAn otter."},
		"comment in markup":      {"A heron. <!-- not\nfor the otter -->\nAn otter.\n", "heron otter", "A heron.\n\nAn otter."},
		"comment after a sign":   {"## 100%%\nA heron.\n%%\nan otter\n%%\nA reed.\n", "heron otter reed", "A reed."},
		"comments after a sign":  {"The heron at 100%%\n> %%\n> an otter\n> %%\nReed here.\n%%\nan otter\n%%\nA heron.\n", "otter heron", "The heron at 100"},
		"a sign that ends alone": {"A heron. %% not\nfor the otter\n%%\nA reed.\n", "heron reed", "A heron.\n\nA reed."},
		"comment after comment":  {"A heron. <!-- not\nan otter --> nor <!-- an\notter --> here\n\nA reed. %% not\nan otter %% nor <!-- an\notter -->\n\nA reed.\n", "heron otter", "A heron."},
		"a sign of its own":      {"One heron in 100%%\nis grey.\n", "heron", "One heron in 100\nis grey."},
		"two places":             {"The heron.\n\nNothing.\n\nThe otter.\n", "heron otter", "The heron.\n\n…\n\nThe otter."},
		"property":               {"---\nbird: heron\nrating: 7\n---\ntext\n", "heron rating", "Bird: heron\nRating: 7"},
	} {
		ix, _ := vault(t, map[string]string{"n.md": c.note})
		found := search(t, ix, c.query)
		if len(found) == 0 || found[0].Text != c.want {
			t.Errorf("%s: %+v, want\n%s", name, found, c.want)
		}
	}
	ix, _ := vault(t, map[string]string{"n.md": long})
	text := search(t, ix, "heron fish")[0].Text
	if !strings.HasPrefix(text, "… ") || !strings.HasSuffix(text, " …") || !strings.Contains(text, "The heron eats [[Fish and other food|fish]]") ||
		utf8.RuneCountInString(text) > page.QuoteRunes {
		t.Errorf("long paragraph cut to %q", text)
	}
}

// A vault of hostile names and texts: every link resolves, every quote stands in
// its note, and nothing that asks or answered is ever quoted.
func TestGeneratedVault(t *testing.T) {
	seed := testseed.Take(t)
	r := rand.New(rand.NewPCG(seed, 1))
	dir := t.TempDir()
	notes := make(map[string]string)
	for range 120 {
		rel := pick(r, "", "a/", "a/b/", "Ünï códe/", "b (c)/") + pick(r, "Note", "note", "Plan #3", "x|y", "q[1]", "100%% sure", "日記", "a.b", "Caret^", "un'usual & odd", " lead") + pick(r, "", " 2") + ".md"
		notes[rel] = hostileNote(r)
		writeNote(t, dir, rel, notes[rel])
	}
	ix := open(t, dir)
	seen := 0
	for _, query := range []string{"heron", "otter pond", "why did we decide on heron and reed", "secret zebra", "日記", "plan note", "fish and heron and otter and pond", "Deep heading"} {
		found, err := ix.Search(context.Background(), query, SearchOptions{Limit: 30})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range found {
			seen++
			if p.Heading != "" || p.Link != p.NoteLink {
				checkLink(t, notes, p, p.Link)
			}
			checkLink(t, notes, p, p.NoteLink)
			checkQuote(t, notes[p.Note], p)
		}
	}
	if seen < 60 {
		t.Errorf("only %d passages were looked at", seen)
	}
}

func pick(r *rand.Rand, list ...string) string { return list[r.IntN(len(list))] }

func hostileNote(r *rand.Rand) string {
	var b strings.Builder
	if r.IntN(4) == 0 {
		b.WriteString(pick(r, "---\ntitle: A [[strange]] | title\ntags: [heron]\n---\n", "---\nbroken: [\n", "---\nx: heron\n---\n", "\ufeff---\nalias: otter\n---\n"))
	}
	for range 3 + r.IntN(12) {
		b.WriteString(pick(r,
			"# Deep heading\n", "## Plan: the #1 [[Note|linked]] | `code`\n", "### a ^ b %% c ::\n", "## ###\n", "#### [web](https://x.y/z) ##\n", "Under\n=====\n", "## Deep heading\n",
			"The heron walks along the pond.\n", "An otter, and the fish it eats; we decided on reed.\n\n", "- heron\n  - otter ![[fish.png]]\n    - deep pond\n", "1. [ ] reed\n2. [x] heron\n",
			"> quoted heron\n> > deeper otter\n", "> [!note] pond\n> @agent-Miner:t1 secret zebra heron\n", "> @agent-Miner secret zebra\n", "- > @agent-X secret zebra otter\n",
			"\n<!-- agent-response -->\nsecret zebra heron\n<!-- /agent-response -->\n\n", "> <!-- agent-response -->\n> secret zebra heron\n> <!-- /agent-response -->\n",
			"```\ncode with heron\n# no heading\n```\n", "~~~~\n@agent-Miner secret zebra\nheron\n", "| a | heron |\n|---|---|\n| otter | pond |\n", "%% hidden heron %%\n", "%%\nmore hidden otter\n%%\n",
			"$$\nheron^2\n$$\n", "text [[half and heron\n", "<!-- open comment heron\n", "-->\n", "\r\n", "heron \xff\xfe otter\n", "日記を書く heron ^blk-1\n", "\tindented otter\n\n", strings.Repeat("the fish and the heron went on. ", 40)+"\n",
			"- ```js\n  heron()\n", "  ```\n", "***\n", "title:: otter\n"))
	}
	return b.String()
}

var (
	wikilink = regexp.MustCompile(`^\[\[([^\[\]|#^]+)((?:#[^\[\]|#^]+)*)(?:\|([^\[\]|]+))?\]\]$`)
	mdlink   = regexp.MustCompile(`^\[[^\[\]]+\]\(([^()\s#]+)(?:#([^()\s]*))?\)$`)
)

func checkLink(t *testing.T, notes map[string]string, p Passage, link string) {
	t.Helper()
	var target string
	var heads []string
	if m := wikilink.FindStringSubmatch(link); m != nil {
		target = resolve(notes, m[1])
		heads = strings.Split(strings.TrimPrefix(m[2], "#"), "#")
	} else if m := mdlink.FindStringSubmatch(link); m != nil {
		target, _ = url.PathUnescape(m[1])
		frag, _ := url.PathUnescape(m[2])
		heads = strings.Split(frag, "#")
	} else {
		t.Errorf("%s: no link: %s", p.Note, link)
		return
	}
	if target != p.Note {
		t.Errorf("%s: %s leads to %q", p.Note, link, target)
	}
	if heads[0] != "" && !hasHeadings(notes[p.Note], heads) {
		t.Errorf("%s: %s leads to no heading of\n%s", p.Note, link, notes[p.Note])
	}
}

// resolve finds the note a wikilink means, "" where more than one could be.
func resolve(notes map[string]string, target string) string {
	if _, ok := notes[target+".md"]; ok && (strings.Contains(target, "/") || count(notes, target) != 1) {
		return target + ".md"
	}
	if count(notes, target) == 1 {
		for rel := range notes {
			if strings.EqualFold(path.Base(rel), target+".md") {
				return rel
			}
		}
	}
	return ""
}

func count(notes map[string]string, base string) (n int) {
	for rel := range notes {
		if strings.EqualFold(path.Base(rel), base+".md") {
			n++
		}
	}
	return n
}

// hasHeadings reports whether the last of heads is a heading of text and the
// others stand above it, punctuation aside, as note apps compare them.
func hasHeadings(text string, heads []string) bool {
	next := 0
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if next < len(heads) && letters(line) == letters(heads[next]) {
			next++
		}
	}
	return next == len(heads)
}

func letters(s string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r)
	}), " ")
}

// outsideCode returns the lines of a quote that are in no code and no formula, and
// whether one of these is left open.
func outsideCode(quote string) (prose string, open bool) {
	var out strings.Builder
	fence := ""
	for line := range strings.Lines(quote) {
		body := listMark.ReplaceAllString(strings.TrimSpace(line), "")
		switch mark := fenceMark.FindStringSubmatch(body); {
		case fence == "" && mark != nil:
			fence = mark[1] + mark[2] + mark[3]
		case fence == "":
			out.WriteString(line)
		case strings.HasPrefix(body, fence) && strings.Trim(body, fence[:1]) == "":
			fence = ""
		}
	}
	return out.String(), fence != ""
}

var (
	fenceMark = regexp.MustCompile("^(?:(```+)[^`]*|(~~~+).*|(\\$\\$)(?:[^$]|\\$[^$])*)$")
	listMark  = regexp.MustCompile("^(?:(?:[-*+]|[0-9]+[.)])[ \t]+)+")
)

func checkQuote(t *testing.T, src string, p Passage) {
	t.Helper()
	if strings.Contains(p.Text, "zebra") || strings.Contains(p.Text, "@agent-") || strings.Contains(p.Text, "agent-response") {
		t.Errorf("%s: forbidden text in quote %q", p.Note, p.Text)
	}
	prose, open := outsideCode(p.Text)
	if strings.Contains(prose, "hidden") || strings.Contains(prose, "<!--") || strings.Contains(prose, "![[") {
		t.Errorf("%s: a comment or an embed in quote %q", p.Note, p.Text)
	}
	if n := utf8.RuneCountInString(p.Text); n > page.QuoteRunes+20 {
		t.Errorf("%s: quote of %d characters", p.Note, n)
	}
	if open {
		t.Errorf("%s: quote leaves code open: %q", p.Note, p.Text)
	}
	have := squash(src)
	for line := range strings.Lines(p.Text) {
		line = strings.Trim(strings.TrimSpace(line), "…")
		if want := squash(line); !fenceMark.MatchString(strings.TrimSpace(line)) && !strings.Contains(have, want) {
			t.Errorf("%s: %q is not in the note\n%s", p.Note, line, src)
		}
	}
}

// squash leaves of a text what a quote of it must keep.
func squash(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	s = regexp.MustCompile(`<!--.*?(-->|\n|$)|%%.*?(%%|\n|$)`).ReplaceAllString(s, "")
	s = regexp.MustCompile(`(?m)[ \t]\^[A-Za-z0-9-]+\s*$`).ReplaceAllString(s, "")
	s = strings.NewReplacer("![[", "[[", "[ ] ", "☐", "[x] ", "☑", "☐ ", "☐", "☑ ", "☑", ">", "", "[!note]", "").Replace(s)
	return strings.Join(strings.Fields(s), "")
}
