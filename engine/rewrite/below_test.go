package rewrite

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/rewrite/swap"
)

// TestBelow: the answer of a run comes right below its line, whatever that one stands in, once however often it is asked for; every
// other byte stays, the newest answer is the first or the last, and Undo takes each out again.
func TestBelow(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"alone":            "> @agent-Miner every Monday 8:00 why?\n",
		"no final newline": "# H\n\n> @agent-Miner every Monday 8:00 why?",
		"crlf":             "a\r\n\r\n> @agent-Miner every Monday 8:00 why?\r\n\r\nb\r\n",
		"text around":      "above\n> @agent-Miner every Monday 8:00 why?\n\nbelow\n",
		"right below":      "> @agent-Miner every Monday 8:00 why?\n# Next\n",
		"a name":           "> @agent-Miner every Monday 8:00 why? ^again\n\nbelow\n",
		"a comment":        "> @agent-Miner every Monday 8:00 why? %% mine %%\n\nbelow\n",
		"in a list":        "- a\n- > @agent-Miner every Monday 8:00 why?\n\n  more\n- b\n",
		"in a callout":     "> [!todo] Open\n> @agent-Miner every Monday 8:00 why?\n>\n> more\n",
		"other questions":  "> @agent-Miner every Monday 8:00 other?\n\n> @agent-Miner every Monday 8:00 why?\n\n> @agent-Miner why?\n",
	} {
		for _, first := range []bool{true, false} {
			t.Run(fmt.Sprint(name, " ", first), func(t *testing.T) { testBelow(t, text, first) })
		}
	}
}

func testBelow(t *testing.T, text string, first bool) {
	const answer = "the answer\n\n```\ncode\n```\n\n> @agent-Miner every Monday 8:00 and this?"
	s := newScene(t, t.TempDir(), text)
	var below, others []note.Trace
	for _, m := range note.Parse([]byte(text)).Markers {
		if strings.Contains(m.Text, "8:00 why?") {
			below = append(below, m.Trace())
		} else {
			others = append(others, m.Trace())
		}
	}
	if len(below) != 1 {
		t.Fatalf("%d lines", len(below))
	}
	var logged []swap.Intention
	states, jobs := []string{text}, []Job{}
	for _, run := range []string{"Monday 30 November 2026, 08:00", "Monday 7 December 2026, 08:00"} {
		job := Job{Root: s.root, Path: s.path, Places: []Place{{Answer: answer}}, Run: Run{Below: &below[0], Heading: "*" + run + "*", First: first}}
		for _, o := range others {
			job.Siblings = append(job.Siblings, Place{Trace: o})
		}
		job.Draft = func(d Draft) { job.Places[0].Block = d.Blocks[0] }
		for range 2 {
			if res, err := brisk.appendAnswer(ctx, job, "why?", logTo(&logged)); err != nil || len(res.Written) != 1 {
				t.Fatalf("%+v, %v", res, err)
			}
		}
		job.Draft = nil
		got := s.read()
		line := text[:strings.Index(text, "why?")+len("why?")]
		if !strings.HasPrefix(got, line) || strings.Count(got, "*"+run+"*") != 1 || strings.Count(got, "/agent-response") != len(states) {
			t.Fatalf("%q", got)
		}
		before, after := note.Parse([]byte(text)).Markers, note.Parse([]byte(got)).Markers
		for i := range before {
			if len(after) != len(before) || before[i].Text != after[i].Text {
				t.Fatalf("other questions: %q", got)
			}
		}
		states, jobs = append(states, got), append(jobs, job)
	}
	if last := states[2]; (strings.Index(last, "7 December") < strings.Index(last, "30 November")) != first {
		t.Errorf("the order: %q", last)
	}
	for i, job := range jobs {
		block := string(job.Places[0].Block.Text)
		moved := strings.Replace(states[2], block+"\n", "", 1) + "\nwords\n\n" + block + "\n"
		if !IsInRun([]byte(states[2]), job) || strings.HasSuffix(text, "below\n") && IsInRun([]byte(moved), job) || IsInRun([]byte(text), job) {
			t.Errorf("answer %d is in the run before, or where it was moved to", i)
		}
	}
	for i := len(jobs) - 1; i >= 0; i-- {
		if _, err := brisk.undo(ctx, jobs[i], logTo(&logged)); err != nil {
			t.Fatal(err)
		}
		want := states[i]
		if i == 0 && !strings.HasSuffix(want, "\n") {
			want += "\n"
		}
		if got := s.read(); got != want {
			t.Errorf("undone: %q, want %q", got, want)
		}
	}
	s.settle(logged)
}

// TestBelowWithoutItsLine: where the line is gone the answer waits for it, and comes to the end of the note then.
func TestBelowWithoutItsLine(t *testing.T) {
	t.Parallel()
	s := newScene(t, t.TempDir(), "no line\n")
	job := Job{Root: s.root, Path: s.path, Places: []Place{{Answer: "yes"}}, Run: Run{Below: &note.Trace{Text: "> @agent-Miner every Monday 8:00 why?"}, Heading: "*h*", First: true}}
	var logged []swap.Intention
	res, err := brisk.appendAnswer(ctx, job, "why? (then)", logTo(&logged))
	if err != nil || len(res.Missing) != 1 || len(res.Written) != 0 || s.read() != "no line\n" {
		t.Errorf("%+v, %v, %q", res, err, s.read())
	}
	job.Partial = true
	res, err = brisk.appendAnswer(ctx, job, "why? (then)", logTo(&logged))
	if got := s.read(); err != nil || len(res.Written) != 1 || !strings.HasPrefix(got, "no line\n\n> why? (then)\n\n<!-- agent-response") {
		t.Errorf("%+v, %v, %q", res, err, got)
	}
	s.settle(logged)
}

// TestAppendFirst: the question and answer of a run come above the earlier ones of the same question, where the note has them, once
// however often they are asked for; every other byte stays, and Undo takes each out again.
func TestAppendFirst(t *testing.T) {
	t.Parallel()
	const question, answer = "what is open?\nand why?", "the answer\n\n> what is open?\n> and why? (in an answer)"
	for name, text := range map[string]string{
		"empty":         "",
		"no final":      "a",
		"a heading":     "# Open\n",
		"crlf":          "a\r\n\r\nb\r\n",
		"like it":       "> what is open?\n> and why? Who knows\n\nx > what is open?\n> and why? (then)\n",
		"an answer":     "<!-- agent-response -->\n> what is open?\n> and why? (then)\n<!-- /agent-response -->\n",
		"other answers": "> @agent-Miner every day 8:00 what is open?\n<!-- agent-response -->\n> what is open?\n> and why? (then)\n<!-- /agent-response -->\n",
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(t, t.TempDir(), text)
			var logged []swap.Intention
			states, jobs := []string{text}, []Job{}
			for _, run := range []string{"30 November", "7 December", "14 December"} {
				job := Job{Root: s.root, Path: s.path, Places: []Place{{Answer: answer + " of " + run}}, Run: Run{Again: question, First: true}}
				job.Draft = func(d Draft) { job.Places[0].Block = d.Blocks[0] }
				for range 2 {
					if res, err := brisk.appendAnswer(ctx, job, question+" ("+run+")", logTo(&logged)); err != nil || len(res.Written) != 1 {
						t.Fatalf("%+v, %v", res, err)
					}
				}
				job.Draft = nil
				states, jobs = append(states, s.read()), append(jobs, job)
			}
			last := states[3]
			if at := strings.Index(last, "> and why? (7 Dec"); !strings.HasPrefix(last, text) || strings.Index(last, "> and why? (14 Dec") > at || at > strings.Index(last, "> and why? (30 Nov") {
				t.Errorf("the order: %q", last)
			}
			for _, order := range [][]int{{1, 2, 0}, {0, 1, 2}, {2, 1, 0}, {1, 0, 2}, {0, 2, 1}, {2, 0, 1}} {
				if err := os.WriteFile(s.path, []byte(last), 0o600); err != nil {
					t.Fatal(err)
				}
				for _, i := range order { // the newest one is above the others at any time
					if _, err := brisk.undo(ctx, jobs[i], logTo(&logged)); err != nil {
						t.Fatal(err)
					}
				}
				if got := s.read(); got != text && (text != "a" || order[2] == 0 || got != "a\n") { // the end of its line goes with the first
					t.Errorf("undone %v: %q, want %q", order, got, text)
				}
			}
			s.settle(logged)
		})
	}
}

// TestAppendFirstOfEqualOnes: of two equal answers of runs the earlier one is taken back, whatever the lines end with.
func TestAppendFirstOfEqualOnes(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"# Log\n\nwords\n", "# Log\r\n\r\nwords\r\n", "a\r\nwords"} {
		s := newScene(t, t.TempDir(), text)
		var logged []swap.Intention
		var jobs []Job
		for range 3 {
			job := Job{Root: s.root, Path: s.path, Places: []Place{{Answer: "answer"}}, Run: Run{Again: "why?", First: true}}
			job.Draft = func(d Draft) { job.Places[0].Block = d.Blocks[0] }
			if _, err := brisk.appendAnswer(ctx, job, "why? (Monday)", logTo(&logged)); err != nil {
				t.Fatal(err)
			}
			job.Draft = nil
			if jobs = append(jobs, job); len(jobs) == 1 {
				continue
			}
			_, err := brisk.undo(ctx, jobs[len(jobs)-2], logTo(&logged))
			if got := s.read(); err != nil || strings.Count(got, "/agent-response") != 1 || !strings.HasPrefix(got, text) {
				t.Errorf("%q: %q, %v", text, got, err)
			}
		}
		s.settle(logged)
	}
}
