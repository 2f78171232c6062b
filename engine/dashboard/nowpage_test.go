package dashboard

import (
	"context"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/rows"
	"vaultdispatcher/engine/api/testdata/apitest"
	"vaultdispatcher/engine/wording"
)

// told is a backend with one status, and the dispatches of it.
type told struct {
	*apitest.Backend
	status api.Status
}

// Status counts the questions of its dispatches, for who does not follow it.
func (b *told) Status(_ context.Context, follows bool) (api.Status, error) {
	s, counts := b.status, make(map[string]api.QuestionCount)
	for _, q := range rows.OfList(s.Dispatches, "") {
		c := counts[q.Status]
		c.Status, c.Count = q.Status, c.Count+1
		if q.Outcome() == wording.NoResult {
			c.NoResult++
		}
		counts[q.Status] = c
	}
	if !follows {
		s.Questions = slices.Collect(maps.Values(counts))
	}
	return s, nil
}

func (b *told) Dispatches(_ context.Context, f api.Filter) (list []api.Dispatch, err error) {
	for _, d := range b.status.Dispatches {
		if f.Status == "" || d.Status == f.Status {
			list = append(list, d)
		}
	}
	return list, nil
}

// What a person cannot mend is no error on the first page, and what waits for them
// is one click away.
func TestNowPageTellsWhatToDo(t *testing.T) {
	answered := time.Date(2026, 11, 24, 8, 58, 0, 0, time.UTC)
	backend := &told{status: api.Status{
		Notices: []api.Notice{
			api.NewNotice(api.NoticeHeld, "vault", "Notes", "count", 3, "reason", "they came in an untrusted folder"),
			api.NewNotice(api.NoticeHeld, "vault", "Notes", "count", 1, "reason", "it came with the vault"),
			api.NewNotice(api.NoticeHeld, "vault", "Notes", "kind", "untrusted", "count", 2, "reason", "of a kind"),
			{ID: "other-1", Text: "the journal cannot be written"},
			{ID: "other-2", Text: "what was read before", Dismissed: true},
		},
		NotTaken: []api.Untaken{
			{Vault: "Notes", File: "A.md", Line: 3, Text: "> @agent-Miner: why?", Reason: "a space", Mend: "> @agent-Miner why?", Kind: "miss"},
			{Vault: "Notes", File: "B.md", Line: 1, Reason: "it waits", Kind: "held"},
			{Vault: "Notes", File: "C.md", Line: 1, Reason: "it is in a code block", Kind: "hidden"},
		},
		NotTakenCount: 30,
		Vaults:        []api.Vault{{Name: "Notes", State: "watching", Notes: 54, Reason: "/ is ext4", Watch: "fsnotify", Atomic: true}},
		Queue:         api.Queue{Failed: 4, Parked: 3, Proposed: 1, Done: 1},
		Dispatches: []api.Dispatch{
			{ID: "f1", Status: "failed", Instruction: "print it", Error: "out of paper"},
			{ID: "p1", Status: "parked", Instruction: "where?"},
			{ID: "a1", Status: "proposed", Instruction: "is it filed?"},
			{ID: "d1", Status: "done", FinishedAt: &answered},
		},
		Agents: []api.Agent{
			{Role: "Broadcaster", Runner: "broadcast", Detail: "the role Broadcaster wants the runner broadcast, which this version does not have; use another", Absent: true},
			{Role: "Editor", Runner: "command", Detail: "editor is not installed", Writes: "section", Approve: true},
			{Role: "Miner", Runner: "builtin", Ready: true},
		},
	}}
	var c chooser
	b := openSite(t, func(s *parts) {
		backend.Backend = s.backend.(*apitest.Backend)
		backend.Vaults = append(backend.Vaults, api.Root{Name: "Second"})
		s.backend = backend
		s.UseTools(c.tools())
	}).browser(t)
	html := b.get(t, "/").text
	for _, want := range []string{
		`<li><p>3 questions of Notes wait for you: they came in an untrusted folder; <a href="/held">look at what waits</a>`,
		`<li><p>1 question of Notes waits for you: it came with the vault; <a href="/held">look at what waits</a>`,
		`<b>2 questions</b>: Somebody else’s words`, `href="/held#untrusted"`,
		`<strong>14 things need you.</strong> 54 notes watched, last answer <time datetime="2026-11-24T08:58:00Z"`,
		`action="/dispatch/f1/retry"`, `action="/dispatch/f1/cancel"`, `<b>1</b> <a href="/history?status=failed">unanswered</a>`,
		`>Read the answer</a>`, `href="/proposed#about-a1" aria-label="See what it changes: is it filed?"`, `<summary>1 line not taken up, perhaps on purpose</summary>`,
		`<li><p>the journal cannot be written`, `action="/notices/other-1/dismiss"`,
		`<li><p>A.md, line 3 <span class="minor">Notes</span>: <span class="why">a space</span></p><p><code>&gt; @agent-Miner: why?</code>`,
		`Write it like this: <code class="mend" id="mend-0">&gt; @agent-Miner why?</code> <button type="button" data-copy="mend-0"`, `<p>and 27 more</p>`,
		`<p class="minor">not in this version</p>`,
		`<p class="why">not ready: editor is not installed</p>`, `<p class="minor">edits the note, for you to approve</p>`,
	} {
		if strings.Count(html, want) != 1 {
			t.Errorf("no %q in\n%s", want, html)
		}
	}
	for _, bad := range []string{"what was read before", "wiki release", "ext4", "of a kind", "<b>0</b>", "it waits", "this version does not have"} {
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

// A number on the first page is that of the rows behind its link, and each of those rows has its word.
func TestNumbersAreThoseOfTheirRows(t *testing.T) {
	backend := &told{status: api.Status{Queue: api.Queue{Done: 2, Failed: 1}, Dispatches: []api.Dispatch{
		{ID: "d1", Status: "done", Markers: 3, Instructions: []string{"one", "two", "three"}, Result: "some", NoResult: []int{2}},
		{ID: "d2", Status: "done", Markers: 1, Instruction: "four", Result: "none"},
		{ID: "f1", Status: "failed", Markers: 2, Instructions: []string{"five", "six"}},
	}}}
	b := openSite(t, func(s *parts) { backend.Backend = s.backend.(*apitest.Backend); s.backend = backend }).browser(t)
	now := b.get(t, "/").text
	for word, n := range map[string]string{"done": "2", "no result": "2", "failed": "2"} {
		path := "/history?status=" + strings.ReplaceAll(word, " ", "%20")
		html := b.get(t, path).text
		shown := wording.Status(word)
		if !strings.Contains(now, `<b>`+n+`</b> <a href="`+path+`">`+shown+`</a>`) || strings.Count(html, `scope="row"`) != 2 || strings.Count(html, `">`+shown+`</span>`) != 2 {
			t.Errorf("%s: on the first page\n%s\nbehind it\n%s", word, now, html)
		}
	}
}

// Who answers a role that nobody answers is chosen where the link leads; a name that is misspelt has none.
func TestRoleOfNobodyLeadsToSetup(t *testing.T) {
	backend := &told{status: api.Status{NotTakenCount: 2, NotTaken: []api.Untaken{
		{File: "A.md", Line: 1, Text: "> @agent-Editor:task shorten", Reason: "nobody", Kind: "role"},
		{File: "A.md", Line: 2, Text: "> @agent-Minr why?", Reason: "nobody", Mend: "> @agent-Miner why?", Kind: "role"},
	}}}
	var c chooser
	b := openSite(t, func(s *parts) {
		backend.Backend = s.backend.(*apitest.Backend)
		s.backend = backend
		s.UseTools(rolesTools(&c, someRoles))
	}).browser(t)
	if now := b.get(t, "/").text; strings.Count(now, "Choose who answers") != 1 || !strings.Contains(now, `<a class="button" href="/setup?role=Editor">Choose who answers Editor</a>`) {
		t.Errorf("%s", now)
	}
	for role, want := range map[string]string{"editor": `name="role-agent-0" autofocus>`, "Poet": `value="Poet" placeholder="new role"`} {
		if html := b.get(t, "/setup?role="+role).text; !strings.Contains(html, want) || strings.Count(html, "autofocus") != 1 {
			t.Errorf("%s: no %q in\n%s", role, want, html)
		}
	}
	if html := b.get(t, "/setup").text; strings.Contains(html, "autofocus") {
		t.Errorf("%s", html)
	}
}

// The first sentence tells the most important thing.
func TestState(t *testing.T) {
	watching, paused := api.Vault{State: "watching", Notes: 1}, api.Vault{State: "paused", Notes: 5}
	for _, test := range []struct {
		status api.Status
		want   stateNow
	}{
		{api.Status{}, stateNow{Kind: "bad", Head: "No folder of notes is chosen.", Rest: "0 notes watched"}},
		{api.Status{Vaults: []api.Vault{watching}}, stateNow{Kind: "good", Head: "All good:", Rest: "1 note watched"}},
		{api.Status{Vaults: []api.Vault{{State: "indexing", Notes: 2}}}, stateNow{Kind: "busy", Head: "Reading your notes.", Rest: "2 notes watched"}},
		{api.Status{Vaults: []api.Vault{watching}, Queue: api.Queue{Processing: 1, Settling: 1}}, stateNow{Kind: "busy", Head: "At work on 2 questions:", Rest: "1 note watched"}},
		{api.Status{Vaults: []api.Vault{watching, paused}}, stateNow{Kind: "busy", Head: "1 of 2 vaults paused.", Rest: "1 note watched"}},
		{api.Status{Vaults: []api.Vault{paused}, Queue: api.Queue{Queued: 1}}, stateNow{Kind: "busy", Head: "Paused.", Rest: "0 notes watched"}},
		{api.Status{Vaults: []api.Vault{watching}, Queue: api.Queue{Proposed: 1, Parked: 1}}, stateNow{Kind: "bad", Head: "2 things need you.", Rest: "1 note watched"}},
		{api.Status{Vaults: []api.Vault{watching}, Queue: api.Queue{Parked: 1, Processing: 1}}, stateNow{Kind: "bad", Head: "One thing needs you.", Rest: "1 note watched"}},
		{api.Status{Vaults: []api.Vault{watching, {State: "offline"}}, Queue: api.Queue{Parked: 1}}, stateNow{Kind: "bad", Head: "1 vault cannot be reached.", Rest: "1 note watched"}},
		{api.Status{Vaults: []api.Vault{{State: "foreign", Notes: 9}}}, stateNow{Kind: "busy", Head: "1 vault left to another machine.", Rest: "0 notes watched"}},
		{api.Status{Vaults: []api.Vault{watching, {State: "foreign"}}, Queue: api.Queue{Queued: 1}}, stateNow{Kind: "busy", Head: "At work on 1 question:", Rest: "1 note watched"}},
		{api.Status{Vaults: []api.Vault{watching}, Notices: []api.Notice{api.NewNotice(api.NoticeJournal, "error", "no space")}}, stateNow{Kind: "bad", Head: "One thing needs you.", Rest: "1 note watched"}},
		{api.Status{Vaults: []api.Vault{watching}, Notices: []api.Notice{api.NewNotice(api.NoticeEngines), api.NewNotice(api.NoticeDamage), {Dismissed: true}}}, stateNow{Kind: "bad", Head: "2 things need you.", Rest: "1 note watched"}},
	} {
		if got := newNowView(test.status).State(); got != test.want {
			t.Errorf("%+v: %+v", test.status, got)
		}
	}
}

// Of several vaults the one that a question is put to is chosen beside it, as the page was opened for it.
func TestAskBoxChoosesTheVault(t *testing.T) {
	backend := &told{status: api.Status{Agents: []api.Agent{{Role: "Miner", Ready: true}}, Vaults: []api.Vault{{Name: "v"}, {Name: "Work & play"}}}}
	b := openSite(t, func(s *parts) {
		backend.Backend = s.backend.(*apitest.Backend)
		backend.Vaults = append(backend.Vaults, api.Root{Name: "Work & play", Path: t.TempDir()})
		s.backend = backend
	}).browser(t)
	const other = `<option selected>Work &amp; play</option>`
	if html := b.get(t, "/?ask&vault=Work+%26+play").text; !strings.Contains(html, `<option value="">the one it is about</option><option>v</option>`+other) {
		t.Errorf("no vault can be chosen:\n%s", html)
	}
	if html := b.get(t, "/").text; strings.Contains(html, "selected") || !strings.Contains(html, `<select id="vault" name="vault">`) {
		t.Errorf("a vault is chosen by itself:\n%s", html)
	}
	if a := b.submit(t, "/ask", url.Values{"question": {"why?"}, "vault": {"Work & play"}}); a.status != 303 || backend.AskedIn.Name != "Work & play" {
		t.Errorf("%d: asked in %q", a.status, backend.AskedIn.Name)
	}
	backend.status.Vaults = backend.status.Vaults[:1]
	if html := b.get(t, "/").text; strings.Contains(html, `<select id="vault"`) {
		t.Errorf("one vault is offered for choice:\n%s", html)
	}
}
