package rewrite

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/part"
	"vaultdispatcher/engine/rewrite/swap"
)

// editing returns the job of a scene's question to Editor whose answer takes the place of a part of the note.
func (s scene) editing(reply func(text string) string) (Job, error) {
	src := []byte(s.read())
	job := Job{Root: s.root, Path: s.path, ID: "1abc"}
	for _, m := range note.Parse(src).Markers {
		if m.Role != "Editor" {
			job.Siblings = append(job.Siblings, place(m, ""))
			continue
		}
		edits, err := FindEdits(note.NewPage(src), []note.Marker{m})
		if err != nil {
			return job, err
		}
		p := place(m, reply(edits[0].Text))
		p.Edit = &edits[0]
		job.Places = append(job.Places, p)
	}
	return job, nil
}

// editNote edits the note of a scene and returns the job that undoes it.
func (s scene) editNote(job Job) (Job, error) {
	var last Draft
	job.Draft = func(d Draft) { last = d }
	var logged []swap.Intention
	if _, err := brisk.answerGroup(ctx, job, logTo(&logged)); err != nil {
		return job, err
	}
	s.settle(logged)
	job.Draft, job.Places = nil, slices.Clone(job.Places)
	job.Places[0].Block = last.Blocks[0]
	if last.Edits != nil {
		job.Places[0].Edit = &last.Edits[0]
	}
	return job, nil
}

func TestEdit(t *testing.T) {
	t.Parallel()
	told := func(what string) string {
		return "<!-- agent-response -->\nEdited the " + what + "; written at once. `wiki undo 1abc` takes it back.\n<!-- /agent-response -->\n"
	}
	for name, c := range map[string]struct{ src, reply, want string }{
		"paragraph":   {"a\n\none two\n\n> @agent-Editor x\n\nb\n", "one", "a\n\none\n\n" + told("paragraph above: 0 words added, 1 removed") + "\nb\n"},
		"more lines":  {"a\n\none\n> @agent-Editor x\n", "one\n\ntwo", "a\n\none\n\ntwo\n" + told("paragraph above: 1 word added, 0 removed")},
		"a callout":   {"> [!note] A\n>\n> one\n> two\n> @agent-Editor x\n", "one\n\n2", "> [!note] A\n>\n> one\n> \n> 2\n> " + strings.TrimSuffix(strings.ReplaceAll(told("paragraph above: 1 word added, 1 removed"), "\n", "\n> "), "> ")},
		"acts there":  {"> [!note] A\n>\n> one\n> @agent-Editor x\n", "```yaml\n- uses: ${{ x }}\n```", "> [!note] A\n>\n> ```yaml\n> - uses: ${ { x }}\n> ```\n> <!--"},
		"in a list":   {"- one\n  > @agent-Editor x\n- two\n", "- 1\n⟦1⟧\n- two\n- 3", "- 1\n  " + strings.TrimSuffix(strings.ReplaceAll(told("list it stands in: 2 words added, 1 removed"), "\n", "\n  "), "  ") + "- two\n- 3\n"},
		"unchanged":   {"one\n\n> @agent-Editor x\n", "one", "one\n\n<!-- agent-response -->\nThe paragraph above stays as it is: nothing was changed.\n<!-- /agent-response -->\n"},
		"a section":   {"# A\n> @agent-Editor x\n\none ^a\n\n<!-- c -->\n\ntwo", "two⟦1⟧\n\n⟦2⟧\n\nthree", "# A\n" + told("section: 1 word added, 1 removed") + "\ntwo ^a\n\n<!-- c -->\n\nthree"},
		"a question":  {"one\n\n> @agent-Editor x\n", "> @agent-Miner why?", "> \\@agent-Miner why?\n\n" + told("paragraph above: 2 words added, 1 removed")},
		"old signs":   {"<%x%> one\ntwo\n\n> @agent-Editor x\n", "<%x%> one\n2", "<%x%> one\n2\n\n" + told("paragraph above: 1 word added, 1 removed")},
		"comes alive": {"use `<script>` here\n\n> @agent-Editor x\n", "a ` b\nuse `<script>` here", ""},
		"properties":  {"one\n\n> @agent-Editor x\n\n---\n", "---\ntags: a", "***\ntags: a\n\n" + told("paragraph above: 2 words added, 1 removed")},
		"a tag of us": {"one\n\n> @agent-Editor x\n", "<!-- agent-response -->\nx", "&lt;!-- agent&#45;response -->\nx\n\n" + told("paragraph above: 3 words added, 1 removed")},
	} {
		s := newScene(t, t.TempDir(), c.src)
		job, err := s.editing(func(string) string { return c.reply })
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		undo, err := s.editNote(job)
		if got := s.read(); c.want == "" && (err == nil || got != c.src) || c.want != "" && (err != nil || !strings.HasPrefix(got, c.want)) {
			t.Errorf("%s: %v\n%s\nwant\n%s", name, err, got, c.want)
		}
		if err == nil {
			if _, err := Undo(ctx, undo, unlogged); err != nil || s.read() != c.src {
				t.Errorf("%s: undone: %q, %v", name, s.read(), err)
			}
		}
	}
}

// randomNote is a note with a question to Editor and much that has to stay.
func randomNote(r *rand.Rand) string {
	pieces := []string{
		"one two three\nfour five", "- a b\n- c d ^abc\n  - e", "| a | b |\n|---|---|\n| c | d |", "> quoted\n> words", "## Heading\n\ntext below",
		"> @agent-Miner what?", "> @agent-Miner!\n> other", "<!-- agent-response -->\nan answer\n<!-- /agent-response -->", "```go\ncode ⟦\n```", "$$\nx\n$$",
		"%% hidden %%", "text %% in %% it ^x1", "%%\nlong\n\nhidden\n%%", "<!-- c -->", "a [^1] b ![p](http://p) <u>c</u>", "[^1]: note", "[l]: http://l", "key:: value",
		"<div>\nhtml\n</div>", "---", "a `code\nover lines` b", "a `code` b", "> [!note] T\n> a\n> b", "1. x\n2. y", "\ta tab", "wörds and 汉字 😀", "-  \n-", "* * *", "line  \nbreak\\\nend",
	}
	var parts []string
	for range r.IntN(8) {
		parts = append(parts, pieces[r.IntN(len(pieces))])
	}
	ask := []string{"> @agent-Editor mend it", "> [!note] A\n>\n> p q\n> r s\n> @agent-Editor mend it", "- i\n  > @agent-Editor mend it\n- j", "# H\n> @agent-Editor mend it", "w v\n> @agent-Editor mend it"}[r.IntN(5)]
	parts = slices.Insert(parts, r.IntN(len(parts)+1), ask)
	text := strings.Join(parts, []string{"\n\n", "\n\n", "\n"}[r.IntN(3)])
	if r.IntN(4) == 0 {
		text = "---\ntags: [a]\n---\n" + text
	}
	if r.IntN(2) == 0 {
		text += "\n"
	}
	if eol := []string{"\n", "\n", "\r\n", "\r\r\n", "\r"}[r.IntN(5)]; eol != "\n" {
		text = strings.ReplaceAll(text, "\n", eol)
	}
	if r.IntN(5) == 0 {
		text = "\ufeff" + text
	}
	return text
}

// randomReply changes a text that an agent was shown, often so that it does not fit.
func randomReply(r *rand.Rand, text string) string {
	lines := strings.Split(text, "\n")
	more := []string{"new words", "", "- new", "```", "> @agent-Miner no?", "---", "<!-- x", "%%", "$$", "# H", "[^1]: x", "<!-- agent-response -->", "`", "<div>", "⟦1⟧", "a:: b"}
	for range 1 + r.IntN(4) {
		switch i := r.IntN(len(lines)); r.IntN(4) {
		case 0:
			lines = slices.Insert(lines, i, more[r.IntN(len(more))])
		case 1:
			if len(lines) > 1 && !strings.Contains(lines[i], "⟦") {
				lines = slices.Delete(lines, i, i+1)
			}
		case 2:
			lines[i] = strings.Replace(lines[i], " ", " very ", 1)
		default:
			lines[i] = strings.ToUpper(lines[i])
		}
	}
	return strings.Join(lines, "\n")
}

// Whatever a note and a reply hold: nothing but the part and the line of the question changes, all that has to stay in the part
// stays, and an undo brings every byte back, also when other lines were changed since.
func TestEditsStayInTheirPart(t *testing.T) {
	t.Parallel()
	dice := random(t)
	tries := 4000
	if testing.Short() {
		tries = 400
	}
	written, refused, none := 0, 0, 0
	s := newScene(t, t.TempDir(), "")
	for range tries {
		src := randomNote(dice)
		s.put(src)
		job, err := s.editing(func(text string) string { return randomReply(dice, text) })
		if err != nil || len(job.Places) == 0 {
			none++
			continue
		}
		undo, err := s.editNote(job)
		got := s.read()
		if err != nil {
			if refused++; got != src {
				t.Fatalf("refused with %v, and\n%q\nbecame\n%q", err, src, got)
			}
			continue
		}
		written++
		if why := beyond(src, got, undo.Places[0]); why != "" {
			t.Fatalf("%s:\n%q\nbecame\n%q\nby %q", why, src, got, job.Places[0].Answer)
		}
		more := dice.IntN(2) == 0
		if more {
			s.put(got + "\n\nadded at the end\n")
		}
		if _, err := brisk.undo(ctx, undo, unlogged); err != nil {
			t.Fatalf("undo: %v:\n%q\nbecame\n%q", err, src, got)
		}
		want := src
		if more {
			want += "\n\nadded at the end\n"
		}
		if back := s.read(); back != want {
			t.Fatalf("undone:\n%q\nwas\n%q", back, want)
		}
	}
	t.Logf("count: %d edits written, %d refused, %d notes without a part; 0 bytes beyond the part", written, refused, none)
	if written < tries/8 {
		t.Error("too few edits were written to say anything")
	}
}

// put makes a note anew, as if long ago.
func (s scene) put(text string) {
	s.t.Helper()
	old := time.Now().Add(-time.Minute)
	if err := errors.Join(os.WriteFile(s.path, []byte(text), 0o644), os.Chtimes(s.path, old, old)); err != nil {
		s.t.Fatal(err)
	}
}

// beyond says what of a note was changed beyond the part and the question of a place, or nothing.
func beyond(src, got string, p Place) string {
	m := note.Parse([]byte(src)).Markers
	asked := m[slices.IndexFunc(m, func(m note.Marker) bool { return m.Role == "Editor" })]
	was, err := part.Find(note.NewPage([]byte(src)), asked, "")
	if err != nil {
		return err.Error()
	}
	back := strings.Replace(got, string(p.Block.Text), p.Text, 1)
	now := was.Bytes([]byte(src))
	if p.Edit != nil {
		now = p.Edit.New
	}
	span := was.Span()
	if back != src[:span.Start]+string(now)+src[span.End:] {
		return "bytes beyond the part are others"
	}
	for _, kept := range []string{" ^abc", " ^x1", "%% hidden %%", "%% in %%", "<!-- c -->", "![p](http://p)", "[^1]", "key:: value", "[l]: http://l", "<u>", "</u>", "code ⟦", "an answer", "hidden", "html", "tags: [a]"} {
		if kept == "html" && strings.Contains(src, "\r\r\n") {
			continue // two line ends: the block of HTML ends above it
		}
		if a, b := strings.Count(src, kept), strings.Count(got, kept); a > b {
			return fmt.Sprintf("%q stood there %d times and does %d times", kept, a, b)
		}
	}
	heads := func(text string) (all []string) {
		for _, m := range note.Parse([]byte(text)).Markers {
			if m.Role != "Editor" {
				all = append(all, note.Head(m.Text))
			}
		}
		return all
	}
	if a, b := heads(src), heads(got); !slices.Equal(a, b) {
		return fmt.Sprintf("the questions are %q and were %q", b, a)
	}
	return ""
}

const edited = "# Note\n\none two three\nfour five six\n\n> @agent-Editor shorter\n\nend\n"

func shortened(string) string { return "one\nfive\nsix" }

// The process dies at every step of an edit: the note is the old one or the new one, never half, and the next life makes it new.
func TestEditIsKilledAtEveryStep(t *testing.T) {
	t.Parallel()
	for _, inPlace := range []bool{false, true} {
		want := ""
		for death := -1; ; death++ {
			s := newScene(t, t.TempDir(), edited)
			l := &life{death: death, edit: -1}
			d := newDisk(l.step)
			d.inPlace = inPlace
			job, err := s.editing(shortened)
			if err != nil {
				t.Fatal(err)
			}
			job.Files = d
			var logged []swap.Intention
			_, err = brisk.answerGroup(ctx, job, logAfter(l.step, &logged))
			if death < 0 {
				if want = s.read(); err != nil || !strings.Contains(want, "\none\nfive\nsix\n\n<!-- agent-response -->\nEdited the paragraph above") {
					t.Fatalf("%v: %s", err, want)
				}
				continue
			}
			if got := s.read(); !inPlace && got != edited && got != want {
				t.Errorf("after the death before step %d the note is neither old nor new:\n%s", death, got)
			}
			if !l.dead {
				if death < 5 {
					t.Errorf("only %d steps", death)
				}
				break
			}
			job.Files = healthy
			if n := len(logged); n > 0 {
				if _, err := swap.On(job.Files).Recover(logged[n-1]); err != nil {
					t.Errorf("step %d: recovery: %v", death, err)
				}
			}
			if got := s.read(); got != edited && got != want {
				t.Errorf("after the recovery of step %d the note is neither old nor new:\n%s", death, got)
			}
			if res, err := brisk.answerGroup(ctx, job, unlogged); err != nil || len(res.Written) != 1 || s.read() != want {
				t.Errorf("then, step %d: %+v, %v:\n%s", death, res, err, s.read())
			}
		}
	}
}

// An editor saves while the part is edited: its lines are all there, and the part is the old one or the new one.
func TestEditRacesWithAnEditor(t *testing.T) {
	t.Parallel()
	dice := random(t)
	all := 1000
	if testing.Short() {
		all = 200
	}
	written, contested, copies := 0, 0, 0
	p := waitPolicy{rest: time.Millisecond, patience: 10 * time.Millisecond, tries: 8, backoff: time.Millisecond, longest: 4 * time.Millisecond}
	for i := range all {
		s := newScene(t, t.TempDir(), edited)
		job, err := s.editing(shortened)
		if err != nil {
			t.Fatal(err)
		}
		pauses := []int{dice.IntN(2000), dice.IntN(2000), dice.IntN(2000)}
		done := make(chan error, 1)
		go func() {
			var failed error
			for n, pause := range pauses {
				<-time.After(time.Duration(pause) * time.Microsecond)
				failed = errors.Join(failed, allowed(func() error { return hurriedSave(s.path, fmt.Sprintf("line %d of the user\n", n), i%2 == 0) }))
			}
			done <- failed
		}()
		var logged []swap.Intention
		_, err = p.answerGroup(ctx, job, logTo(&logged))
		if failed := <-done; failed != nil {
			t.Error(failed)
		}
		switch {
		case errors.Is(err, ErrContested):
			contested++
		case err != nil:
			t.Fatal(err)
		}
		s.settle(logged)
		got, everything := s.read(), s.everything()
		kept, _ := filepath.Glob(filepath.Join(s.root, "*.conflict-*"))
		copies += len(kept)
		for n := range pauses {
			if line := fmt.Sprintf("line %d of the user\n", n); !strings.Contains(everything, line) {
				t.Fatalf("round %d: %q is lost:\n%s", i, line, everything)
			}
		}
		isNew := strings.HasPrefix(got, "# Note\n\none\nfive\nsix\n\n<!-- agent-response -->\nEdited the paragraph above: 0 words added, 3 removed; written at once. `wiki undo 1abc` takes it back.\n<!-- /agent-response -->\n\nend\n")
		if isNew {
			written++
		} else if !strings.HasPrefix(got, edited) {
			t.Fatalf("round %d: the part is neither old nor new:\n%s", i, got)
		}
	}
	t.Logf("count: %d rounds, %d edits in the note, %d contested, %d conflict copies; 0 bytes beyond the part, 0 lines lost", all, written, contested, copies)
}
