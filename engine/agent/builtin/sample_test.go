package builtin

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/recall"
)

// What a new user asks first is answered by the right note of the sample vault
// first. The first three are the questions of the demo.
func TestSampleVault(t *testing.T) {
	m, root := sample(t)
	for question, want := range map[string]string{
		"what did we decide about backups?":                  "[[2026-03-12 Backups and the shop computer#Decision on backups|",
		"at what temperature do we drop the Lantern Blend?":  "[[Lantern Blend#Roast|",
		"how long does restoring the whole server take?":     "[[Restore a backup#The whole server|",
		"which roaster did we agree on, and why?":            "[[2026-05-07 Which roaster#Decision|",
		"what did we agree about compostable bags?":          "[[Compostable bags#Conclusion|",
		"what did we decide about the summer menu?":          "[[2026-05-21 Summer menu#Decisions|",
		"what did we decide about the website?":              "[[Shop website#Decisions|",
		"what is the dose for the house espresso?":           "[[Dial in espresso#Target|",
		"when are we open on Sundays?":                       "[[Opening hours#Opening hours|",
		"who is Marek?":                                      "[[Marek#Marek|",
		"who keeps the books?":                               "[[Tomas#Tomas|",
		"how do I clean the roaster?":                        "[[Clean the roaster#",
		"how do I restore a backup?":                         "[[Restore a backup#",
		"when is the harbour market?":                        "[[Opening hours#Market|", // the demo suggests it
		"where is the spare computer?":                       "[[Restore a backup#",     // and the README
		"why did we choose Backblaze?":                       "No note has “Backblaze”.",
		"what is the airspeed of an unladen swallow in May?": "**No note has “airspeed”, “unladen”, “swallow”.**",
	} {
		reply, err := m.Run(t.Context(), agent.Task{Root: root, Note: "Inbox/Questions.md", Requests: []agent.Request{request(question)}})
		if err != nil {
			t.Fatal(err)
		}
		first := reply.Text
		if i := strings.Index(first, "> — "); i >= 0 && !strings.HasPrefix(want, "No note") {
			first, _, _ = strings.Cut(first[i:], "\n")
		}
		if !strings.Contains(first, want) {
			t.Errorf("%s\nanswered by\n%s\nwant %s", question, reply.Text, want)
		}
		if strings.Contains(reply.Text, "Choose the last line") && question != "how do I restore a backup?" {
			t.Errorf("%s\nis answered by what tells somebody to choose:\n%s", question, reply.Text)
		}
	}
}

func sample(t *testing.T) (m *Miner, root string) {
	t.Helper()
	root = filepath.Join("..", "..", "..", "assets", "vault")
	var rels []string
	err := fs.WalkDir(os.DirFS(root), ".", func(rel string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(rel, ".md") && !strings.HasPrefix(rel, "Templates/") {
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
	return New(func(string) (*recall.Index, error) { return ix, nil }), root
}
