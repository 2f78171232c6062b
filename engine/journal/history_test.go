package journal

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/journal/dbfile"
	"vaultdispatcher/engine/note"
)

// told is one answered question as the test knows it.
type told struct {
	vault, file, key, question, answer string
	end                                time.Time
}

// Whatever was asked, answered, parked and taken back before, what is asked for are the
// exchanges that still stand, the newest first, however narrow.
func TestHistoryOfRandomLives(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	dice := random(t)
	pick := func(words ...string) string { return words[dice.IntN(len(words))] }
	j := openNew(t)
	var standing []told
	for i := range 60 {
		role, thread := pick("miner", "editor"), pick("", "", "plan", "Plan")
		d := Dispatch{Vault: pick("/one", "/two"), File: pick("a.md", "b.md"), Key: "agent-" + role, Role: role, TaskID: thread, Status: Queued}
		if thread != "" {
			d.Key += ":" + thread
		}
		fact := told{vault: d.Vault, file: d.File, key: d.Key, question: fmt.Sprint("q", i), answer: strings.Repeat("a", 1+dice.IntN(40))}
		text := "> " + fact.question
		d.Markers = []Marker{{Trace: note.Trace{Text: text}, Instruction: fact.question}}
		d, _, err := j.Accept(ctx, d, map[string]int{text: 1})
		must(t, err)
		life := pick("", "start", "start fail", "hold", "cancel", "withhold", "start answered requeue", "start answered fail",
			"start answered park", "start answered park dismiss", "start answered written", "start answered written",
			"start answered written", "start answered written undoing", "start answered written undoing kept",
			"start answered written undoing undone", "start answered written undoing undone retry start written")
		for _, action := range strings.Fields(life) {
			switch action {
			case "answered":
				must(t, j.RecordAnswers(ctx, d.ID, []string{fact.answer}))
			case "written":
				must(t, j.RecordWritten(ctx, d.ID, []int{0}, [32]byte{1}))
			default:
				must(t, act(t, j, d.ID, action))
			}
			checkKeptExchanges(t, j, d.Vault, dice.IntN(60))
		}
		if strings.HasSuffix(life, "written") || strings.HasSuffix(life, "park") || strings.HasSuffix(life, "kept") {
			fact.end = get(t, j, d.ID).Finished
			standing = append(standing, fact)
		}
	}
	if len(standing) < 5 {
		t.Fatalf("only %d of 60 still stand", len(standing))
	}
	for range 200 / fewer {
		p := Past{Vault: pick("/one", "/two"), TaskID: pick("", "", "plan", "Plan"), Bytes: dice.IntN(60), Limit: dice.IntN(20)}
		if dice.IntN(2) == 0 {
			p.End = standing[dice.IntN(len(standing))].end
		}
		if dice.IntN(2) == 0 {
			p.File = pick("a.md", "b.md")
		}
		if dice.IntN(2) == 0 {
			p.Key = strings.TrimSuffix(pick("agent-miner:", "agent-editor:", "agent-poet:")+p.TaskID, ":")
		}
		got, err := j.Exchanges(ctx, p)
		must(t, err)
		if want := expected(standing, p); questions(got) != want {
			t.Errorf("%+v:\n%s, want\n%s", p, questions(got), want)
		}
	}
}

// checkKeptExchanges compares what is kept of a vault's exchanges with what the tables say.
func checkKeptExchanges(t *testing.T, j *Journal, vault string, bytes int) {
	t.Helper()
	p := Past{Vault: vault, Bytes: bytes, Limit: 1000}
	kept, err := j.Exchanges(t.Context(), p)
	must(t, err)
	now, err := (&Reader{j.db, new(dbfile.Memory[Exchange])}).Exchanges(t.Context(), p)
	must(t, err)
	if fmt.Sprint(kept) != fmt.Sprint(now) {
		t.Fatalf("kept %v, now %v", kept, now)
	}
}

// A note that is moved and an answer that is asked anew are told as they are now.
func TestHistoryOfWhatChanges(t *testing.T) {
	ctx := t.Context()
	j := openNew(t)
	d, equal := group("a.md", 2)
	d, _, err := j.Accept(ctx, d, equal)
	must(t, err)
	answer := func(text string) {
		must(t, act(t, j, d.ID, "start"))
		must(t, j.RecordAnswers(ctx, d.ID, []string{text, text}))
	}
	answer("one")
	must(t, j.RecordWritten(ctx, d.ID, []int{0, 1}, [32]byte{1}))
	checkKeptExchanges(t, j, d.Vault, 1000)
	_, err = j.MoveNote(ctx, d.Vault, "a.md", "b.md", nil)
	must(t, err)
	checkKeptExchanges(t, j, d.Vault, 1000)
	_, err = j.Renew(ctx, d.ID)
	must(t, err)
	answer("two")
	must(t, j.RecordReplaced(ctx, d.ID, nil, [32]byte{2}))
	checkKeptExchanges(t, j, d.Vault, 1000)
	list, err := j.Exchanges(ctx, Past{Vault: d.Vault, Bytes: 1000, Limit: 9})
	must(t, err)
	if len(list) != 2 || list[0].File != "b.md" || list[0].Answer != "two" || list[0].Position != 1 {
		t.Errorf("told: %+v", list)
	}
}

// expected is Exchanges by hand.
func expected(standing []told, p Past) string {
	var list []string
	for _, f := range slices.Backward(standing) {
		_, taskID, _ := strings.Cut(f.key, ":")
		switch {
		case f.vault != p.Vault, taskID != p.TaskID, p.File != "" && f.file != p.File, p.Key != "" && f.key != p.Key:
			continue
		case !p.End.IsZero() && !f.end.Before(p.End):
			continue
		case p.Limit == 0:
			return strings.Join(list, " ")
		}
		p.Limit--
		if len(f.file)+len(f.question)+len(f.answer) <= p.Bytes {
			list = append(list, f.question)
		}
	}
	return strings.Join(list, " ")
}

func questions(list []Exchange) string {
	var all []string
	for _, e := range list {
		all = append(all, e.Question)
	}
	return strings.Join(all, " ")
}
