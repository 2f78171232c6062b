package rules

import (
	"strconv"
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/schedule"
	"vaultdispatcher/engine/untaken"
	"vaultdispatcher/engine/wording"
)

// How soon a refused question is judged again whose note is the same.
const (
	soon  = 30 * time.Second // the vault may have become ours, an original be gone, the note app have another folder of templates
	later = 10 * time.Minute // the original may be gone, and a watcher tells of it too
)

// Burst holds what came with many others. It is also said of what has started before the others came.
var Burst = Rule{Name: "burst", Act: Hold, Hold: journal.ForBurst, Cause: "came with more than wiki.limits.burst ({10}) in a minute",
	Finds: func(m note.Marker, f *Facts) Finding { return when(of(f.Bulk, m), strconv.Itoa(f.Burst)) }}

// Again has what comes again asked at its times, and not by itself.
var Again = Rule{Name: "schedule", Act: Start, Hold: journal.ForSchedule, Cause: "comes again every {Monday 8:00}",
	Finds: func(m note.Marker, _ *Facts) Finding {
		plan, is := PlanOf(m.Instruction)
		return when(is, plan)
	}}

// PlanOf is when a question comes again, if it does.
func PlanOf(instruction string) (plan string, is bool) {
	p, _, is := schedule.ParseQuestion(instruction)
	return p.String(), is
}

// List is what decides about a question, in this order.
var List = []Rule{
	{Name: "first-look", Act: Wait, Cause: "the vault is new, and the questions that it has are counted before any is asked", Mend: "it goes on by itself",
		Finds: func(_ note.Marker, f *Facts) Finding { return when(f.Unmet) }},
	{Name: "role", Act: Refuse, Kind: untaken.Role, Finds: findUnanswered,
		Reasons: []wording.Reason{wording.NoAgent, wording.NoAgent + wording.Meant, "{what is wrong with its agent in wiki.agents}"}},
	{Name: "private", Act: Refuse, Kind: untaken.Private, Reasons: []wording.Reason{wording.IsPrivate},
		Finds: func(m note.Marker, f *Facts) Finding { return said(of(f.Private, m)) }},
	{Name: "no-note", Act: Refuse, Finds: func(_ note.Marker, f *Facts) Finding { return said(one(f.NoNote)) },
		Reasons: []wording.Reason{wording.NoName, wording.Excluded, wording.InBin, wording.OfApp, wording.Version, wording.OwnVersion}},
	{Name: "read-only", Act: Refuse, Kind: untaken.ReadOnly, Reasons: []wording.Reason{wording.ReadOnly, wording.IsLink},
		Finds: func(_ note.Marker, f *Facts) Finding { return said(one(f.ReadOnly)) }},
	{Name: "merge", Act: Refuse, Kind: untaken.Place, Unasked: true, Cause: "the note is in the middle of a merge (line {7}), so one side of it may go",
		Mend:  "it is asked by itself when that is resolved",
		Finds: func(_ note.Marker, f *Facts) Finding { return when(f.Doc.Conflict > 0, strconv.Itoa(f.Doc.Conflict)) }},
	{Name: "drawing", Act: Refuse, Kind: untaken.Place, Unasked: true, Cause: "the note is a drawing (its properties have excalidraw-plugin), which an answer would change",
		Mend:  "ask in another note, or have this one asked with wiki scan",
		Finds: func(_ note.Marker, f *Facts) Finding { return when(f.Doc.Drawing) }},
	{Name: "template", Act: Refuse, Kind: untaken.Place, Unasked: true,
		Cause: "the note is a template ({.obsidian/daily-notes.json} names {Templates/Day}), and an answer would be in each note made from it",
		Mend:  "ask in one of these, or have this one asked with wiki scan",
		Finds: func(_ note.Marker, f *Facts) Finding { return one(f.Template).find(one(f.Template).IsNote) }},
	{Name: "template-folder", Act: Refuse, Kind: untaken.Place, Unasked: true,
		Cause: "the note is in a folder with templates ({.obsidian/templates.json} names {Templates}), and an answer would be in each note made from it",
		Mend:  "ask in one of these, or have this one asked with wiki scan",
		Finds: func(_ note.Marker, f *Facts) Finding { return one(f.Template).find(true) }},
	{Name: "template-part", Act: Refuse, Kind: untaken.Place, Unasked: true, Hidden: true,
		Cause: "the question is in a template (line {3} has {a placeholder}), and an answer would be in each copy of it",
		Mend:  "ask in one of these, put what is there between backquotes if it is only told about, or have this note asked with wiki scan",
		Finds: func(m note.Marker, f *Facts) Finding {
			part := of(f.Part, m)
			return when(part.Line > 0, strconv.Itoa(part.Line), part.Sign)
		}},
	{Name: "missing-original", Act: Refuse, Kind: untaken.Copy, Cause: "the note equals what {Plan.md} was, which is looked for under another name",
		Mend:  "change this note, and it is asked here",
		Finds: func(_ note.Marker, f *Facts) Finding { return one(f.Copy).find(one(f.Copy).Missing) }},
	{Name: "copy", Act: Refuse, Kind: untaken.Copy, Cause: "the note equals {Plan.md}, so it counts as a question of that note", Mend: "change this note, and it is asked here",
		Finds: func(_ note.Marker, f *Facts) Finding { return one(f.Copy).find(one(f.Copy).Equals) }},
	{Name: "second-name", Act: Refuse, Kind: untaken.Copy, Cause: "the note is {Plan.md} under another name, so it counts as a question of that one", Mend: "its answer comes there",
		Finds: func(_ note.Marker, f *Facts) Finding { return one(f.Copy).find(one(f.Copy).Linked) }},
	{Name: "former-copy", Act: Refuse, Kind: untaken.Copy, Cause: "the note equals what {Plan.md} was when this was asked there", Mend: "change this note, and it is asked here",
		Finds: func(_ note.Marker, f *Facts) Finding { return one(f.Copy).find(true) }},
	{Name: "version", Act: Refuse, Kind: untaken.Copy, Unasked: true,
		Cause: "the note has the name that {Syncthing} gives to a second version of {Plan.md}, so nothing is asked in it",
		Mend:  "it is asked here under another name, or when that note is gone",
		Finds: func(_ note.Marker, f *Facts) Finding {
			v := one(f.Version)
			return when(v.Original != "", v.Program, v.Original).again(later).until(v.Expiry)
		}},
	{Name: "refused", Act: Refuse, Kind: untaken.Foreign, Cause: "nothing starts in this vault: {it shares notes with another one}", Mend: "it is asked by itself when that is over",
		Finds: func(_ note.Marker, f *Facts) Finding {
			return when(one(f.Refused) != "", one(f.Refused)).again(soon)
		}},
	{Name: "foreign", Act: Refuse, Kind: untaken.Foreign, Cause: "another machine answers this vault: {wiki.owner names it}", Mend: "it is asked there",
		Finds: func(_ note.Marker, f *Facts) Finding {
			return when(one(f.Foreign) != "", one(f.Foreign)).again(soon)
		}},
	{Name: "alike", Act: Refuse, Kind: untaken.Copy, Unasked: true, Cause: "the note is much like {Plan.md}, where this was asked, so it is taken for a copy of it",
		Mend: "edit the line, or ask for it with wiki scan, and it is asked here",
		Finds: func(m note.Marker, f *Facts) Finding {
			return when(of(f.Alike, m) != "", of(f.Alike, m)).again(soon)
		}},
	{Name: "plan", Act: Refuse, Kind: untaken.Place, Cause: "{what is said of its answers cannot be read}",
		Mend: `write such as "keep 4" or "newest last", or a colon right behind the time`,
		Finds: func(m note.Marker, _ *Facts) Finding {
			p, _, _ := schedule.ParseQuestion(m.Instruction)
			return said(p.Problem)
		}},

	{Name: "decision", Act: Wait, Cause: "yes and no are not asked; right below a question they decide about its answer for you to approve",
		Mend: "delete the line when that is done",
		Finds: func(m note.Marker, f *Facts) Finding {
			found := when(of(f.Decision, m))
			if of(f.Unsettled, m) && !f.Request {
				return found.until(f.SettleDue)
			}
			return found
		}},
	{Name: "answered", Act: Wait, Cause: "it was answered, and another program has written over the answer", Mend: "the answer is written again",
		Finds: func(m note.Marker, f *Facts) Finding { return when(of(f.Overwritten, m)) }},
	{Name: "paused", Act: Wait, Unasked: true, Cause: wording.Paused,
		Mend: "this question starts when it has settled, because you have asked about it",
		Finds: func(m note.Marker, f *Facts) Finding {
			return when(f.Paused && of(f.Unsettled, m), f.Vault).until(f.SettleDue)
		}},
	{Name: "settling", Act: Wait, Unasked: true, Cause: "it is settling", Mend: "it starts when its line has not changed for a moment",
		Finds: func(m note.Marker, f *Facts) Finding { return when(of(f.Unsettled, m)).until(f.SettleDue) }},
	{Name: "moved", Act: Wait, Cause: "it may be a question of a note that is gone", Mend: "it goes on by itself when that is certain",
		Finds: func(m note.Marker, f *Facts) Finding { return when(of(f.Stray, m)) }},

	{Name: "old", Act: Hold, Hold: journal.ForOld, Cause: "written before the vault was first watched",
		Finds: func(m note.Marker, f *Facts) Finding { return when(of(f.Origin, m) == journal.ForOld) }},
	{Name: "untrusted", Act: Hold, Hold: journal.ForUntrusted, Cause: "brought by a note from elsewhere (wiki.untrusted, or it names a source, a url or the tag clippings)",
		Finds: func(m note.Marker, f *Facts) Finding { return when(of(f.Origin, m) != "") }},
	Burst,
	{Name: "per-note", Act: Hold, Hold: journal.ForLimit, Cause: "the note holds {51} markers, more than wiki.limits.perNote ({50})",
		Finds: func(_ note.Marker, f *Facts) Finding {
			return when(f.PerNote > 0 && len(f.Doc.Markers) > f.PerNote, strconv.Itoa(len(f.Doc.Markers)), strconv.Itoa(f.PerNote))
		}},

	Again,

	{Name: "start", Act: Start, Cause: "nothing is against it", Mend: "it starts now",
		Finds: func(note.Marker, *Facts) Finding { return when(true) }},
}

// findUnanswered refuses questions that no agent answers. If the line came with its note, it first
// waits for a person, who sees it there.
func findUnanswered(m note.Marker, f *Facts) Finding {
	row := of(f.Unanswered, m)
	if row.Kind == "" || of(f.Origin, m) != "" {
		return Finding{}
	}
	return Finding{Decides: true, Sentence: row.Reason, Correction: row.Mend}
}

// find is whether a rule about templates decides.
func (t Template) find(is bool) Finding {
	return when(t.Path != "" && is, t.Setting, t.Path).again(soon)
}

// find is whether a rule about copies decides.
func (c Copy) find(is bool) Finding {
	return when(c.Original != "" && is, c.Original).again(soon)
}

func when(is bool, values ...string) Finding { return Finding{Decides: is, Values: values} }

// said is for a fact that is a sentence.
func said(sentence string) Finding { return Finding{Decides: sentence != "", Sentence: sentence} }

func (f Finding) again(after time.Duration) Finding { f.Delay = after; return f }

// until is again for a time that is known.
func (f Finding) until(at time.Time) Finding { f.Recheck = at; return f }
