//go:build realvaults

package broadcast

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"vaultdispatcher/engine/broadcast/kinds"
)

var (
	foldersFlag = flag.String("folders", "", "a folder of folders of notes")
	marksFlag   = flag.String("marks", "../../assets/docs/evidence/made.md", "the sheet that has a mark of each item")
	itemsFlag   = flag.String("items", "", "a file; the items are listed in it")
)

var (
	citation = regexp.MustCompile(` \((?:\[\[[^\]]*\]\](?:, )?)+\)`)
	markLine = regexp.MustCompile(`(?m)^(true|wrong|silly)((?: [0-9a-f]{8})+)$`)
)

// item is one thing that was made: a card, an event, a sentence.
type item struct{ folder, kind, text string }

// key is an item by what it says and where.
func (i item) key() string {
	sum := sha256.Sum256([]byte(i.folder + "\n" + i.kind + "\n" + i.text))
	return fmt.Sprintf("%x", sum[:4])
}

// TestMadeItems makes every kind of each folder, and holds each item against the marks that a reader gave: one without a
// mark fails, as does a wrong one, and more than one silly one in twenty.
func TestMadeItems(t *testing.T) {
	folders, err := os.ReadDir(*foldersFlag)
	if err != nil {
		t.Fatalf("name a folder with -folders: %v", err)
	}
	sheet, err := os.ReadFile(*marksFlag)
	if err != nil {
		t.Fatal(err)
	}
	marks, counts := make(map[string]string), make(map[string]int)
	for _, m := range markLine.FindAllStringSubmatch(string(sheet), -1) {
		for key := range strings.FieldsSeq(m[2]) {
			marks[key] = m[1]
		}
	}
	var list strings.Builder
	all, seen := 0, make(map[string]bool)
	for _, f := range folders {
		for _, i := range itemsOf(t, filepath.Join(*foldersFlag, f.Name())) {
			if seen[i.key()] {
				continue
			}
			seen[i.key()] = true
			mark := marks[i.key()]
			if all++; mark == "" {
				mark = "unread"
				t.Errorf("%s of %s has no mark: %s %s", i.kind, i.folder, i.key(), i.text)
			}
			counts[mark]++
			fmt.Fprintf(&list, "%s %s %s %s: %s\n", i.key(), mark, i.folder, i.kind, i.text)
		}
	}
	t.Logf("%d items of %d folders: %v", all, len(folders), counts)
	if counts["wrong"] > 0 || 20*counts["silly"] > all {
		t.Errorf("of %d items %d are wrong and %d silly", all, counts["wrong"], counts["silly"])
	}
	if *itemsFlag != "" {
		if err := os.WriteFile(*itemsFlag, []byte(list.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// itemsOf are the items of every kind that a folder has enough for.
func itemsOf(t *testing.T, from string) (list []item) {
	t.Helper()
	root := t.TempDir()
	name := filepath.Base(from)
	if err := os.CopyFS(filepath.Join(root, name), os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	c := openVault(t, root)
	for _, k := range kinds.All {
		answer := ask(t, c, root, "kind: "+k.Name+" of "+name+"/")
		if strings.HasPrefix(answer, "**Nothing was made.**") {
			continue
		}
		text := madeOf(t, root, answer)
		_, text, _ = strings.Cut(text[4:], "\n---\n")
		text, _, _ = strings.Cut(text, "\n## Sources\n")
		for _, part := range partsOf(k.Name, text) {
			if part = strings.Join(strings.Fields(citation.ReplaceAllString(part, "")), " "); part != "" {
				list = append(list, item{name, kindOf(k.Name), part})
			}
		}
	}
	return list
}

// kindOf names the kinds alike whose items are sentences.
func kindOf(kind string) string {
	switch kind {
	case "briefing", "slides", "audio":
		return "sentence"
	}
	return kind
}

// partsOf cuts what was made into its items.
func partsOf(kind, text string) []string {
	switch kind {
	case "faq", "quiz":
		return strings.Split("\n"+text, "\n## ")[1:]
	case "cards":
		var list []string
		for part := range strings.SplitSeq(text, "\n\n") {
			if strings.Contains(part, "\n?\n") {
				list = append(list, part)
			}
		}
		return list
	case "study-guide":
		text = strings.ReplaceAll(text, "\n> ", " ")
	case "mind-map":
		_, text, _ = strings.Cut(text, "## Where it stands")
	case "reading-list":
		text = strings.ReplaceAll(text, "\n   ", " ")
	}
	var list []string
	for line := range strings.SplitSeq(text, "\n") {
		if line = strings.TrimLeft(line, " \t-"); line != "" && line != "From your notes" && !strings.HasPrefix(line, "#") && !strings.HasPrefix(line, "---") && !strings.HasPrefix(line, "| ---") && !strings.HasPrefix(line, "| Note |") {
			list = append(list, line)
		}
	}
	return list
}
