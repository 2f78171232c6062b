//go:build recalleval

package recallbench

import (
	"slices"
	"strings"
	"testing"
)

// TestSmallVaults asks the Miner the questions of Perl's and Python's FAQ, each in a vault of some twenty of the answers. Such a vault
// lacks many words of a question that it answers, so this counts how often the Miner refuses what it could have quoted.
func TestSmallVaults(t *testing.T) {
	const vaults = 24
	all := &corpus{notes: make(map[string]string)}
	questions := all.faq(t)
	first, none := 0, 0
	for v := range vaults {
		small, asked := &corpus{notes: make(map[string]string)}, []question(nil)
		for i, q := range questions {
			if i%vaults != v {
				continue
			}
			asked = append(asked, q)
			for rel := range q.want {
				small.add(rel, all.notes[rel])
			}
		}
		root := t.TempDir()
		small.write(t, root)
		ask := minerOf(t, root, small)
		for _, q := range asked {
			notes := quotedNotes(ask(q.text))
			none += one(len(notes) == 0)
			for rel := range q.want {
				first += one(slices.ContainsFunc(notes[:min(1, len(notes))], func(n string) bool { return strings.HasSuffix("/"+rel, "/"+n) }))
			}
		}
	}
	t.Logf("%d questions: right note first %d, no quote %d", len(questions), first, none)
	if 100*first < 76*len(questions) || 100*none > 13*len(questions) {
		t.Errorf("of %d questions %d have the right note first, %d no quote", len(questions), first, none)
	}
}
