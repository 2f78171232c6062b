package rules

import (
	"cmp"
	"strings"
	"sync"
	"testing"
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/untaken"
)

func is[T any](value T) func() T                { return func() T { return value } }
func each[T any](value T) func(note.Marker) T   { return func(note.Marker) T { return value } }
func ofCopy(c Copy) func(f *Facts)              { return func(f *Facts) { f.Copy = is(c) } }
func came(kind journal.HoldKind) func(f *Facts) { return func(f *Facts) { f.Origin = each(kind) } }
func nobody(m note.Marker) untaken.Row {
	return untaken.Unanswered("nobody does; add it", m, []string{"Miner"})
}

// ways are the facts by which each rule decides where nothing else is known, with what it says then.
var ways = map[string]struct {
	set func(f *Facts)
	why string
}{
	"first-look": {func(f *Facts) { f.Unmet = true }, "the vault is new, and the questions that it has are counted before any is asked; it goes on by itself"},
	"role":       {func(f *Facts) { f.Unanswered = nobody }, "nobody does; add it; is Miner meant?"},
	"private":    {func(f *Facts) { f.Private = each("it is private; ask another role") }, "it is private; ask another role"},
	"no-note":    {func(f *Facts) { f.NoNote = is("it is in a bin") }, "it is in a bin"},
	"read-only":  {func(f *Facts) { f.ReadOnly = is("the note is read-only; make it writable") }, "the note is read-only; make it writable"},
	"merge":      {func(f *Facts) { f.Doc.Conflict = 7 }, "the note is in the middle of a merge (line 7), so one side of it may go; it is asked by itself when that is resolved"},
	"drawing":    {func(f *Facts) { f.Doc.Drawing = true }, "the note is a drawing (its properties have excalidraw-plugin), which an answer would change; ask in another note, or have this one asked with wiki scan"},
	"template": {func(f *Facts) { f.Template = is(Template{"T/Day", "s.json", true}) },
		"the note is a template (s.json names T/Day), and an answer would be in each note made from it; ask in one of these, or have this one asked with wiki scan"},
	"template-folder": {func(f *Facts) { f.Template = is(Template{"T", "s.json", false}) },
		"the note is in a folder with templates (s.json names T), and an answer would be in each note made from it; ask in one of these, or have this one asked with wiki scan"},
	"template-part": {func(f *Facts) { f.Part = each(Part{3, "{{date}}"}) },
		"the question is in a template (line 3 has {{date}}), and an answer would be in each copy of it; ask in one of these, put what is there between backquotes if it is only told about, or have this note asked with wiki scan"},
	"missing-original": {ofCopy(Copy{Original: "a.md", Missing: true}), "the note equals what a.md was, which is looked for under another name; change this note, and it is asked here"},
	"copy":             {ofCopy(Copy{Original: "a.md", Equals: true}), "the note equals a.md, so it counts as a question of that note; change this note, and it is asked here"},
	"second-name":      {ofCopy(Copy{Original: "a.md", Linked: true}), "the note is a.md under another name, so it counts as a question of that one; its answer comes there"},
	"former-copy":      {ofCopy(Copy{Original: "a.md"}), "the note equals what a.md was when this was asked there; change this note, and it is asked here"},
	"version": {func(f *Facts) { f.Version = is(Version{Original: "a.md", Program: "Sync"}) },
		"the note has the name that Sync gives to a second version of a.md, so nothing is asked in it; it is asked here under another name, or when that note is gone"},
	"refused":  {func(f *Facts) { f.Refused = is("it is shared") }, "nothing starts in this vault: it is shared; it is asked by itself when that is over"},
	"foreign":  {func(f *Facts) { f.Foreign = is("box has it") }, "another machine answers this vault: box has it; it is asked there"},
	"alike":    {func(f *Facts) { f.Alike = each("a.md") }, "the note is much like a.md, where this was asked, so it is taken for a copy of it; edit the line, or ask for it with wiki scan, and it is asked here"},
	"answered": {func(f *Facts) { f.Overwritten = each(true) }, "it was answered, and another program has written over the answer; the answer is written again"},
	"paused": {func(f *Facts) { f.Vault, f.Paused, f.Unsettled = "Notes", true, each(true) },
		"the vault Notes is paused, so its saves are not seen until wiki watcher start; this question starts when it has settled, because you have asked about it"},
	"settling":  {func(f *Facts) { f.Unsettled = each(true) }, "it is settling; it starts when its line has not changed for a moment"},
	"moved":     {func(f *Facts) { f.Stray = each(true) }, "it may be a question of a note that is gone; it goes on by itself when that is certain"},
	"old":       {came(journal.ForOld), "written before the vault was first watched"},
	"untrusted": {came(journal.ForUntrusted), "brought by a note from elsewhere (wiki.untrusted, or it names a source, a url or the tag clippings)"},
	"burst":     {func(f *Facts) { f.Burst, f.Bulk = 10, each(true) }, "came with more than wiki.limits.burst (10) in a minute"},
	"per-note":  {func(f *Facts) { f.PerNote, f.Doc.Markers = 1, make([]note.Marker, 2) }, "the note holds 2 markers, more than wiki.limits.perNote (1)"},
	"decision":  {func(f *Facts) { f.Decision = each(true) }, "yes and no are not asked; right below a question they decide about its answer for you to approve; delete the line when that is done"},
	"plan":      {func(*Facts) {}, "its time comes more often than every 5 minutes; write a longer time"},
	"schedule":  {func(*Facts) {}, "comes again every monday 8:00"},
	"start":     {func(*Facts) {}, "nothing is against it; it starts now"},
}

// plans are what is asked for the rules about that.
var plans = map[string]string{"plan": "every 2 minutes: what?", Again.Name: "every Monday 8:00 what?"}

var asked = note.Marker{Role: "Minr", Text: "> @agent-Minr what?", Line: 3}

// Each rule decides by its own facts, says why, and yields to those above it; a person who asks is refused by fewer.
func TestList(t *testing.T) {
	for i, r := range List {
		way, ok := ways[r.Name]
		if !ok {
			t.Errorf("no way to the rule %s is known", r.Name)
			continue
		}
		var f Facts
		way.set(&f)
		asked := asked
		asked.Instruction = plans[r.Name]
		v := Judge(asked, &f)
		if v.Rule != r.Name || v.Act != r.Act || v.Reason() != way.why {
			t.Errorf("%s: %+v says %q, want %q", r.Name, v, v.Reason(), way.why)
		}
		f.Request = true
		if v := Judge(asked, &f); (v.Rule == r.Name) == r.Unasked {
			t.Errorf("%s: a person who asks has %+v", r.Name, v)
		}
		for _, above := range List[:i] {
			var f Facts
			way.set(&f)
			ways[above.Name].set(&f)
			asked := asked
			asked.Instruction = cmp.Or(plans[above.Name], asked.Instruction)
			if v := Judge(asked, &f); v.Rule == r.Name && !shareFacts(above.Name, r.Name) {
				t.Errorf("%s decides before %s", r.Name, above.Name)
			}
		}
		if strings.Count(string(r.Cause), "{") != strings.Count(string(r.Cause), "}") || (r.Cause == "") != (r.Reasons != nil) || r.Finds == nil {
			t.Errorf("%s: %+v", r.Name, r)
		}
	}
	if len(ways) != len(List) {
		t.Errorf("%d ways, %d rules", len(ways), len(List))
	}
}

// shareFacts reports whether two rules decide by one fact, so that the second way replaces the first.
func shareFacts(above, below string) bool {
	for _, same := range [][]string{{"missing-original", "copy", "second-name", "former-copy"}, {"old", "untrusted"}, {"template", "template-folder"}, {"role", "old"}, {"role", "untrusted"}, {"schedule", "start"}} {
		if strings.Contains(strings.Join(same, " "), above) && strings.Contains(strings.Join(same, " "), below) {
			return true
		}
	}
	return false
}

// A line that came with its note waits for a person, also if nobody answers its role.
func TestBroughtAndUnanswered(t *testing.T) {
	f := Facts{Unanswered: nobody, Origin: each(journal.ForUntrusted)}
	if v := Judge(asked, &f); v.Rule != "untrusted" {
		t.Errorf("%+v", v)
	}
}

// What is refused stays so when more is known, and no disk is asked for what was decided before.
func TestFactsAreAskedWhenNeeded(t *testing.T) {
	at, touched := time.Unix(1000, 0), 0
	f := Facts{Time: at, Unanswered: nobody}
	f.Template = sync.OnceValue(func() Template { touched++; return Template{Path: "T", Setting: "s.json"} })
	list := JudgeAll([]note.Marker{asked, {Role: "Miner", Line: 9}}, &f)
	if touched != 0 || len(list.Rows()) != 2 || !list.Next().IsZero() {
		t.Errorf("asked %d times: %+v", touched, list)
	}
	f.Unanswered = nil
	list = JudgeAll([]note.Marker{asked}, &f)
	if rows := list.Rows(); touched != 1 || len(rows) != 1 || rows[0].Kind != untaken.Place || rows[0].Line != 3 || list.Next() != at.Add(soon) {
		t.Errorf("asked %d times: %+v", touched, list)
	}
	f.Template = nil
	if list.Again(&f); len(list.Markers(Refuse)) != 1 {
		t.Errorf("%+v", list)
	}
	list = JudgeAll([]note.Marker{asked}, &f)
	f.Unsettled, f.SettleDue = each(true), at.Add(time.Minute)
	if list.Again(&f); len(list.Markers(Wait)) != 1 || list.Next() != f.SettleDue || len(list.Rows()) != 0 {
		t.Errorf("%+v", list)
	}
	n := 0
	ask := Each(func(m note.Marker) int { n++; return m.Span.Start })
	for range 2 {
		if ask(note.Marker{Span: note.Span{Start: 1}})+ask(note.Marker{Span: note.Span{Start: 2}}) != 3 || n != 2 {
			t.Errorf("asked %d times", n)
		}
	}
}

// A line that decides is told as one also while it settles, and is judged again when it has.
func TestDecisionSettles(t *testing.T) {
	due := time.Now()
	f := &Facts{Decision: each(true), Unsettled: each(true), SettleDue: due}
	if v := Judge(note.Marker{}, f); v.Rule != "decision" || !v.Recheck.Equal(due) {
		t.Errorf("unsettled it is %+v", v)
	}
	if f.Request = true; !Judge(note.Marker{}, f).Recheck.IsZero() {
		t.Error("it settles though a person asks")
	}
}
