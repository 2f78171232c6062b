package dashboard

import (
	"context"
	"strings"
	"testing"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/testdata/apitest"
)

// told is a backend with one status.
type told struct {
	*apitest.Backend
	status api.Status
}

func (b *told) Status(context.Context) (api.Status, error) { return b.status, nil }

// What a person cannot mend is no error on the first page, and what waits for them
// is one click away.
func TestNowPageTellsWhatToDo(t *testing.T) {
	backend := &told{status: api.Status{
		Notices: []api.Notice{
			api.NewNotice(api.NoticeHeld, "vault", "Notes", "count", 3, "reason", "they came in an untrusted folder"),
			api.NewNotice(api.NoticeHeld, "vault", "Notes", "count", 1, "reason", "it came with the vault"),
			{ID: "other-1", Text: "the journal cannot be written"},
			{ID: "other-2", Text: "what was read before", Dismissed: true},
		},
		Agents: []api.Agent{
			{Role: "Broadcaster", Runner: "broadcast", Detail: "the role Broadcaster wants the runner broadcast, which this version does not have; use another", Absent: true},
			{Role: "Editor", Runner: "command", Detail: "editor is not installed"},
			{Role: "Miner", Runner: "builtin", Ready: true},
		},
	}}
	var c chooser
	b := openSite(t, func(s *parts) {
		backend.Backend = s.backend.(*apitest.Backend)
		s.backend = backend
		s.UseTools(c.tools())
	}).browser(t)
	html := b.get(t, "/").text
	for _, want := range []string{
		`<li>3 markers of Notes are held: they came in an untrusted folder; <a href="/held">look at what is held</a>`,
		`<li>1 marker of Notes is held: it came with the vault; <a href="/held">look at what is held</a>`,
		`<li>the journal cannot be written`, `action="/notices/other-1/dismiss"`,
		`<p class="minor">not in this version</p>`,
		`<p class="why">not ready: editor is not installed</p>`,
	} {
		if strings.Count(html, want) != 1 {
			t.Errorf("no %q in\n%s", want, html)
		}
	}
	for _, bad := range []string{"what was read before", "wiki release", "this version does not have"} {
		if strings.Contains(html, bad) {
			t.Errorf("%q is on the page", bad)
		}
	}
	setup := b.get(t, "/setup").text
	if !strings.Contains(setup, `<span class="minor">not in this version</span>`) || strings.Contains(setup, "this version does not have") {
		t.Errorf("the setup tells of an absent runner:\n%s", setup)
	}
	for role, ask := range map[string]int{"Broadcaster": 0, "Editor": 1, "Miner": 1} {
		if n := strings.Count(setup, `aria-label="Ask `+role+`"`); n != ask {
			t.Errorf("%d buttons ask %s, want %d", n, role, ask)
		}
	}
}
