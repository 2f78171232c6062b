package journal

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"vaultdispatcher/engine/note"
)

func TestAcceptRefusesNonsense(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	j := openNew(t)
	for _, status := range []Status{"", Processing, Done, Failed, Parked, Cancelled, "settling"} {
		d, equal := group("a.md", 1)
		d.Status = status
		if _, _, err := j.Accept(ctx, d, equal); !errors.Is(err, ErrState) {
			t.Errorf("accepted as %q: %v", status, err)
		}
	}
	if _, ok, err := j.Accept(ctx, Dispatch{Status: Queued}, nil); err == nil || ok {
		t.Errorf("a dispatch without markers: %v, %v", ok, err)
	}
	d := accept(t, j, "a.md", 1)
	twin, equal := group("b.md", 1)
	twin.ID = d.ID
	if _, ok, err := j.Accept(ctx, twin, equal); err == nil || ok {
		t.Errorf("an id was given twice: %v, %v", ok, err)
	}
	if list, err := j.List(ctx, Filter{}); err != nil || len(list) != 1 {
		t.Errorf("%d dispatches stored, %v", len(list), err)
	}
}

func TestAcceptCountsEqualLines(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	j := openNew(t)
	const line = "> @agent-Miner again"
	try := func(lines, wanted int) bool {
		t.Helper()
		d, _ := group("a.md", 0)
		for i := range wanted {
			d.Markers = append(d.Markers, Marker{Trace: note.Trace{Text: line, Ordinal: i}})
		}
		_, ok, err := j.Accept(ctx, d, map[string]int{line: lines})
		must(t, err)
		return ok
	}
	if try(1, 2) {
		t.Error("two claims on one line")
	}
	if !try(2, 2) {
		t.Error("two lines could not be claimed")
	}
	if try(2, 1) {
		t.Error("a third claim on two lines")
	}
	if !try(3, 1) {
		t.Error("a third line could not be claimed")
	}
	d, _ := group("a.md", 0)
	d.Markers = []Marker{{Trace: note.Trace{Text: "> @agent-Miner unseen"}}}
	if _, ok, err := j.Accept(ctx, d, nil); ok || err != nil {
		t.Errorf("a line the note does not hold was claimed: %v, %v", ok, err)
	}
}

func TestOneOfManyTriggersWins(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	j := openNew(t)
	for round := range 10 {
		var won atomic.Int32
		var all sync.WaitGroup
		for range 20 {
			all.Go(func() {
				d, equal := group(fmt.Sprintf("%d.md", round), 3)
				_, ok, err := j.Accept(ctx, d, equal)
				if err != nil {
					t.Error(err)
				}
				if ok {
					won.Add(1)
				}
			})
		}
		all.Wait()
		if won.Load() != 1 {
			t.Fatalf("%d of 20 won", won.Load())
		}
	}
}

// model is the claims as a person would write them down: per note and line, how
// many dispatches want it answered.
type model struct {
	status   map[string]string // id -> situation
	file     map[string]string
	markers  map[string][]string // id -> lines
	accepted []string
}

func (m *model) claimed(file, line string) int {
	n := 0
	for id, s := range m.status {
		state, more, _ := strings.Cut(s, "+")
		if m.file[id] == file && state != "done" && state != "parked" && (state != "cancelled" || strings.HasSuffix(more, "claims")) {
			n += strings.Count(strings.Join(m.markers[id], "\n")+"\n", line+"\n")
		}
	}
	return n
}

func TestClaimsAgainstModel(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	r := random(t)
	j := openNew(t)
	m := &model{status: map[string]string{}, file: map[string]string{}, markers: map[string][]string{}}
	files := []string{"a.md", "b/c.md", "ü.md"}
	taken, refused := 0, 0
	for range 500 / fewer {
		if len(m.accepted) == 0 || r.IntN(3) == 0 {
			if m.accept(t, ctx, j, r, files[r.IntN(len(files))]) {
				taken++
			} else {
				refused++
			}
			continue
		}
		m.act(t, ctx, j, m.accepted[r.IntN(len(m.accepted))], r)
		m.compare(t, ctx, j, files)
	}
	t.Logf("%d accepted, %d refused", taken, refused)
	if taken == 0 || refused == 0 {
		t.Error("the test saw one side only")
	}
}

// accept offers a random group and checks that exactly a free one is taken.
func (m *model) accept(t *testing.T, ctx context.Context, j *Journal, r *rand.Rand, file string) bool {
	t.Helper()
	d, _ := group(file, 0)
	equal := make(map[string]int)
	free := true
	var lines []string
	for range 2 { // every action expects two answers
		line := string(rune('a' + r.IntN(4)))
		lines = append(lines, line)
		d.Markers = append(d.Markers, Marker{Trace: note.Trace{Text: line}})
	}
	for _, line := range lines {
		equal[line] = r.IntN(6)
	}
	for _, line := range lines {
		wanted := strings.Count(strings.Join(lines, ""), line)
		free = free && m.claimed(file, line)+wanted <= equal[line]
	}
	stored, ok, err := j.Accept(ctx, d, equal)
	must(t, err)
	if ok != free {
		t.Fatalf("accept of %v in %s with %v lines: %v, the model says %v", lines, file, equal, ok, free)
	}
	if ok {
		m.accepted = append(m.accepted, stored.ID)
		m.status[stored.ID], m.file[stored.ID], m.markers[stored.ID] = "queued", file, lines
	}
	return ok
}

// act takes a random step and follows it in the model.
func (m *model) act(t *testing.T, ctx context.Context, j *Journal, id string, r *rand.Rand) {
	t.Helper()
	a := actions[r.IntN(len(actions))]
	if a.name == "recover" || a.name == "swapping" {
		return // one is for all dispatches, the other's temp file would be used twice
	}
	err := a.do(ctx, j, id)
	to, allowed := a.to[m.status[id]]
	if allowed != (err == nil) {
		t.Fatalf("%s when %s: %v", a.name, m.status[id], err)
	}
	if allowed {
		m.status[id] = to
	}
}

func (m *model) compare(t *testing.T, ctx context.Context, j *Journal, files []string) {
	t.Helper()
	total := 0
	for _, file := range files {
		claims, err := j.Claims(ctx, "/vault", file)
		must(t, err)
		total += len(claims)
		got := make(map[string]int)
		for _, c := range claims {
			got[c.Marker.Text]++
		}
		for _, line := range []string{"a", "b", "c", "d"} {
			if want := m.claimed(file, line); got[line] != want {
				t.Fatalf("%d claims on %s in %s, the model says %d", got[line], line, file, want)
			}
		}
	}
	all, err := j.Claims(ctx, "/vault", "")
	must(t, err)
	if len(all) != total {
		t.Fatalf("%d claims in the vault, %d in its notes", len(all), total)
	}
	for i := range max(0, len(all)-1) {
		if all[i].File > all[i+1].File {
			t.Fatal("the vault's claims are not ordered by file")
		}
	}
}

// A dispatch moves to another note with its claims, unless that would make more
// claims on a line than the note has lines.
func TestMove(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	j := openNew(t)
	d := accept(t, j, "a.md", 2)
	there := accept(t, j, "b.md", 2)
	one := make(map[string]int)
	for _, m := range d.Markers {
		one[m.Text] = 1
	}
	if ok, err := j.Move(ctx, d.ID, there.File, one); ok || err != nil {
		t.Errorf("moved onto claimed lines: %v, %v", ok, err)
	}
	if ok, err := j.Move(ctx, d.ID, "c.md", one); !ok || err != nil {
		t.Fatalf("not moved: %v, %v", ok, err)
	}
	for file, want := range map[string]int{"a.md": 0, "b.md": 2, "c.md": 2} {
		claims, err := j.Claims(ctx, d.Vault, file)
		if must(t, err); len(claims) != want {
			t.Errorf("%s has %d claims, want %d", file, len(claims), want)
		}
	}
}
