package engine

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/journal"
)

// What people type: each is either asked whole, or told of, in a sentence and with the line as it
// would be taken up.
type typed struct {
	text string // of the note

	asked string // all that is asked
	stays string // what of the note stays, beside the answer

	reason string // or why it is not taken up
	mend   string
	file   string // where that matters
	scan   bool   // a scan says it: the file is no note, so nobody reads it
}

// mistakes are what a person meant as a question and wrote otherwise.
var mistakes = []typed{
	{text: "@agent-Miner what?\n", reason: "the line is not in a block quote", mend: "> @agent-Miner what?"},
	{text: "> @agent-Miner: what?\n", reason: "write a space instead of the colon", mend: "> @agent-Miner what?"},
	{text: "> @Agent-Miner what?\n", reason: "in small letters", mend: "> @agent-Miner what?"},
	{text: "> @agent Miner what?\n", reason: "in small letters", mend: "> @agent-Miner what?"},
	{text: "> @agent—Miner what?\n", reason: "in small letters", mend: "> @agent-Miner what?"},
	{text: "> @agnet-Miner what?\n", reason: "in small letters", mend: "> @agent-Miner what?"},
	{text: "> @agent-Minr what?\n", reason: "no agent answers the role Minr; wiki setup --agent Minr=NAME chooses one; is Miner meant?", mend: "> @agent-Miner what?"},
	{text: "> @Miner what?\n", reason: "in small letters", mend: "> @agent-Miner what?"},
	{text: "> agent-Miner what?\n", reason: "in small letters", mend: "> @agent-Miner what?"},
	{text: "> @agent-Miner, what?\n", reason: "a space must follow the role", mend: "> @agent-Miner what?"},
	{text: "> Hello @agent-Miner what?\n", reason: "@agent- must follow the > directly", mend: "> Hello\n> @agent-Miner what?"},
	{text: "> @agent-Poet a sonnet\n", reason: "no agent answers the role Poet; wiki setup --agent Poet=NAME chooses one"},
}

// forms are questions of several lines.
var forms = []typed{
	{text: "> @agent-Miner what did we decide\n> about backups, and\n> who said so?\n", asked: "what did we decide\nabout backups, and\nwho said so?"},
	{text: "> [!question] Backups\n> @agent-Miner what about\n> backups?\n", asked: "what about\nbackups?", stays: "> [!question] Backups\n"},
	{text: "> @agent-Miner what about\nthe lazy line\n", asked: "what about\nthe lazy line", stays: "the lazy line\n"},
	{text: "> @agent-Miner compare:\n> - tea\n> - coffee\n", asked: "compare:\n- tea\n- coffee", stays: "> - tea\n> - coffee\n"},
	{text: "> @agent-Miner what of this?\n> My own words.\n", asked: "what of this?", stays: "> My own words.\n"},
	{text: "> @agent-Miner who said\n> “all of it”\n", asked: "who said", stays: "> “all of it”\n"},
	{text: "> @agent-Miner one\n>\n> another paragraph\n", asked: "one", stays: "> another paragraph\n"},
	{text: "- item\n  > @agent-Miner what of\n  > the item?\n", asked: "what of\nthe item?", stays: "- item\n"},
	{text: "> > @agent-Miner nested\n> > question?\n", asked: "nested\nquestion?"},
	{text: "> @agent-Miner dos\r\n> lines?\r\n", asked: "dos\nlines?"},
	{text: "1. > @agent-Miner in a\n   > numbered list?\n", asked: "in a\nnumbered list?"},
	{text: "> @agent-Miner\n> what is on the next line?\n", reason: "there is no question after the role", mend: "> @agent-Miner what is on the next line?"},
}

// scripts are names, spaces and signs of other keyboards.
var scripts = []typed{
	{text: "> @agent-Ärzte wer?\n", asked: "wer?"},
	{text: "> @agent-A\u0308RZTE wer noch?\n", asked: "wer noch?"},
	{text: "> @agent-研究員　何を決めた？\n", asked: "何を決めた？"},
	{text: "> @agent-Miner\u00a0what is behind the space?\n", asked: "what is behind the space?"},
	{text: "> @agent-Miner:план что?\n", asked: "что?"},
	{text: "> @agent-Мiner what?\n", reason: "letters that only look like others", mend: "> @agent-Miner what?"},
	{text: "＞ @agent-Miner what?\n", reason: "with a plain > and @", mend: "> @agent-Miner what?"},
	{text: "> ＠agent-Miner what?\n", reason: "wider than they look", mend: "> @agent-Miner what?"},
}

// places are where a question may be written.
var places = []typed{
	{text: "> [!note]- @agent-Miner what?\n", reason: "@agent- must follow the > directly", mend: "> [!note]-\n> @agent-Miner what?"},
	{text: "- [ ] @agent-Miner what?\n", reason: "the line is not in a block quote", mend: "- > @agent-Miner what?"},
	{text: "text\n\n    > @agent-Miner what?\n", reason: "it is in a code block", mend: "> @agent-Miner what?"},
	{text: "%%\n> @agent-Miner what?\n%%\n", reason: "it is in a comment"},
	{text: "---\nwiki: off\n---\n> @agent-Miner what?\n", reason: "the note's properties say wiki: off"},
	{text: "<!-- agent-response -->\nyes\n\n> @agent-Miner and then?\n<!-- /agent-response -->\n", reason: "it is in an answer"},
	{text: "> @agent-Miner what?\n", file: ".trash/n.md", reason: "in a folder that begins with a dot", scan: true},
	{text: "> @agent-Miner what?\n", file: "Templates/n.md", reason: "wiki.exclude", scan: true},
}

func TestNothingTypedIsSilent(t *testing.T) {
	t.Parallel()
	r := startEngine(t, t.TempDir(), &echoes{}, func(c *config.Config) {
		c.Exclude = []string{"Templates/**"}
		c.Agents["Ärzte"], c.Agents["研究員"] = config.Agent{Runner: "builtin"}, config.Agent{Runner: "builtin"}
	})
	all := slices.Concat(mistakes, forms, scripts, places)
	if len(all) != 40 {
		t.Errorf("%d things, not 40", len(all))
	}
	r.save("first.md", question(0)) // what stands there before the vault was met may be held
	r.until("first.md", "answer to ")
	for i := range all {
		if all[i].file == "" {
			all[i].file = fmt.Sprintf("n%02d.md", i)
		}
		if err := os.MkdirAll(filepath.Dir(filepath.Join(r.vault, all[i].file)), 0o700); err != nil {
			t.Fatal(err)
		}
		r.save(all[i].file, all[i].text)
	}
	for _, c := range all {
		switch {
		case c.scan:
			_, err := r.Scan(t.Context(), r.Roots()[0], c.file, false)
			if err == nil || !strings.Contains(err.Error(), c.reason) {
				t.Errorf("%s: a scan says %v", c.file, err)
			}
		case c.reason == "":
			src := r.until(c.file, "answer to "+c.asked[:strings.IndexAny(c.asked+"\n", "\n")])
			if !strings.Contains(strings.ReplaceAll(src, "\r", ""), c.stays) || strings.Contains(src, "@agent-") {
				t.Errorf("%q became %q", c.text, src)
			}
			if got := r.askedIn(c.file); got != c.asked {
				t.Errorf("%q is asked as %q", c.text, got)
			}
		default:
			row := r.untilTold(c.file)
			if !strings.Contains(row.Reason, c.reason) || row.Mend != c.mend {
				t.Errorf("%q: %q, mend %q", c.text, row.Reason, row.Mend)
			}
			if misses := r.scanMisses(c.file); (row.Kind == "miss" || row.Kind == "hidden") != (len(misses) == 1) {
				t.Errorf("%q: a scan has the misses %+v", c.text, misses)
			}
		}
	}
}

// A property that says neither on nor off is told of, however fast the agent is: the note that was to be
// left alone is answered.
func TestOddSwitchIsTold(t *testing.T) {
	t.Parallel()
	r := startEngine(t, t.TempDir(), &echoes{}, func(c *config.Config) { c.Debounce, c.Settle = 150*time.Millisecond, 300*time.Millisecond })
	r.save("first.md", question(0))
	r.until("first.md", "answer to ")
	for !r.vaults[0].Catalog.State().Complete { // the notes that were there before have been read; of what is found then, nothing is told
		r.pause()
	}
	const notes = 5
	for i := range notes {
		r.save(fmt.Sprintf("n%d.md", i), "---\nwiki: offline\n---\n\n"+question(i))
	}
	for i := range notes {
		r.until(fmt.Sprintf("n%d.md", i), answer(i))
	}
	r.rest()
	for i := range notes {
		if n := r.told.count(fmt.Sprintf("n%d.md", i), "the property wiki says neither on nor off"); n != 1 {
			t.Errorf("note %d is told of %d times", i, n)
		}
	}
}

// A note that is too large to be read is told of after its first save, and no more once it is divided.
func TestLargeNotesAreTold(t *testing.T) {
	t.Parallel()
	r := startEngine(t, t.TempDir(), &echoes{}, func(c *config.Config) { c.Settle = 200 * time.Millisecond })
	r.save("first.md", question(0))
	r.until("first.md", "answer to ")
	r.save("large.md", strings.Repeat("text\n", 11<<20/5)+question(1))
	isTold := func() bool {
		s, err := r.Status(t.Context(), false)
		if err != nil {
			t.Fatal(err)
		}
		return slices.ContainsFunc(s.NotTaken, func(row api.Untaken) bool {
			return row.File == "large.md" && row.Kind == "unread" && !row.Quiet && strings.Contains(row.Reason, "larger than 10 MiB")
		})
	}
	for end := time.Now().Add(time.Minute); !isTold(); r.pause() {
		if time.Now().After(end) {
			t.Fatal("nobody was told of a note that is too large")
		}
	}
	r.save("large.md", question(1))
	r.until("large.md", "answer to ")
	for isTold() {
		r.pause()
	}
}

// askedIn is what was asked first in a note.
func (r *running) askedIn(file string) string {
	r.t.Helper()
	list, err := r.journal.List(r.t.Context(), journal.Filter{Limit: 1000})
	if err != nil {
		r.t.Fatal(err)
	}
	for _, d := range list {
		if d.File == file {
			return d.Markers[0].Instruction
		}
	}
	return ""
}

// untilTold polls until a note is told of as not taken up.
func (r *running) untilTold(file string) api.Untaken {
	r.t.Helper()
	for ; ; r.pause() {
		if rows := r.untaken.Of(r.vaults[0].Root, file); len(rows) > 0 {
			row, kind := rows[0], string(rows[0].Kind)
			if row.Hidden {
				kind = "hidden"
			}
			return api.Untaken{File: row.File, Line: row.Line, Text: row.Text, Reason: row.Reason, Mend: row.Mend, Kind: kind, Quiet: !row.IsNews()}
		}
	}
}

func (r *running) scanMisses(file string) []api.Miss {
	r.t.Helper()
	result, err := r.Scan(r.t.Context(), r.Roots()[0], file, false)
	if err != nil {
		r.t.Error(err)
	}
	return result.Misses
}
