package past

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/testdata/samples"
	"vaultdispatcher/engine/testdata/testseed"
)

// look is one look at a note: what its markers are, and what is remembered after it.
func (l Lines) look(src string, held []string, known bool) ([]note.Marker, Lines) {
	doc := note.Parse([]byte(src))
	if cut := l.ownWords([]byte(src), doc.Markers, held, known); cut != nil {
		doc = note.NewPage([]byte(src)).Cut(cut)
	}
	return doc.Markers, Decode(l.update([]byte(src), doc.Markers, false).Bytes())
}

// A note is saved several times. What the answer would replace in the end is in want, line by
// line of the last save.
func TestOwnWords(t *testing.T) {
	const ask, own, more = "> @agent-Miner what about\n", "> words of my own\n", "> the backups\n"
	for name, c := range map[string]struct {
		saves []string
		want  string
	}{
		"all at once":                                      {[]string{ask + more}, ask + more},
		"line by line":                                     {[]string{ask, ask + more, ask + more + "> and the rest\n"}, ask + more + "> and the rest\n"},
		"word by word":                                     {[]string{"> @agent-Miner wh\n", ask, ask + "> the ba\n", ask + more}, ask + more},
		"from the first letter":                            {[]string{"> @\n", "> @agen\n", ask + more}, ask + more},
		"above own words":                                  {[]string{own, ask + own}, ask},
		"above own words, apart before":                    {[]string{"x\n\n" + own, ask + own}, ask},
		"between own words and more":                       {[]string{own, ask + more + own}, ask + more},
		"own words edited with it":                         {[]string{own, ask + "> words that are mine\n"}, ask},
		"own words edited later":                           {[]string{own, ask + own, ask + "> other\n"}, ask},
		"own words edited twice":                           {[]string{own, ask + own, ask + "> other\n", ask + "> other, again\n"}, ask},
		"own words moved here":                             {[]string{own + "\nx\n", ask + own + "\nx\n"}, ask},
		"own words cut, then put here":                     {[]string{own + "\nx\n", "x\n", ask, ask + own}, ask},
		"own words get marks":                              {[]string{"@agent-Miner\nwords of my own\n", ask + own}, ask},
		"a lazy line gets marks":                           {[]string{ask + "words of my own\n", ask + own}, ask},
		"in another quote":                                 {[]string{"> > words of my own\n", ask + own}, ask},
		"the first line is edited":                         {[]string{ask + more, "> @agent-Miner what of\n" + more}, "> @agent-Miner what of\n" + more},
		"the first line is none meanwhile":                 {[]string{ask + more, "> @agent- what about\n" + more, ask + more}, ask + more},
		"hidden meanwhile":                                 {[]string{ask + more, "```\n" + ask + more, ask + more}, ask + more},
		"the last line is edited":                          {[]string{ask + more, ask + "> our backups\n"}, ask + "> our backups\n"},
		"edited elsewhere as well":                         {[]string{own + "\nx\n\n" + ask, "> mine\n\nx\n\n" + ask + more}, ask + more},
		"the question goes, its rest stays, another comes": {[]string{ask + more, more, "> @agent-Editor what of\n" + more}, "> @agent-Editor what of\n"},
		"an answer between":                                {[]string{"> q\n\n" + ask + more, "> q\n\n<!-- agent-response -->\n> x\n<!-- /agent-response -->\n", "> q\n\n" + ask + more}, ask + more},
		"dos":                                              {[]string{own, strings.ReplaceAll(ask+own, "\n", "\r\n")}, strings.ReplaceAll(ask, "\n", "\r\n")},
		"in a callout":                                     {[]string{"> [!note] x\n" + own, "> [!note] x\n" + ask + own}, ask},
		"in a callout, anew":                               {[]string{"> [!note] x\n", "> [!note] x\n" + ask + more}, ask + more},
	} {
		t.Run(name, func(t *testing.T) {
			var l Lines
			var markers []note.Marker
			for i, src := range c.saves {
				markers, l = l.look(src, nil, i > 0)
			}
			if len(markers) != 1 || markers[0].Text != strings.TrimRight(c.want, "\r\n") {
				t.Errorf("%+v, want the text %q", markers, c.want)
			}
		})
	}
}

// What belongs to a dispatch stays what was asked.
func TestHeldQuestions(t *testing.T) {
	const one, two = "> @agent-Miner what about", "> the backups"
	src := one + "\n" + two + "\n"
	own, l := Lines{}.look(two+"\n", nil, false)
	if len(own) != 0 {
		t.Fatal(own)
	}
	for _, c := range []struct {
		name  string
		l     Lines
		held  []string
		known bool
		want  string
	}{
		{"asked whole, stood before", l, []string{one + "\r\n" + two}, true, one + "\n" + two},
		{"asked as one line by an earlier version", Lines{}, []string{one}, false, one},
		{"asked as one line, then it goes on", Lines{}, []string{one}, true, one + "\n" + two},
		{"another was asked", l, []string{"> @agent-Miner something"}, true, one},
		{"none of it was", l, []string{one + "\n> the"}, true, one},
	} {
		markers, _ := c.l.look(src, c.held, c.known)
		if len(markers) != 1 || markers[0].Text != c.want {
			t.Errorf("%s: %+v, want %q", c.name, markers, c.want)
		}
	}
}

// What is remembered is bounded, and of too long a note nothing is replaced but the first line.
func TestBounds(t *testing.T) {
	var l Lines
	for i := range 4 {
		var src strings.Builder
		for line := range 400 {
			fmt.Fprintf(&src, "> line %c%d\n", 'a'+i, line)
		}
		_, l = l.look(src.String(), nil, true)
	}
	if len(l.current) != 400 || len(l.former) != mostGone {
		t.Errorf("%d lines, %d gone", len(l.current), len(l.former))
	}
	markers, l := l.look("> @agent-Miner what about\n> b1\n\n"+strings.Repeat("x\n", mostLines), nil, true)
	if !l.isLong || len(markers) != 1 {
		t.Errorf("%+v", markers)
	}
	markers, _ = l.look("> @agent-Miner what about\n> the backups\n", nil, true)
	if len(markers) != 1 || markers[0].Ends != 1 {
		t.Errorf("%+v", markers)
	}
}

// Random notes of other people's making, and markers that come above their lines: nothing
// that stood there is replaced but lines with a request, whatever stands around them.
func TestRandomOwnWords(t *testing.T) {
	seed := testseed.Take(t)
	rounds, below := 3000, 0
	if testing.Short() {
		rounds = 300
	}
	for i := range rounds {
		r := rand.New(rand.NewPCG(seed, uint64(i)))
		src := samples.Note(r)
		_, l := Lines{}.look(string(src), nil, false)
		stood := make(map[string]bool)
		for _, line := range note.Lines(src) {
			if words := strings.TrimRight(line[note.LooseMarks([]byte(line)):], " \t"); words != "" && words[0] != '@' {
				stood[words] = true
			}
		}
		lines := slices.Collect(bytes.Lines(src))
		at := r.IntN(len(lines) + 1)
		prefix := "> "
		if at < len(lines) {
			prefix = string(lines[at][:note.LooseMarks(lines[at])])
		}
		if !strings.Contains(prefix, ">") {
			prefix = "> "
		}
		next := bytes.Join(slices.Insert(slices.Clone(lines), at, []byte(prefix+"@agent-New what about\n")), nil)
		markers, _ := l.look(string(next), nil, true)
		before := make(map[string]bool) // what belonged to questions already
		for _, m := range note.Parse(src).Markers {
			for _, line := range note.Lines([]byte(m.Text)) {
				before[strings.TrimRight(line[note.LooseMarks([]byte(line)):], " \t")] = true
			}
		}
		for _, m := range markers {
			below += m.Asked - m.Line
			for _, line := range note.Lines([]byte(m.Text))[1:] {
				if words := strings.TrimRight(line[note.LooseMarks([]byte(line)):], " \t"); stood[words] && !before[words] {
					t.Fatalf("note %d: %q stood before %q was asked\n%q\n%q", i, line, m.Text, src, next)
				}
			}
		}
	}
	t.Logf("count: %d notes, %d lines below questions", rounds, below)
	if below < rounds/10 {
		t.Error("too little happened")
	}
}
