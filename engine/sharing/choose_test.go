package sharing

import (
	"math/rand/v2"
	"strings"
	"testing"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/testdata/testseed"
)

func told(order int64, file, question, answer string) journal.Exchange {
	return journal.Exchange{Order: order, File: file, Question: question, Answer: answer}
}

func everything(journal.Exchange) bool { return true }

func questionsOf(list []journal.Exchange) string {
	var all []string
	for _, x := range list {
		all = append(all, x.Question)
	}
	return strings.Join(all, "|")
}

func TestRankByTerms(t *testing.T) {
	list := []journal.Exchange{ // the newest first
		told(6, "g.md", "what do tomatoes want?", "Sun, and a garden without frost."),
		told(5, "b.md", "where are the backups?", "On the old disk."),
		told(4, "a.md", "what is for dinner?", "Soup; the backups of it are frozen."),
		told(3, "Backups.md", "how often?", "Daily."),
		told(2, "b.md", "which disk holds the backup of photos?", "The blue one."),
		told(1, "c.md", "where is the key?", "Under the pot."),
	}
	for question, want := range map[string]string{
		"what did we decide about backups of photos?": "which disk holds the backup of photos?|where are the backups?|how often?|what is for dinner?",
		"is there frost?":    "what do tomatoes want?",
		"which KEY?":         "where is the key?",
		"summarise this":     "",
		"and what of it?":    "",
		"quarks and leptons": "",
		"":                   "",
	} {
		if got := questionsOf(rankByTerms(list, question)); got != want {
			t.Errorf("%q:\n%s, want\n%s", question, got, want)
		}
	}
}

func TestChooseByScope(t *testing.T) {
	note := []journal.Exchange{told(9, "n.md", "n2", "x"), told(2, "n.md", "n1", "x")}
	thread := []journal.Exchange{told(9, "n.md", "n2", "x"), told(8, "o.md", "t2", "x"), told(3, "p.md", "t1", "x")}
	vault := []journal.Exchange{told(8, "o.md", "t2", "x"), told(7, "q.md", "of apples", "x"), told(6, "q.md", "of pears", "x"), told(5, "q.md", "of pears and apples", "x"), told(2, "n.md", "n1", "x")}
	all := Lists{note, thread, func() []journal.Exchange { return vault }}
	each := len("n.md") + len("n1") + len("x") // of those of the note and the thread
	for _, tt := range []struct {
		from  Lists
		bytes int
		want  string
	}{
		{all, 10_000, "n1|t1|of pears and apples|of pears|of apples|t2|n2"},
		{all, 4 * each, "n1|t1|t2|n2"},
		{all, 3 * each, "n1|t2|n2"},
		{all, 2*each + 3, "n1|n2"},
		{all, each, "n2"},
		{all, each - 1, ""},
		{all, 0, ""},
		{all, 4*each + 5 + len("of pears and apples"), "n1|t1|of pears and apples|t2|n2"},
		{Lists{Note: note}, 10_000, "n1|n2"},
		{Lists{Thread: thread}, 10_000, "t1|t2|n2"},
		{Lists{}, 10_000, ""},
	} {
		if got := questionsOf(Choose(tt.from, "pears or apples?", tt.bytes, everything)); got != tt.want {
			t.Errorf("within %d bytes %q, want %q", tt.bytes, got, tt.want)
		}
	}
	full := all
	full.Vault = func() []journal.Exchange { t.Error("the vault is read though nothing is left"); return nil }
	Choose(full, "pears or apples?", 4*each, everything)
	for bytes := range 40 {
		for _, x := range Choose(all, "pears or apples?", bytes, func(x journal.Exchange) bool { return x.File != "n.md" }) {
			if x.File == "n.md" {
				t.Errorf("within %d bytes what may not be told is: %q", bytes, x.Question)
			}
		}
	}
}

// Whatever was asked before, a history fits, has nothing twice and nothing that may not be
// told, is in order, and leaves out nothing of the note that would fit and a rest does.
func TestChooseHoldsItsBounds(t *testing.T) {
	seed := testseed.Take(t)
	dice := rand.New(rand.NewPCG(seed, 1))
	words := strings.Fields("apple pear plum garden disk key backup what where of the")
	for range 300 {
		var from Lists
		var vault []journal.Exchange
		for order := range int64(dice.IntN(30)) {
			x := told(1000-order, words[dice.IntN(4)]+".md", words[dice.IntN(len(words))], strings.Repeat(words[dice.IntN(len(words))]+" ", dice.IntN(9)))
			for _, list := range []*[]journal.Exchange{&from.Note, &from.Thread, &vault} {
				if dice.IntN(3) > 0 {
					*list = append(*list, x)
				}
			}
		}
		from.Vault = func() []journal.Exchange { return vault }
		bytes := dice.IntN(400)
		may := func(x journal.Exchange) bool { return x.Order%3 != 0 }
		left, last := bytes, int64(0)
		for _, x := range Choose(from, words[dice.IntN(len(words))]+" "+words[dice.IntN(len(words))], bytes, may) {
			if left -= x.Size(); left < 0 || x.Order <= last || !may(x) {
				t.Fatalf("within %d bytes %+v after %d", bytes, x, last)
			}
			last = x.Order
		}
	}
}
