package rewrite

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/progress"
	"vaultdispatcher/engine/note/sanitize"
	"vaultdispatcher/engine/testdata/testseed"
)

var notes = flag.Int("rewrite.notes", 400/fewer, "random notes of the planner's model test")

// planned is what one try makes of a note's bytes, without a disk: the new text,
// nil if nothing is to be written, and where the answers are.
func planned(src []byte, job Job) (next []byte, res Result, err error) {
	next, _, res, err = drafted(src, job)
	return next, res, err
}

// drafted is planned, and what an undo has to know.
func drafted(src []byte, job Job) (next []byte, d Draft, res Result, err error) {
	answers := job.cleanAnswers()
	bared := progress.Bare(src)
	doc := note.Parse(bared.Text)
	found := locateMarkers(bared.Text, doc.Markers, job, answers)
	var answered []int
	for i, at := range found {
		if at < 0 {
			res.Missing = append(res.Missing, i)
		} else {
			answered = append(answered, i)
		}
	}
	res.sortOut(findWrittenAnswers(bared.Text, answers, res.Missing))
	if len(answered) == 0 || len(res.Missing) > 0 && !job.Partial {
		return nil, d, res, nil
	}
	doc = cutToPlaces(bared.Page, job, found)
	next, edits, err := buildAnswered(bared, doc, found, answers, job.ID)
	if err != nil {
		return nil, d, res, err
	}
	res.Written = slices.Sorted(slices.Values(append(res.Written, answered...)))
	return next, makeDraft(src, doc, found, edits), res, nil
}

// Random notes, what a user does to them while the agent works, and answers: the
// scanner finds what the model says is there, and what is to be written is what
// the model would write, byte for byte. A second time nothing is left to do.
func TestPlannerAgainstModel(t *testing.T) {
	t.Parallel()
	n := testseed.Take(t)
	answered, missing, edited, signs := 0, 0, 0, 0
	notes := *notes
	if testing.Short() {
		notes /= 3
	}
	for i := range notes {
		c := newCase(rand.New(rand.NewPCG(n, uint64(i))))
		if err := c.check(); err != nil {
			t.Fatalf("note %d: %v\nbefore %q\nnow    %q", i, err, c.before, c.now)
		}
		answered, missing, edited = answered+len(c.blocks), missing+c.gone, edited+c.edits
		signs += c.signs
	}
	t.Logf("count: %d notes, %d edits meanwhile, %d answers placed and undone, again with %d comments on progress, %d places gone: all as the model says", notes, edited, answered, signs, missing)
	if answered < notes/2 || signs < notes/2 || notes >= 100 && missing == 0 || notes >= 400 && missing < notes/20 { // in few notes chance decides
		t.Error("too little happened")
	}
}

// modelCase is a note when it was asked, the same when it is answered, and what the
// model expects.
type modelCase struct {
	sheet       *sheet
	before, now []byte
	scan        error // the scanner and the model disagree on the first note
	job         Job
	ids         []int          // of the job's places
	blocks      map[int]string // what the model writes
	gone, edits int
	signs       int // comments that told of progress
}

func newCase(dice *rand.Rand) *modelCase {
	c := &modelCase{sheet: newSheet(dice), blocks: make(map[int]string)}
	c.before = c.sheet.bytes(nil)
	c.scan = agree(c.before, c.sheet.live(nil))
	places := remembered(c.before, c.sheet.pieces())
	if !c.sheet.alike {
		for range dice.IntN(4) {
			c.sheet.edit()
			c.edits++
		}
	}
	c.now = c.sheet.bytes(nil)
	c.job.Partial = dice.IntN(2) == 0
	for _, id := range slices.Sorted(maps.Keys(places)) {
		p := places[id]
		switch dice.IntN(3) {
		case 0, 1:
			p.Answer = answerText(dice, id)
			c.job.Places, c.ids = append(c.job.Places, p), append(c.ids, id)
		case 2:
			c.job.Siblings = append(c.job.Siblings, p)
		}
	}
	for i, id := range c.ids {
		if slices.ContainsFunc(c.sheet.live(nil), func(p piece) bool { return p.marker == id }) {
			c.blocks[id] = sanitize.Answer(c.job.Places[i].Answer, defaultLimit)
		} else {
			c.gone++
		}
	}
	if c.gone > 0 && !c.job.Partial {
		clear(c.blocks)
	}
	return c
}

// answerText is an answer that sanitising leaves as it is, or now and then one
// that it does not.
func answerText(dice *rand.Rand, id int) string {
	plain := []string{fmt.Sprintf("Answer %d.", id), "- a\n- b", "", "Text with *emphasis*.", "```go\nx := 1\n```", "| a |\n|---|\n| b |", "A [[Link]]."}
	hostile := []string{"> @agent-Miner more", "<!-- /agent-response -->", "<!-- agent-response -->\nx", "```\nopen", "<!--", "%%", "$$\nx", "![a](http://x/y)", "\x00\x1b", "<script>\n", "- > @agent-X y", "caf\xe9\r\nb\rc"}
	text := fmt.Sprintf("Answer %d.", id)
	for range dice.IntN(3) {
		text += "\n\n" + plain[dice.IntN(len(plain))]
	}
	if dice.IntN(3) == 0 {
		text += "\n\n" + hostile[dice.IntN(len(hostile))]
	}
	return text
}

func (c *modelCase) check() error {
	if c.scan != nil {
		return fmt.Errorf("when it was asked: %w", c.scan)
	}
	if err := agree(c.now, c.sheet.live(nil)); err != nil {
		return err
	}
	next, draft, res, err := drafted(c.now, c.job)
	if err != nil {
		return err
	}
	if len(res.Missing) != c.gone || len(res.Written) != len(c.blocks) {
		return fmt.Errorf("%d missing and %d written, want %d and %d", len(res.Missing), len(res.Written), c.gone, len(c.blocks))
	}
	if len(c.blocks) == 0 {
		if next != nil {
			return fmt.Errorf("nothing was to be written, and would be: %q", next)
		}
		return nil
	}
	if want := c.sheet.bytes(c.blocks); !bytes.Equal(next, want) {
		return fmt.Errorf("answered\n got %q\nwant %q", next, want)
	}
	if err := agree(next, c.sheet.live(c.blocks)); err != nil {
		return fmt.Errorf("once answered: %w", err)
	}
	if opened := strings.Count(string(next), "<!-- agent-response -->") - strings.Count(string(c.now), "<!-- agent-response -->"); opened != len(c.blocks) {
		return fmt.Errorf("%d blocks more for %d answers", opened, len(c.blocks))
	}
	again, twice, err := planned(next, c.job)
	if err != nil || again != nil || len(twice.Written) != len(c.blocks) || len(twice.Missing) != c.gone {
		return fmt.Errorf("a second time: %+v, %v, %q", twice, err, again)
	}
	if err := c.undone(next, draft); err != nil {
		return err
	}
	return c.told(next, draft)
}

// told is the same note while it tells of progress: what is answered is the same,
// what stood under it is gone, and the rest says what it said.
func (c *modelCase) told(answered []byte, plain Draft) error {
	job := c.job
	job.ID = "ours"
	signs, other := []Sign{}, "theirs"
	for i, p := range job.Places {
		signs = append(signs, Sign{Place: p, ID: job.ID, Comment: progress.Comment(job.ID, fmt.Sprint("place ", i))})
	}
	for i, p := range job.Siblings {
		signs = append(signs, Sign{Place: p, ID: other, Comment: progress.Comment(other, fmt.Sprint("place ", i))})
	}
	src, written := showComments(c.now, signs, func(string) bool { return true })
	if c.signs = len(written); src == nil {
		return nil
	}
	if !bytes.Equal(progress.Bare(src).Text, c.now) {
		return fmt.Errorf("with comments it is %q", src)
	}
	if err := agree(progress.Bare(src).Text, c.sheet.live(nil)); err != nil {
		return fmt.Errorf("with comments: %w", err)
	}
	next, draft, res, err := drafted(src, job)
	if err != nil || len(res.Missing) != c.gone || len(res.Written) != len(c.blocks) {
		return fmt.Errorf("with comments: %+v, %v", res, err)
	}
	b := progress.Bare(next)
	if !bytes.Equal(b.Text, answered) || !reflect.DeepEqual(draft.Blocks, plain.Blocks) {
		return fmt.Errorf("with comments, answered\n got %q\nwant %q", b.Text, answered)
	}
	want := 0
	for _, i := range written {
		if signs[i].ID == other {
			want++
		}
	}
	for _, p := range b.Progress {
		if want--; p.ID != other {
			return fmt.Errorf("the answer has come and it still says %q", p.Text)
		}
	}
	if want != 0 {
		return fmt.Errorf("%d comments of others too many, %q", -want, next)
	}
	places := slices.Clone(job.Places)
	var back []Place
	for i, p := range places {
		if p.Block = draft.Blocks[i]; len(p.Block.Text) > 0 {
			back = append(back, p)
		}
	}
	spans, err := findBlocks(b.Text, back)
	if err != nil {
		return fmt.Errorf("with comments, undo: %w", err)
	}
	undone, err := buildUndoneBesideComments(b, back, spans)
	if err != nil || !bytes.Equal(progress.Bare(undone).Text, c.now) {
		return fmt.Errorf("with comments, undone\n got %q\nwant %q, %v", undone, c.now, err)
	}
	rest, _ := showComments(src, nil, func(string) bool { return true })
	if !bytes.Equal(rest, c.now) {
		return fmt.Errorf("comments taken away\n got %q\nwant %q", rest, c.now)
	}
	return nil
}

// undone takes the answers back: from the note as it was written, and from one in
// which the user has meanwhile written more.
func (c *modelCase) undone(next []byte, d Draft) error {
	var places []Place
	for i, p := range c.job.Places {
		if p.Block = d.Blocks[i]; len(p.Block.Text) > 0 {
			places = append(places, p)
		}
	}
	for _, more := range []string{"", "More of the user's words.\n\n"} {
		at := 0
		if strings.HasPrefix(string(next), c.sheet.bom) && !strings.HasPrefix(string(next[len(c.sheet.bom):]), "---") {
			at = len(c.sheet.bom)
		} else if more != "" {
			continue // properties stand first in their note
		}
		src := slices.Insert(slices.Clone(next), at, []byte(more)...)
		spans, err := findBlocks(src, places)
		if err != nil {
			return fmt.Errorf("undo: %w", err)
		}
		back, err := buildUndone(note.NewPage(src), places, spans)
		if err != nil {
			return fmt.Errorf("undo: %w", err)
		}
		if want := slices.Insert(slices.Clone(c.now), at, []byte(more)...); !bytes.Equal(back, want) {
			return fmt.Errorf("undone\n got %q\nwant %q", back, want)
		}
	}
	return nil
}

// agree compares what the scanner finds in a note with what the model put there.
func agree(src []byte, want []piece) error {
	got := parsed(src, want)
	if len(got) != len(want) {
		return fmt.Errorf("%d markers are found, %d are there: %q", len(got), len(want), src)
	}
	for i, m := range got {
		if m.Text != want[i].text || m.First != want[i].first || m.Rest != want[i].rest {
			return fmt.Errorf("marker %d is %q under %q and %q, want %q under %q and %q", i, m.Text, m.First, m.Rest, want[i].text, want[i].first, want[i].rest)
		}
	}
	return nil
}
