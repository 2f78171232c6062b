package note

import (
	"slices"
	"strings"
	"testing"
)

// What a formatter does to white space leaves a question the same; every other change makes another.
func TestFold(t *testing.T) {
	const q = "> @agent-Miner:t what did we decide?"
	for name, c := range map[string]struct {
		a, b string
		same bool
	}{
		"a space behind the mark":    {">@agent-Miner what", "> @agent-Miner what", true},
		"spaces at the end":          {q, q + "  ", true},
		"a tab at the end":           {q, q + "\t", true},
		"double spaces":              {q, "> @agent-Miner:t  what did  we decide?", true},
		"a tab between words":        {q, "> @agent-Miner:t\twhat did we\tdecide?", true},
		"indented":                   {q, "   " + q, true},
		"a no-break space":           {q, "> @agent-Miner:t\u00a0what did we decide?", true},
		"an ideographic space":       {q, "> @agent-Miner:t\u3000what did we decide?", true},
		"other line ends":            {q + "\n> now", q + "\r\n> now", true},
		"several lines":              {q + "\n> now  or then", q + " \n>now or  then ", true},
		"marks apart":                {">> @agent-Miner what", "> > @agent-Miner what", true},
		"an item":                    {"- > @agent-Miner what", "-   > @agent-Miner what", true},
		"no space at all":            {q, "> @agent-Miner:t whatdid we decide?", false},
		"a word":                     {q, q + " x", false},
		"letters":                    {q, strings.ToUpper(q), false},
		"a deeper quote":             {q, "> " + q, false},
		"in an item":                 {q, "- " + q, false},
		"another item":               {"- " + q, "* " + q, false},
		"lines made one":             {q + "\n> now", q + " now", false},
		"in code":                    {"> @agent-Miner `a  b`", "> @agent-Miner `a b`", false},
		"at the end of code":         {"> @agent-Miner `a `", "> @agent-Miner `a`", false},
		"around code":                {"> @agent-Miner  `a  b`  c", "> @agent-Miner `a  b` c", true},
		"in code of several lines":   {"> @agent-Miner `a\n> b  c`", "> @agent-Miner `a\n> b c`", false},
		"in longer code":             {"> @agent-Miner ``a ` b  c``", "> @agent-Miner ``a ` b c``", false},
		"behind a backtick alone":    {"> @agent-Miner ` a  b", "> @agent-Miner ` a b", true},
		"behind an escaped backtick": {"> @agent-Miner \\`a  b`", "> @agent-Miner \\`a b`", true},
		"bytes that are no text":     {"> @agent-Miner a\xff", "> @agent-Miner a\xfe", false},
	} {
		t.Run(name, func(t *testing.T) {
			if same := Fold(c.a) == Fold(c.b); same != c.same {
				t.Errorf("%q and %q: %v\n%q\n%q", c.a, c.b, same, Fold(c.a), Fold(c.b))
			}
		})
	}
}

// An exact match wins, and of several that differ in white space none is taken.
func TestMatchFolded(t *testing.T) {
	const a, b, c = "> @agent-Miner a  b", "> @agent-Miner a b", "> @agent-Miner  a b"
	for name, tt := range map[string]struct {
		was, is string
		exact   bool // every byte counts
		want    []int
	}{
		"the same":                {a, a, false, []int{0}},
		"white space":             {a, b, false, []int{0}},
		"where every byte counts": {a, b, true, []int{-1}},
		"the exact one":           {a, b + "\n\n" + a, false, []int{1}},
		"two":                     {a, b + "\n\n" + c, false, []int{-1}},
		"two of two":              {a + "\n\nx\n\n" + a, b + "\n\nx\n\n" + b, false, []int{0, 1}},
		"two of two, moved":       {"p\n\n" + a + "\n\nq\n\n" + a + "\n\nr", "q\n\n" + b + "\n\nr\n\np\n\n" + b + "\n\nz", false, []int{1, 0}},
		"two of one":              {a + "\n\n" + a, b, false, []int{-1, -1}},
		"deeper":                  {a, "> " + a, false, []int{-1}},
		"into a list":             {a, "- x\n  " + b, false, []int{-1}},
		"out of a deep list":      {"- x\n    " + a, b, false, []int{-1}},
		"an item's indentation":   {"- x\n  " + a, "- x\n    " + b, false, []int{0}},
		"an item less deep":       {"- x\n  - " + a, "- " + b, false, []int{-1}},
		"several lines":           {a + "\n> and  c", b + " \n>and c", false, []int{0}},
		"one of several lines":    {a, b + "\n> and c", false, []int{-1}},
	} {
		t.Run(name, func(t *testing.T) {
			var traces []Trace
			for _, m := range Parse([]byte(tt.was)).Markers {
				trace := m.Trace()
				trace.Folds = !tt.exact
				traces = append(traces, trace)
			}
			if got := Match(Parse([]byte(tt.is)).Markers, traces); !slices.Equal(got, tt.want) {
				t.Errorf("%v, want %v", got, tt.want)
			}
		})
	}
	first := Trace{Text: a, Folds: true}
	doc := ParseAs([]byte(b+"\n> my words"), []Trace{first})
	if len(doc.Markers) != 1 || doc.Markers[0].Text != b {
		t.Errorf("as it was asked it is %+v", doc.Markers)
	}
}
