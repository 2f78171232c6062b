package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/client"
	"vaultdispatcher/engine/api/testdata/apitest"
)

// holding is a backend that holds some dispatches.
type holding struct {
	*apitest.Backend
	held     []api.Dispatch
	released []string
	refused  map[string]error
	reach    string
}

func (b *holding) Dispatches(_ context.Context, f api.Filter) ([]api.Dispatch, error) {
	return slices.Clone(b.held[:min(len(b.held), f.Limit)]), nil
}

func (b *holding) Dispatch(_ context.Context, id string) (api.Detail, error) {
	i := slices.IndexFunc(b.held, func(d api.Dispatch) bool { return d.ID == id })
	if i < 0 {
		return api.Detail{}, api.ErrNotFound
	}
	return api.Detail{Dispatch: b.held[i], Task: "Request 1", Answers: []api.Answer{{Line: 1, Instruction: "theirs"}}}, nil
}

func (b *holding) Status(context.Context, bool) (api.Status, error) {
	return api.Status{Agents: []api.Agent{{Role: "Editor", Runner: "claude", Reach: b.reach}}}, nil
}

func (b *holding) Release(_ context.Context, id string) (api.Dispatch, error) {
	if err := b.refused[id]; err != nil {
		return api.Dispatch{}, err
	}
	b.released = append(b.released, id)
	b.held = slices.DeleteFunc(b.held, func(d api.Dispatch) bool { return d.ID == id })
	return api.Dispatch{ID: id, Status: "queued"}, nil
}

func (b *holding) hold(kind, file string) {
	id := fmt.Sprintf("d%02d", len(b.held))
	b.held = append([]api.Dispatch{{ID: id, Status: "held", Vault: "v", File: file, Role: "Editor", Markers: 2, Hold: &api.Hold{Kind: kind}}}, b.held...)
}

// holdAll holds d00 old, d01 limit, d02 to d04 burst, and d05 untrusted.
func holdAll(t *testing.T) (*holding, *client.Client, *apitest.Caller) {
	b := &holding{Backend: apitest.NewBackend(t), reach: "reads nothing"}
	for _, d := range [][2]string{{"old", "a.md"}, {"limit", "b.md"}, {"burst", "sub/c.md"}, {"burst", "sub/d.md"}, {"burst", "e.md"}, {"untrusted", "f.md"}} {
		b.hold(d[0], d[1])
	}
	s := New(b, apitest.Token, slog.New(slog.DiscardHandler))
	c, _ := apitest.Serve(t, s.Run)
	return b, client.New(c.Port, apitest.Token), c
}

func wantRefusal(t *testing.T, b *holding, err error, words string) {
	t.Helper()
	refused, ok := errors.AsType[*api.StatusError](err)
	if !ok || refused.Status != 409 || !strings.Contains(refused.Text, words) || len(b.released) > 0 {
		t.Errorf("%v, released %q; want a refusal with %q", err, b.released, words)
	}
}

// Without a kind what is old and what is over a limit starts; the answer says what is left and how
// that is released.
func TestReleaseTogether(t *testing.T) {
	b, c, _ := holdAll(t)
	b.refused = map[string]error{"d00": &api.Conflict{Reason: "The vault is away."}}
	done, err := c.ReleaseHeld(t.Context(), api.ReleaseRequest{})
	if err != nil || !slices.Equal(b.released, []string{"d01"}) || len(done.Released) != 1 || len(done.Refused) != 1 || done.Refused[0].Reason != "The vault is away." {
		t.Fatalf("%+v, %v; released %q", done, err, b.released)
	}
	var left []string
	for _, l := range done.Left {
		left = append(left, fmt.Sprintf("%s %d %d", l.Kind, l.Count, l.Questions))
		if l.How == "" {
			t.Errorf("%s: nobody says how it is released", l.Kind)
		}
	}
	if strings.Join(left, ", ") != "old 1 2, burst 3 6, untrusted 1 2" {
		t.Errorf("left: %q", left)
	}
}

// A burst starts by the proof of its list, of all or of some of it, and what came later waits.
func TestReleaseOfABurst(t *testing.T) {
	for name, test := range map[string]struct {
		scope api.HeldScope
		want  string
	}{
		"all":    {api.HeldScope{Kind: "burst"}, "d02 d03 d04"},
		"note":   {api.HeldScope{Kind: "burst", Vault: "v", Note: "e.md"}, "d04"},
		"folder": {api.HeldScope{Kind: "burst", Folder: "sub"}, "d02 d03"},
	} {
		b, c, _ := holdAll(t)
		_, err := c.ReleaseHeld(t.Context(), api.ReleaseRequest{HeldScope: test.scope})
		wantRefusal(t, b, err, "released after its list was shown")
		_, err = c.ReleaseHeld(t.Context(), api.ReleaseRequest{HeldScope: test.scope, Seen: "d99-0011223344556677"})
		wantRefusal(t, b, err, "not what it was")
		list, err := c.Held(t.Context(), test.scope)
		if err != nil || len(list.Kinds) != 1 {
			t.Fatalf("%s: %+v, %v", name, list, err)
		}
		other := test.scope
		other.Note = "b.md"
		_, err = c.ReleaseHeld(t.Context(), api.ReleaseRequest{HeldScope: other, Seen: list.Kinds[0].Seen})
		wantRefusal(t, b, err, "not what it was")
		b.hold("burst", "sub/late.md")
		b.hold("burst", "e.md")
		done, err := c.ReleaseHeld(t.Context(), api.ReleaseRequest{HeldScope: test.scope, Seen: list.Kinds[0].Seen})
		if got := strings.Join(b.released, " "); err != nil || got != test.want || len(done.Released) != strings.Count(test.want, "d") {
			t.Errorf("%s: released %q, %v; want %q", name, got, err, test.want)
		}
	}
	b, c, _ := holdAll(t)
	if _, err := c.Release(t.Context(), "d02", ""); err != nil || len(b.released) != 1 {
		t.Errorf("one by its id: %v", err)
	}
}

// What came from elsewhere starts one by one, with the proof that it was read as it is now.
func TestReleaseOfWhatIsUntrusted(t *testing.T) {
	b, c, call := holdAll(t)
	_, err := c.ReleaseHeld(t.Context(), api.ReleaseRequest{HeldScope: api.HeldScope{Kind: "untrusted"}, Seen: "x"})
	wantRefusal(t, b, err, "one by one")
	_, err = c.Release(t.Context(), "d05", "")
	wantRefusal(t, b, err, "read it before it is released")
	if a := call.Raw(t, apitest.Request("POST", "/vault-mind/dispatches/d05/release", map[string]string{"Authorization": "Bearer " + apitest.Token}, "")); a.Status != 409 {
		t.Errorf("without a body: %d", a.Status)
	}
	d, err := c.Dispatch(t.Context(), "d05")
	if err != nil || d.Reading == nil || d.Reading.Agent != "claude" || d.Reading.Reach != "reads nothing" || d.Task == "" || d.Answers[0].Instruction != "theirs" {
		t.Fatalf("%+v, %v", d, err)
	}
	b.reach = "runs a shell"
	_, err = c.Release(t.Context(), "d05", d.Reading.Seen)
	wantRefusal(t, b, err, "read it again")
	b.reach = "reads nothing"
	if _, err = c.Release(t.Context(), "d05", d.Reading.Seen); err != nil || !slices.Equal(b.released, []string{"d05"}) {
		t.Errorf("%v, released %q", err, b.released)
	}
	if _, err := c.Release(t.Context(), "d77", ""); !errors.Is(err, api.ErrNotFound) {
		t.Errorf("what is not there: %v", err)
	}
}

func TestHeldRefusesUnknownKinds(t *testing.T) {
	b, c, call := holdAll(t)
	for _, err := range []error{
		func() error { _, err := c.Held(t.Context(), api.HeldScope{Kind: "x"}); return err }(),
		func() error {
			_, err := c.ReleaseHeld(t.Context(), api.ReleaseRequest{HeldScope: api.HeldScope{Kind: "all"}})
			return err
		}(),
	} {
		if refused, ok := errors.AsType[*api.StatusError](err); !ok || refused.Status != 400 || len(b.released) > 0 {
			t.Errorf("%v", err)
		}
	}
	for _, path := range []string{"/vault-mind/release", "/vault-mind/dispatches/d00/release"} {
		if a := call.Raw(t, apitest.Request("POST", path, apitest.AsJSON, "{}")); a.Status != 401 || len(b.released) > 0 {
			t.Errorf("%s without the token: %d", path, a.Status)
		}
	}
}

// A vault is called in any case of its letters; one that there is not is refused. Of one that is
// configured no more, what is held is listed.
func TestHeldOfAVault(t *testing.T) {
	b, c, _ := holdAll(t)
	name := b.Roots()[0].Name
	b.held[0].Vault = "gone"
	for vault, want := range map[string]int{name: 3, strings.ToUpper(name): 3, "gone": 1, "GONE": -1, "nowhere": -1} {
		list, err := c.Held(t.Context(), api.HeldScope{Vault: vault})
		done, failed := c.ReleaseHeld(t.Context(), api.ReleaseRequest{HeldScope: api.HeldScope{Vault: vault, Folder: "none"}})
		for _, err := range []error{err, failed} {
			refused, ok := errors.AsType[*api.StatusError](err)
			if (err == nil) != (want > 0) || err != nil && (!ok || refused.Text != "There is no vault named "+vault+"; there are: "+name+".") {
				t.Errorf("%s: %v", vault, err)
			}
		}
		if len(list.Kinds) != max(0, want) || len(done.Released) > 0 {
			t.Errorf("%s: %d kinds, %d released", vault, len(list.Kinds), len(done.Released))
		}
	}
}

// More than there is time for: what was not reached waits, and that is told.
func TestReleaseTakesTooLong(t *testing.T) {
	b, _, _ := holdAll(t)
	s := New(b, apitest.Token, slog.New(slog.DiscardHandler))
	ctx, cancel := context.WithDeadline(t.Context(), time.Unix(1, 0))
	defer cancel()
	_, err := s.Questions.ReleaseHeld(ctx, api.ReleaseRequest{})
	if _, ok := errors.AsType[*api.Conflict](err); !ok || !strings.Contains(err.Error(), "2 still wait for you") {
		t.Errorf("%v", err)
	}
}
