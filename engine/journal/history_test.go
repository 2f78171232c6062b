package journal

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/note"
)

// told is one answered question as the test knows it.
type told struct {
	vault, key, question, answer string
	end                          time.Time
}

// Whatever was asked, answered, parked and taken back before, a thread sees its
// own questions that still stand, in their order, as many of the newest as fit.
func TestHistoryOfRandomLives(t *testing.T) {
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
		fact := told{vault: d.Vault, key: d.Key, question: fmt.Sprint("q", i), answer: strings.Repeat("a", 1+dice.IntN(40))}
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
				must(t, j.Answered(ctx, d.ID, []string{fact.answer}))
			case "written":
				must(t, j.Written(ctx, d.ID, []int{0}, [32]byte{1}))
			default:
				must(t, act(t, j, d.ID, action))
			}
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
		vault, key := pick("/one", "/two"), pick("agent-miner", "agent-editor", "agent-miner:plan", "agent-miner:Plan", "agent-editor:plan", "agent-poet", "agent-poet:plan")
		thread := Thread{Key: key}
		if dice.IntN(2) == 0 {
			thread.Before = standing[dice.IntN(len(standing))].end
		}
		bytes := dice.IntN(600)
		got, err := j.History(ctx, vault, thread, bytes)
		must(t, err)
		if want := expected(standing, vault, thread, bytes); questions(got) != want {
			t.Errorf("%s of %s before %v within %d bytes:\n%s, want\n%s", key, vault, thread.Before, bytes, questions(got), want)
		}
	}
}

// expected is History by hand.
func expected(standing []told, vault string, thread Thread, bytes int) string {
	_, _, own := strings.Cut(thread.Key, ":")
	var list []string
	for _, f := range slices.Backward(standing) {
		_, _, threaded := strings.Cut(f.key, ":")
		size := len("a.md") + len(f.question) + len(f.answer)
		switch {
		case f.vault != vault, own && f.key != thread.Key, !own && threaded, size > bytes:
		case !thread.Before.IsZero() && !f.end.Before(thread.Before):
		default:
			bytes -= size
			list = append(list, f.question)
		}
	}
	slices.SortFunc(list, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) })
	return strings.Join(list, " ")
}

func questions(list []Exchange) string {
	var all []string
	for _, e := range list {
		all = append(all, e.Question)
	}
	return strings.Join(all, " ")
}
