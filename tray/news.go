package tray

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/rows"
	"vaultdispatcher/engine/api/teaser"
	"vaultdispatcher/engine/wording"
)

// bulletin is one notification.
type bulletin struct {
	title, body string
	note        *api.Dispatch // whose note a click opens; nil = the dashboard
	answered    string        // the dispatch whose answer is to be told before the question; "" = none
}

const (
	// quiet is the time between two bulletins; what happens meanwhile is told in one.
	quiet = 5 * time.Second

	// gather is how long the first thing to tell waits for others of its moment.
	gather = time.Second

	// mostKnown is how many dispatches are remembered, or somewhat more.
	mostKnown = 4000
)

// herald finds out what to notify of: each group that was answered, each that has
// failed, each whose answer waits for approval or has no place, once. It belongs to one goroutine.
type herald struct {
	start     time.Time
	outcomes  map[string]string // of each dispatch that was listed lately, how it had ended
	earlier   map[string]string // the outcomes of before it grew too large
	pending   []api.Dispatch
	untaken   map[string]bool // notes with what is not taken up, as they were told of last; nil = never
	firstNews time.Time       // when the first of pending or untaken was heard of
	lastNews  time.Time
}

// takeDispatches takes the dispatches of a status. What had ended before the first one is no
// news, and neither is what ends while muted. A list may leave some out and have them
// again later.
func (h *herald) takeDispatches(list []api.Dispatch, now time.Time, muted bool) {
	first := h.outcomes == nil
	if first {
		h.start = now
	}
	if first || len(h.outcomes) > mostKnown {
		h.earlier, h.outcomes = h.outcomes, make(map[string]string, len(list))
	}
	for _, d := range slices.Backward(list) { // the oldest first
		end := describeEnding(d)
		before, seen := h.outcomes[d.ID]
		if !seen {
			before, seen = h.earlier[d.ID]
		}
		h.outcomes[d.ID] = end
		at := d.FinishedAt
		if d.Status == "proposed" { // has not ended; it was asked at the earliest when it was made
			at = &d.CreatedAt
		}
		old := !seen && (at == nil || predatesRun(*at, h.start, now, now.Sub(h.start)))
		if end == "" || end == before || first || old || muted {
			continue
		}
		if len(h.pending) == 0 {
			h.firstNews = now
		}
		h.pending = append(h.pending, d)
	}
	if muted {
		h.pending = nil
	}
}

// takeUntaken takes what is not taken up: a note that was not told of before is news, with the
// first of its lines.
func (h *herald) takeUntaken(list []api.Untaken, now time.Time, muted bool) {
	before := h.untaken
	h.untaken = make(map[string]bool)
	for _, u := range list {
		name := u.Vault + "/" + u.File
		if u.Quiet || h.untaken[name] {
			continue
		}
		h.untaken[name] = true
		if before == nil || before[name] || muted {
			continue
		}
		if len(h.pending) == 0 {
			h.firstNews = now
		}
		h.pending = append(h.pending, dispatchOfUntaken(u))
	}
}

// dispatchOfUntaken returns a line that is not taken up in the form of a dispatch.
func dispatchOfUntaken(u api.Untaken) api.Dispatch {
	d := api.Dispatch{Vault: u.Vault, File: u.File, Status: untakenStatus, Instruction: u.Text, Error: u.Reason}
	if u.Mend != "" {
		d.Error = "Write " + u.Mend + " – " + u.Reason
	}
	return d
}

// answered is the word for what is done, noResult and someResult for what says of all or of some questions that nothing was found or made.
var answered, noResult, someResult = "answered", wording.Outcome("done", "none"), wording.Outcome("done", "some")

// untakenStatus is the status of what is no dispatch.
const untakenStatus = "not taken up"

// predatesRun reports whether something ended before we have begun, both by the clock as it
// was then and as it is now, for it may have been set; ran is how long we have run.
func predatesRun(finished, begun, now time.Time, ran time.Duration) bool {
	return finished.Before(begun) && finished.Before(now.Add(-ran))
}

// describeEnding tells one end of a dispatch from its next, after a retry; "" before its end.
func describeEnding(d api.Dispatch) string {
	if !slices.Contains([]string{"done", "failed", "parked", "proposed"}, d.Status) {
		return ""
	}
	if d.FinishedAt == nil {
		return d.Status
	}
	return d.Status + d.FinishedAt.String()
}

// nextTime is when there is something to be said; the zero time is never.
func (h *herald) nextTime() time.Time {
	if len(h.pending) == 0 {
		return time.Time{}
	}
	at := h.firstNews.Add(gather)
	if rested := h.lastNews.Add(quiet); rested.After(at) {
		at = rested
	}
	return at
}

// nextTimer returns a channel that says so at that time.
func (h *herald) nextTimer() <-chan time.Time {
	if at := h.nextTime(); !at.IsZero() {
		return time.After(time.Until(at))
	}
	return nil
}

// nextBulletin returns what is to be said now, if anything.
func (h *herald) nextBulletin(now time.Time) (bulletin, bool) {
	if at := h.nextTime(); at.IsZero() || now.Before(at) {
		return bulletin{}, false
	}
	all := h.pending
	h.pending, h.lastNews = nil, now
	questions := rows.OfList(all, "")
	if len(questions) == 1 || len(all) == 1 && all[0].Error != "" {
		return bulletinOfOne(questions[0]), true
	}
	return bulletinOfSeveral(questions), true
}

// bulletinOfOne is the bulletin of one question, or of a group of which there is one thing to say.
func bulletinOfOne(q rows.Question) bulletin {
	d := q.Dispatch
	in := " in " + recentName(d)
	b := bulletin{note: &d, body: wording.Shorten(wording.Line(q.Text), 200)}
	if d.Error == "" && d.Status != "failed" {
		b.answered = d.ID
	}
	if d.File == "" {
		in, b.note = "", nil
	}
	switch {
	case d.Status == "done" && d.Error != "":
		b.title, b.body = "An answer"+in, wording.Shorten(wording.Line(d.Error), 200)
	case q.Result == "none":
		b.title = "No result" + in
	case q.Result == "some":
		b.title = "Partly no result" + in
	case d.Status == "done":
		b.title = "Answered" + in
	case d.Status == "parked":
		b.title, b.note = "An answer lost its place"+in, nil
	case d.Status == "proposed":
		b.title, b.note = "For you to approve"+in, nil
	default:
		b.title = "Not answered" + in
		if d.Status == untakenStatus {
			b.title = "Not taken up" + in
		}
		if d.Error != "" {
			b.body = wording.Shorten(wording.Line(d.Error), 200)
		}
	}
	return b
}

// quoteAnswer is a bulletin with the line that says what the answer is.
func (b bulletin) quoteAnswer(answers []api.Answer) bulletin {
	if len(answers) == 1 {
		b.body = strings.TrimPrefix(teaser.OfAnswer(b.body, answers[0].Answer)+"\n"+b.body, "\n")
	}
	return b
}

// bulletinOfSeveral is one bulletin for many ends. A click opens the note if all are in one.
func bulletinOfSeveral(all []rows.Question) bulletin {
	n, names := make(map[string]int), []string{}
	for _, q := range all {
		word := wording.Outcome(q.Status, q.Result)
		if word == "done" {
			word = answered
		}
		n[word]++
		if name := recentName(q.Dispatch); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	var parts []string
	for _, word := range []string{answered, someResult, noResult, wording.Status("failed"), wording.Status("proposed"), wording.Status("parked"), untakenStatus} {
		if n[word] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n[word], word))
		}
	}
	b := bulletin{title: strings.Join(parts, ", "), body: strings.Join(names[:min(4, len(names))], ", ")}
	if len(names) > 4 {
		b.body += fmt.Sprintf(" and %d more", len(names)-4)
	}
	other := func(q rows.Question) bool { return q.Vault != all[0].Vault || q.File != all[0].File }
	if n[answered]+n[noResult] == len(all) && all[0].File != "" && !slices.ContainsFunc(all, other) {
		b.note = &all[0].Dispatch
	}
	return b
}
