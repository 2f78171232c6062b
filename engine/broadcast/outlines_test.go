package broadcast

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"vaultdispatcher/engine/broadcast/material"
)

// outlines are notes as Logseq writes them, where every line is an item.
var outlines = map[string]string{
	"Queries.md": "- NOTE: You may need to run the command again for this fix.\n- TODO Document this feature some other day.\n- **For online assets**: Copy the address of the picture first.\n" +
		"- **Cloze**: a text with a part left out for learning\n- **Graph**: all pages and blocks of a folder together\n- **Cards**: 🎉 🎉 `#Academic`\n" +
		"- #### remove-block-children?\n\t- When this is true, blocks below others are left out.\n" +
		"- **How to write queries?**\n\t- 1. Type the command and choose what is asked for. ![a](../assets/a.png){:height 224, :width 441}\n" +
		"- What does an operator do?\n\t- **Query Operators**\n\t  These three operators can be put around any filter. The guide has [the old ones](((634fb9a8-cab9-441e-b476-41fa828010ea))) as well.\n\t  ```clojure\n\t  :file/name-format :never quoted as a sentence here\n\t  ```\n" +
		"- ```calc\n  1 + 2 # this line of code is none of the sentences\n  ```\n- LATER [#A] Water all the plants of the house.\n" +
		"- **Where are the settings stored?**\n\t- #+BEGIN_WARNING\n\t  Do not change any of the settings by hand.\n\t  #+END_WARNING\n" +
		"- How to link to pages in this program\n\t- Type the name of the page between two brackets.\n" +
		"- #+BEGIN_QUERY\n  {:title \"Nor is this one of them\"\n   :query (and all of this is code to no reader)}\n  #+END_QUERY\n" +
		"- 2. All that is open\n  #+BEGIN_SRC clojure\n\n  #+BEGIN_QUERY\n  {:title \"Nor is this one\"\n   :query [:find (pull ?b [*])\n     :where (such a line is never quoted ?b #{\"TODO\"})]}\n  #+END_QUERY\n  #+END_SRC\n",
	"Changes.md": "## Beta 0.10 [[Dec 1st, 2025]]\nid:: 692d8283\nDownload link for all systems: <https://example.org/0.10>\n\t- Fix: videos were not shown in the page\n" +
		"- [[Sep 29th, 2021]]\n  id:: 3c12d46c\n  **Beta 0.4.2**\n  A shortcut inserts the time of a video.\n- [[Oct 1st, 2021]]\n  Desktop app and phone app download link: https://example.org/0.4.3\n- 2021-10-02: the second try went better than the first\n",
}

// Notes of an outliner read as well as others: its boxes, properties, code and headlines are no sentences, and
// what begins with a label is no term.
func TestOutlines(t *testing.T) {
	root := t.TempDir()
	for name, text := range outlines {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c := openVault(t, root)
	for _, want := range []struct{ of, file, has, hasNot string }{
		{"glossary of [[Queries]]", "queries-glossary", "- **Cloze**: a text with;- **Graph**: all pages", "**NOTE**;**For online;**Cards**"},
		{"faq of [[Queries]]", "queries-faq", "## How to write queries?\n\nType the command and choose what is asked for. (;## What does an operator do?", "## remove-block;height 224;settings"},
		{"briefing of [[Queries]]", "queries-briefing", "These three operators can be put around any filter. (;The guide has the old ones as well.;Document this feature some other day. (;Water all the plants of the house. (", "TODO;none of the sentences;[#A];settings by hand;never quoted;Nor is this;pull;is code to no reader;How to link to pages;634fb9a8;Query Operators"},
		{"timeline of [[Changes]]", "changes-timeline", "- **2021-09-29** A shortcut inserts;- **2021-10-02** the second try;- **2025-12-01** Fix: videos", "2021-10-02: the;example.org"},
	} {
		answer := ask(t, c, root, want.of)
		if strings.HasPrefix(answer, "**Nothing") {
			t.Errorf("%s:\n%s", want.of, answer)
			continue
		}
		text := readFile(t, root, "Agent/Presentations/"+want.file+".md")
		for part := range strings.SplitSeq(want.has, ";") {
			if !strings.Contains(text, part) {
				t.Errorf("%s: %q is not in\n%s", want.of, part, text)
			}
		}
		for part := range strings.SplitSeq(want.hasNot, ";") {
			if strings.Contains(text, part) {
				t.Errorf("%s: %q is in\n%s", want.of, part, text)
			}
		}
	}
}

// The front matter names what was left out up to a length that a person still reads.
func TestLeftOutIsShort(t *testing.T) {
	left := []material.Left{{Rel: "Secret.md", Reason: "it is excluded"}}
	for i := range 40 {
		left = append(left, material.Left{Rel: fmt.Sprintf("%d.md", i), Reason: "too many"})
	}
	lines := listLeft(left)
	if len(lines) != 2+mostNamed || !slices.Contains(lines, "Secret.md: it is excluded") || lines[len(lines)-1] != "28 more: too many" {
		t.Errorf("left out are %q", lines)
	}
}
