package journal

import (
	"testing"

	"vaultdispatcher/engine/note"
)

// White space makes no second dispatch of a question that waits, and a new one of a question that failed.
func TestFoldedClaims(t *testing.T) {
	t.Parallel()
	const a, b = "> @agent-Miner a  b", "> @agent-Miner a b"
	claim := func(status Status, text string) Claim {
		return Claim{Status: status, Marker: Marker{Trace: note.Trace{Text: text}}}
	}
	for name, c := range map[string]struct {
		held   []Claim
		wanted string
		equal  map[string]int
		free   bool
	}{
		"nothing is held":            {nil, b, map[string]int{b: 1}, true},
		"the same is queued":         {[]Claim{claim(Queued, b)}, b, map[string]int{b: 1}, false},
		"it is queued, reformatted":  {[]Claim{claim(Queued, a)}, b, map[string]int{b: 1}, false},
		"and its agent is at work":   {[]Claim{claim(Processing, a)}, b, map[string]int{b: 1}, false},
		"it has failed, a space":     {[]Claim{claim(Failed, a)}, b, map[string]int{b: 1}, true},
		"it is held, a space":        {[]Claim{claim(Held, a)}, b, map[string]int{b: 1}, true},
		"both stand there":           {[]Claim{claim(Queued, a)}, b, map[string]int{a: 1, b: 1}, true},
		"both, one has failed":       {[]Claim{claim(Failed, a)}, b, map[string]int{a: 1, b: 1}, true},
		"two of three, reformatted":  {[]Claim{claim(Queued, a), claim(Queued, a)}, b, map[string]int{b: 3}, true},
		"three of three":             {[]Claim{claim(Queued, a), claim(Failed, b), claim(Queued, b)}, b, map[string]int{b: 3}, false},
		"a text that is not there":   {nil, a, map[string]int{}, false},
		"a line that is nobody's":    {[]Claim{claim(Queued, "> @agent-Miner c")}, b, map[string]int{b: 1}, true},
		"other line ends are no new": {[]Claim{claim(Queued, b+"\r\n> c")}, b + "\n> c", map[string]int{b + "\n> c": 1}, false},
	} {
		if free := isFree(c.held, []Marker{{Trace: note.Trace{Text: c.wanted}}}, c.equal); free != c.free {
			t.Errorf("%s: free is %v", name, free)
		}
	}
	free := newFreeLines(map[string]int{b: 1, "> @agent-Miner  a b": 1})
	if free.find(a, Queued) != a || newFreeLines(map[string]int{b: 1}).find(a, Queued) != b || newFreeLines(map[string]int{b: 1}).find(a, Failed) != a {
		t.Error("a question is found where it is not, or not where it is")
	}
}
