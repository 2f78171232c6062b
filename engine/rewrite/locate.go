package rewrite

import (
	"slices"
	"strings"

	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/find"
)

// locateMarkers finds for each of the job's places the marker it has become, or -1. It looks for the
// places of others as well: a place that is gone must not be given an equal line that is another's. If
// equal lines are too few for all places, those whose answer is in the note already get no marker.
func locateMarkers(src []byte, markers []note.Marker, job Job, answers []string) []int {
	there := findWrittenAnswers(src, answers, findScarcePlaces(markers, job))
	found := make([]int, len(job.Places))
	var traces []note.Trace
	var of []int // the place of each trace; the others' come behind
	for i, p := range job.Places {
		if found[i] = -1; !there[i] {
			traces, of = append(traces, p.Trace), append(of, i)
		}
	}
	for _, p := range job.Siblings {
		traces = append(traces, p.Trace)
	}
	for n, at := range find.MatchFirst(markers, traces)[:len(of)] {
		found[of[n]] = at
	}
	return found
}

// cutToPlaces is the document of a note with the markers that were found as long as their places: a
// person's own words, which the note alone does not tell from the question, stay.
func cutToPlaces(page *note.Page, job Job, found []int) note.Doc {
	doc, lines, fewer := page.Doc(), make(map[int]int), false
	for i, at := range found {
		if at >= 0 {
			m := doc.Markers[at]
			lines[m.Line] = note.CountLines(job.Places[i].Text)
			fewer = fewer || lines[m.Line] <= m.Ends-m.Line
		}
	}
	if !fewer {
		return doc
	}
	return page.Cut(func(m note.Marker) int {
		if n := lines[m.Line]; n > 0 {
			return n
		}
		return m.Ends
	})
}

// findScarcePlaces are the job's places whose first line is wanted by more places, those of
// others included, than the note has such lines.
func findScarcePlaces(markers []note.Marker, job Job) (few []int) {
	left := make(map[string]int)
	for _, m := range markers {
		left[note.Head(m.Text)]++
	}
	for _, p := range slices.Concat(job.Places, job.Siblings) {
		left[note.Head(p.Text)]--
	}
	for i, p := range job.Places {
		if left[note.Head(p.Text)] < 0 {
			few = append(few, i)
		}
	}
	return few
}

// findWrittenAnswers reports which of the missing places' answers are already in the note as response
// blocks: written by an earlier call whose end the caller never learned of. Each block counts for one
// answer.
func findWrittenAnswers(src []byte, answers []string, missing []int) map[int]bool {
	there := make(map[int]bool)
	if len(missing) == 0 {
		return there
	}
	blocks := make([]string, len(missing))
	for n, i := range missing {
		blocks[n] = string(note.Respond([]byte("\n"), note.Marker{}, answers[i]).New)
	}
	open, _, _ := strings.Cut(blocks[0], "\n")
	text := stripSurroundings(string(src), open)
	left := make(map[string]int)
	for n, i := range missing {
		block := stripSurroundings(blocks[n], open)
		if _, ok := left[block]; !ok {
			left[block] = strings.Count(text, block)
		}
		if left[block] > 0 {
			left[block]--
			there[i] = true
		}
	}
	return there
}

// stripSurroundings removes from every line the signs that its surroundings may have put around it or
// needed within it ([sanitize.Replies]): spaces, and the signs and empty lines by which a heading and
// a bold line differ. So the same block compares equal in a quote, a list and the open text, whatever
// headings the note has. Only a block's first line, open, can be behind a list's bullet.
func stripSurroundings(text, open string) string {
	bare := strings.NewReplacer("\r\n", "\n", "\r", "\n", " ", "", "#", "", "*", "", "_", "", "=", "")
	text, open = bare.Replace(text), bare.Replace(open)
	const around = "\t\n>"
	open = strings.Trim(open, around)
	var b strings.Builder
	for line := range strings.Lines(text) {
		line = strings.Trim(line, around)
		if strings.HasSuffix(line, open) {
			line = open
		}
		if strings.Trim(line, "-") != "" {
			b.WriteString(line)
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// sortOut moves the missing places whose answer is already in the note to the written ones.
func (r *Result) sortOut(there map[int]bool) {
	missing := r.Missing
	r.Missing = nil
	for _, i := range missing {
		if there[i] {
			r.Written = append(r.Written, i)
		} else {
			r.Missing = append(r.Missing, i)
		}
	}
}
