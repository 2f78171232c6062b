package journal

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/journal/columns"
	"vaultdispatcher/engine/journal/dbfile"
	"vaultdispatcher/engine/journal/ids"
	"vaultdispatcher/engine/note"
)

func TestList(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	j := openNew(t)
	var ids []string
	for i := range 60 {
		ids = append(ids, accept(t, j, fmt.Sprintf("Notes/%02d.md", i), 2).ID)
	}
	odd, equal := group("Über uns.md", 1)
	odd.Vault, odd.Role, odd.Markers[0].Instruction = "/other", "Editor", "Kürze DIES 100%_"
	other, _, err := j.Accept(ctx, odd, equal)
	must(t, err)
	ids = append(ids, other.ID)
	must(t, j.Cancel(ctx, ids[7], "by hand"))

	tests := []struct {
		filter Filter
		n      int
		first  string
	}{
		{Filter{}, 50, other.ID},
		{Filter{Limit: 1000}, 61, other.ID},
		{Filter{Limit: 3, Vault: "/vault"}, 3, ids[59]},
		{Filter{Status: Cancelled}, 1, ids[7]},
		{Filter{File: "Notes/07.md", Vault: "/vault"}, 1, ids[7]},
		{Filter{File: "Notes/07.md", Vault: "/other"}, 0, ""},
		{Filter{Query: "ÜBER"}, 1, other.ID},
		{Filter{Query: "kürze dies"}, 1, other.ID},
		{Filter{Query: "100%_"}, 1, other.ID},
		{Filter{Query: "100 dies über editor"}, 1, other.ID},
		{Filter{Query: "100 dies unten"}, 0, ""},
		{Filter{Query: "%"}, 1, other.ID},
		{Filter{Query: "eDiToR"}, 1, other.ID},
		{Filter{Query: "Question 1", Limit: 4}, 4, ids[59]},
		{Filter{Query: "question", Status: Cancelled}, 1, ids[7]},
		{Filter{Query: "'; --"}, 0, ""},
	}
	for _, tt := range tests {
		got, err := j.List(ctx, tt.filter)
		must(t, err)
		if len(got) != tt.n || tt.n > 0 && got[0].ID != tt.first {
			t.Errorf("%+v: %d dispatches, want %d", tt.filter, len(got), tt.n)
		}
		for i, d := range got {
			if i > 0 && slices.Index(ids, d.ID) >= slices.Index(ids, got[i-1].ID) {
				t.Errorf("%+v: not the newest first", tt.filter)
			}
			if d.Task != "" || d.Markers[0].Context != "" || len(d.Markers[0].Text) == 0 {
				t.Errorf("%+v: %+v has other texts than a list's", tt.filter, d)
			}
		}
	}
	counts, err := j.Counts(ctx)
	if want := map[Status]int{Queued: 60, Cancelled: 1}; err != nil || !reflect.DeepEqual(counts, want) {
		t.Errorf("counts %v, %v", counts, err)
	}
}

// Counts has each state of dispatches that there are, and no other.
func TestCounts(t *testing.T) {
	t.Parallel()
	j := openNew(t)
	want := map[Status]int{}
	for i, s := range []Status{Queued, Held, Cancelled, Proposed, Processing, Done, Failed, Parked, Scheduled} {
		for n := range i + 1 {
			accept(t, j, fmt.Sprint(s, n, ".md"), 1)
			hold := map[Status]HoldKind{Proposed: "proposal", Scheduled: "schedule", Held: ForOld}[s]
			must(t, j.db.Write(t.Context(), func(ctx context.Context, tx *sql.Tx) error {
				stored := cmp.Or(map[Status]Status{Proposed: Held, Scheduled: Held}[s], s)
				_, err := tx.ExecContext(ctx, "UPDATE dispatches SET status = ?, hold = ? WHERE file = ?", stored, hold, fmt.Sprint(s, n, ".md"))
				return err
			}))
		}
		want[s] = i + 1
		if counts, err := j.Counts(t.Context()); err != nil || !reflect.DeepEqual(counts, want) {
			t.Errorf("counts %v, want %v, %v", counts, want, err)
		}
	}
}

// A search goes on behind its first page until it has enough.
func TestSearchBeyondOnePage(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	j := openNew(t)
	pages := 2
	if testing.Short() {
		pages = 1
	}
	first := accept(t, j, "needle.md", 1)
	must(t, j.db.Write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		for i := range pages*searchPage + 10 {
			d, _ := group(fmt.Sprintf("%d.md", i), 1)
			d.ID = ids.New(time.Now()) + fmt.Sprint(i)
			if err := insertDispatch(ctx, tx, d); err != nil {
				return err
			}
		}
		return nil
	}))
	got, err := j.List(ctx, Filter{Query: "NEEDLE"})
	if err != nil || len(got) != 1 || got[0].ID != first.ID {
		t.Errorf("found %v, %v", got, err)
	}
	if got, err := j.List(ctx, Filter{Query: ".md", Limit: searchPage + 3}); err != nil || len(got) != searchPage+3 {
		t.Errorf("found %d, %v", len(got), err)
	}
}

// answerOne takes a dispatch of one marker to its end.
func answerOne(t testing.TB, j *Journal, d Dispatch, question, answer string, park bool) {
	t.Helper()
	ctx := context.Background()
	text := "> " + d.Key + question
	d.Status, d.Vault = Queued, "/vault"
	d.Markers = []Marker{{Trace: note.Trace{Text: text}, Instruction: question}}
	d, ok, err := j.Accept(ctx, d, map[string]int{text: 1})
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	_, err = j.Start(ctx, d.ID, "runner", time.Now())
	must(t, err)
	must(t, j.RecordAnswers(ctx, d.ID, []string{answer}))
	if park {
		must(t, j.Park(ctx, d.ID, "gone"))
		return
	}
	must(t, j.RecordWritten(ctx, d.ID, []int{0}, [32]byte{1}))
}

func TestHistory(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	j := openNew(t)
	plain := Dispatch{File: "a.md", Key: "agent-miner"}
	editor := Dispatch{File: "b.md", Key: "agent-editor"}
	own := Dispatch{File: "a.md", Key: "agent-miner:Plan", TaskID: "Plan"}
	twin := Dispatch{File: "a.md", Key: "agent-editor:Plan", TaskID: "Plan"}
	answerOne(t, j, plain, "q1", "one", false)
	answerOne(t, j, own, "q2", "two", false)
	answerOne(t, j, editor, "q3", "three", true)
	answerOne(t, j, twin, "q4", "four", false)
	answerOne(t, j, plain, "q5", strings.Repeat("5", 500), false)
	answerOne(t, j, plain, "q6", "six", false)
	bring(t, j, "start answered fail")
	bring(t, j, "start answered")

	all := Past{Vault: "/vault", Bytes: 10_000, Limit: 100}
	for _, tt := range []struct {
		narrow func(p *Past)
		want   string
	}{
		{func(*Past) {}, "q6 q5 q3 q1"},
		{func(p *Past) { p.Bytes = 100 }, "q6 q3 q1"}, // q5 alone is too long and is not cut
		{func(p *Past) { p.Bytes = 9 }, "q6 q1"},
		{func(p *Past) { p.Bytes = 0 }, ""},
		{func(p *Past) { p.Limit = 3 }, "q6 q5 q3"},
		{func(p *Past) { p.Limit = 0 }, ""},
		{func(p *Past) { p.File = "a.md" }, "q6 q5 q1"},
		{func(p *Past) { p.Key = "agent-editor" }, "q3"},
		{func(p *Past) { p.File, p.Key = "a.md", "agent-editor" }, ""},
		{func(p *Past) { p.TaskID = "Plan" }, "q4 q2"},
		{func(p *Past) { p.TaskID, p.Key = "Plan", "agent-miner:Plan" }, "q2"},
		{func(p *Past) { p.TaskID, p.Key, p.File = "Plan", "agent-editor:Plan", "a.md" }, "q4"},
		{func(p *Past) { p.TaskID = "plan" }, ""},
		{func(p *Past) { p.End = time.Now().Add(-time.Hour) }, ""},
		{func(p *Past) { p.Vault = "/elsewhere" }, ""},
	} {
		p := all
		tt.narrow(&p)
		got, err := j.Exchanges(ctx, p)
		must(t, err)
		for _, e := range got {
			if e.Time.IsZero() || e.Answer == "" || e.File == "" || e.Size() > p.Bytes || e.Runner != "runner" || get(t, j, e.Dispatch).Role != e.Role {
				t.Errorf("exchange %+v", e)
			}
		}
		if s := questions(got); s != tt.want {
			t.Errorf("%+v: %q, want %q", p, s, tt.want)
		}
	}
}

// Of what a task was made, and for whom, is known of its exchanges.
func TestMade(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	j := openNew(t)
	d := bring(t, j, "start")
	must(t, j.SetTask(ctx, d.ID, "the task", Made{Local: true, Sources: []string{"b.md", "a.md", "", "b.md", "two\nlines.md"}}))
	must(t, j.KeepResult(ctx, d.ID, []string{"c d.md", "a.md"}, 2))
	made := Made{Local: true, Sources: []string{"a.md", "b.md", "c d.md"}}
	if got := get(t, j, d.ID); got.Task != "the task" || got.NoResult != 2 || got.HasNoResult() || !reflect.DeepEqual(got.Recipe, made) {
		t.Errorf("%+v, want %+v", got.Recipe, made)
	}
	must(t, j.RecordAnswers(ctx, d.ID, []string{"one", "two"}))
	must(t, j.Park(ctx, d.ID, "gone"))
	got, err := j.Exchanges(ctx, Past{Vault: d.Vault, TaskID: d.TaskID, Bytes: 1000, Limit: 10})
	if err != nil || len(got) != 2 || got[0].Position != 1 || !reflect.DeepEqual(got[1].Recipe, made) {
		t.Errorf("%+v, %v", got, err)
	}
	must(t, j.SetTask(ctx, d.ID, "another", Made{}))
	if got := get(t, j, d.ID); !reflect.DeepEqual(got.Recipe, Made{}) {
		t.Errorf("%+v", got.Recipe)
	}
	if err := j.KeepResult(ctx, "none", []string{"a.md"}, 0); err == nil {
		t.Error("a dispatch that is not there has sources")
	}
}

func TestPrune(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	j := openNew(t)
	kept := make(map[string]bool)
	for _, s := range situations {
		d := bring(t, j, s.path)
		kept[d.ID] = d.Status != Done && (d.Status != Cancelled || d.Withheld)
	}
	must(t, j.db.Write(ctx, func(ctx context.Context, tx *sql.Tx) error {
		for i := range pruneBatch + 5 {
			d, _ := group("a.md", 1)
			d.ID = fmt.Sprint("cancelled", i)
			if err := insertDispatch(ctx, tx, d); err != nil {
				return err
			}
			kept[d.ID] = false
		}
		_, err := tx.Exec("UPDATE dispatches SET status = 'cancelled', finished = ? WHERE id LIKE 'cancelled%'", columns.ToMillis(time.Now()))
		return err
	}))
	if n, err := j.Prune(ctx, time.Now().Add(-time.Hour), time.Time{}); n != 0 || err != nil {
		t.Errorf("pruned %d of today's, %v", n, err)
	}
	n, err := j.Prune(ctx, time.Now().Add(time.Hour), time.Time{})
	if want := pruneBatch + 5 + 4; n != want || err != nil {
		t.Errorf("pruned %d, want %d, %v", n, want, err)
	}
	for id, want := range kept {
		if _, err := j.Get(ctx, id); (err == nil) != want {
			t.Errorf("kept %v, want %v", err == nil, want)
		}
	}
	for _, table := range []string{"markers", "steps", "blocks"} {
		var orphans int
		must(t, j.db.Reader.QueryRow("SELECT count(*) FROM "+table+" WHERE dispatch NOT IN (SELECT seq FROM dispatches)").Scan(&orphans))
		if orphans != 0 {
			t.Errorf("%d rows of %s were left", orphans, table)
		}
	}
}

// What runs at every save must not walk through the whole history.
func TestQueriesUseTheirIndex(t *testing.T) {
	t.Parallel()
	j := openNew(t)
	for _, tt := range []struct{ query, index string }{
		{"SELECT d.id FROM " + claiming + " JOIN markers AS m ON m.dispatch = d.seq AND NOT m.written WHERE vault = 'v' AND file = 'f' AND " + live, "dispatches_claiming"},
		{"SELECT d.id FROM " + claiming + " JOIN markers AS m ON m.dispatch = d.seq AND NOT m.written WHERE vault = 'v' AND " + live, "dispatches_claiming"},
		{"SELECT status, count(*) FROM dispatches INDEXED BY dispatches_status WHERE status IN ('queued', 'failed') GROUP BY status", "SEARCH dispatches USING COVERING INDEX dispatches_status (status=?)"},
		{"SELECT id FROM dispatches WHERE status IN ('queued', 'processing') ORDER BY seq", "dispatches_status"},
		{"SELECT id FROM dispatches INDEXED BY dispatches_told WHERE vault = 'v' AND task_id = '' AND status IN ('done', 'parked') AND answered ORDER BY seq DESC LIMIT 200", "dispatches_told (vault=? AND task_id=?)"},
		{"SELECT id FROM dispatches INDEXED BY dispatches_told_note WHERE vault = 'v' AND task_id = '' AND file = 'f' AND status IN ('done', 'parked') AND answered ORDER BY seq DESC LIMIT 200", "dispatches_told_note (vault=? AND task_id=? AND file=?)"},
		{"SELECT id FROM dispatches INDEXED BY dispatches_told_key WHERE vault = 'v' AND key = 'k' AND status IN ('done', 'parked') AND answered ORDER BY seq DESC LIMIT 200", "dispatches_told_key (vault=? AND key=?)"},
		{"SELECT id FROM dispatches WHERE status = 'done' AND finished >= 1 AND vault = 'v' AND file = 'f' ORDER BY seq", "dispatches_status"},
		{"SELECT id FROM dispatches WHERE status IN ('done', 'failed', 'parked', 'cancelled') AND finished >= 1 ORDER BY seq DESC LIMIT 200", "dispatches_status"},
		{"SELECT id FROM dispatches INDEXED BY dispatches_written WHERE status = 'done' AND vault = 'v' AND file = 'f' ORDER BY seq", "dispatches_written (vault=? AND file=?)"},
		{"SELECT id FROM dispatches INDEXED BY dispatches_parked WHERE status = 'parked' AND vault = 'v' AND file = 'f' ORDER BY seq DESC LIMIT 50", "dispatches_parked (vault=? AND file=?)"},
		{strings.Replace(endings, "?", "1", 1), "SEARCH dispatches USING INDEX dispatches_status (status=? AND finished>?)"},
		{strings.Replace(endings, "?", "1", 1), "SEARCH steps USING INDEX steps_dispatch (dispatch=?)"},
		{"DELETE FROM swaps WHERE dispatch = 1", "swaps_dispatch"},
		{"SELECT d.role FROM " + strings.Replace(lately, "?", "1", 1) + " WHERE s.at > 1", "SEARCH dispatches USING INDEX dispatches_status (status=? AND finished>?)"},
		{"SELECT d.role FROM " + strings.Replace(lately, "?", "1", 1) + " WHERE s.at > 1", "SEARCH s USING INDEX steps_dispatch (dispatch=?)"},
	} {
		type row struct {
			id, parent, unused int
			detail             string
		}
		rows, err := j.db.Reader.Query("EXPLAIN QUERY PLAN " + tt.query)
		plan, err := dbfile.Collect(rows, err, func(r *row) []any { return []any{&r.id, &r.parent, &r.unused, &r.detail} })
		must(t, err)
		if all := fmt.Sprint(plan); !strings.Contains(all, tt.index) || strings.Contains(all, "SCAN m") || (strings.Contains(tt.index, "told") || strings.HasSuffix(tt.index, "file=?)")) && strings.Contains(all, "B-TREE") {
			t.Errorf("%s\n%s", tt.query, all)
		}
	}
}

// Latest has what List, and what is active or has just ended besides, each once.
func TestLatest(t *testing.T) {
	ctx := t.Context()
	j := openNew(t)
	var ids []string
	for i := range 6 {
		ids = append(ids, accept(t, j, fmt.Sprint(i, ".md"), 1).ID)
	}
	must(t, j.Cancel(ctx, ids[0], "it is gone"))
	must(t, j.Hold(ctx, ids[2], ForBurst, "there are many", time.Time{}))
	must(t, act(t, j, ids[4], "start"))
	for _, c := range []struct {
		newest, most int
		since        time.Time
		want         []int
	}{
		{1, 200, time.Now().Add(-time.Hour), []int{5, 4, 3, 1, 0}},
		{1, 2, time.Now().Add(-time.Hour), []int{5, 4, 1, 0}}, // the one that is processing, and the first that waits
		{1, 200, time.Now().Add(time.Hour), []int{5, 4, 3, 1}},
		{4, 200, time.Now().Add(time.Hour), []int{5, 4, 3, 2, 1}},
		{50, 200, time.Now().Add(-time.Hour), []int{5, 4, 3, 2, 1, 0}},
	} {
		list, err := j.Latest(ctx, c.newest, c.most, c.since)
		must(t, err)
		var got []int
		for _, d := range list {
			got = append(got, slices.Index(ids, d.ID))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("the last %d and since %v: %v, want %v", c.newest, c.since, got, c.want)
		}
	}
}
