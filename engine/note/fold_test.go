package note

import (
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
