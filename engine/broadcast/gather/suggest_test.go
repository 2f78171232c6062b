package gather

import (
	"context"
	"errors"
	"testing"

	"vaultdispatcher/engine/broadcast/order"
	"vaultdispatcher/engine/recall/page"
)

// A name that is nearly that of one note is told with it, unless that note is private or there are two.
func TestSuggestNote(t *testing.T) {
	const none = "no note of this name is there, or it is excluded"
	library := Library{
		Notes: func(context.Context) ([]string, error) {
			return []string{"a/Evergreen note.md", "Tea.md", "Plan 1.md", "Plan 2.md", "Secret diary.md", "Ask.md"}, nil
		},
		Page:       func(context.Context, string) (*page.Page, error) { return nil, errors.New("none") },
		Neighbours: func(context.Context, string, string) ([]string, error) { return nil, nil },
		WhyNot:     func(string) string { return "" },
		Private:    func(rel string) bool { return rel == "Secret diary.md" },
	}
	for name, want := range map[string]string{
		"Evergreen notes":  none + "; did you mean [[Evergreen note]]?",
		"evergren note":    none + "; did you mean [[Evergreen note]]?",
		"a/Evergreen nite": none + "; did you mean [[Evergreen note]]?",
		"Evergreen":        none,
		"Tee":              none,
		"Plan 3":           none,
		"Secret diarys":    none,
	} {
		set, err := Collect(t.Context(), library, Request{Order: order.Order{Sources: []order.Source{{Note: name}}}, Note: "Ask.md"})
		if err != nil || len(set.Omitted) != 1 || set.Omitted[0].Reason != want {
			t.Errorf("%s: %+v, %v", name, set.Omitted, err)
		}
	}
	for _, c := range []struct {
		a, b string
		want bool
	}{{"tree", "tree", false}, {"tree", "trees", true}, {"trees", "tree", true}, {"tree", "free", true}, {"tree", "ree", true}, {"tree", "trie", true}, {"tree", "tries", false}, {"", "abcd", false}, {"äbcd", "abcd", true}} {
		if got := isOneOff([]rune(c.a), []rune(c.b)); got != c.want {
			t.Errorf("%s, %s: %v", c.a, c.b, got)
		}
	}
}
