package api

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"
)

// chooser is a setup that remembers what was chosen.
type chooser struct {
	chosen []SetupChoice
	tried  []string
}

func (c *chooser) tools() Tools {
	return Tools{Setup: &SetupTools{
		Look: func(context.Context) (Setup, error) {
			return Setup{File: "config.yaml", Chosen: SetupChoice{Agent: "claude", Provider: "none"},
				Folders: []SetupFolder{{Path: "/a", Watched: true}, {Path: "/b"}},
				Agents:  []SetupOption{{Name: "builtin"}, {"claude", "there"}}, Lines: []SetupLine{{"sh", "wiki notify"}}}, nil
		},
		Write: func(_ context.Context, choice SetupChoice) (SetupWritten, error) {
			if choice.Agent == "nobody" {
				return SetupWritten{}, &Invalid{"There is no nobody."}
			}
			c.chosen = append(c.chosen, choice)
			return SetupWritten{File: "config.yaml", Changed: true}, nil
		},
		Try: func(ctx context.Context, role string) (SetupTried, error) {
			if until, ok := ctx.Deadline(); !ok || time.Until(until) < time.Minute {
				return SetupTried{}, &Conflict{"There is no time to answer."}
			}
			c.tried = append(c.tried, role)
			return SetupTried{Role: role, Runner: "claude", Answer: "I am ready.", Took: 1500 * time.Millisecond}, nil
		},
	}}
}

func TestSetupPage(t *testing.T) {
	var c chooser
	b := start(t, func(s *Server) { s.UseTools(c.tools()) }).browser(t)
	elements, _ := parsed(t, b.get(t, "/setup").text)
	ticked := map[string]bool{}
	for _, e := range elements {
		if _, checked := e.attrs["checked"]; e.attrs["name"] == "vault" {
			ticked[e.attrs["value"]] = checked
		}
	}
	if !reflect.DeepEqual(ticked, map[string]bool{"/a": true, "/b": false}) {
		t.Errorf("ticked are %v", ticked)
	}
	send := func(path, form string) seen {
		return b.send(t, "POST", path, b.posting(map[string]string{"Accept": "text/html"}), "form="+b.form+"&"+form)
	}
	a := send("/setup", "vault=/a&vault=/b&folder="+url.QueryEscape("~/New notes")+"&agent=claude&agentModel=opus&provider=ollama&model=m")
	want := []SetupChoice{{Vaults: []string{"/a", "/b", "~/New notes"}, Agent: "claude", AgentModel: "opus", Provider: "ollama", Model: "m"}}
	if a.status != http.StatusSeeOther || a.header.Get("Location") != "/setup?saved" || !reflect.DeepEqual(c.chosen, want) {
		t.Errorf("%d, chosen %+v", a.status, c.chosen)
	}
	if text := b.get(t, "/setup?saved").text; !strings.Contains(text, "The configuration is written.") {
		t.Errorf("that it was saved is not told:\n%s", text)
	}
	for form, reason := range map[string]string{"agent=claude": "Choose a folder of notes", "vault=/a&agent=nobody": "There is no nobody."} {
		if a := send("/setup", form); a.status != http.StatusBadRequest || !strings.Contains(a.text, reason) {
			t.Errorf("%s: %d %s", form, a.status, a.text)
		}
	}
	if len(c.chosen) != 1 {
		t.Errorf("chosen %+v", c.chosen)
	}
	// A folder that came after the page was made was not unticked by anybody.
	send("/setup", "vault=/b&shown=/b")
	send("/setup", "vault=/b&shown=/a&shown=/b")
	if len(c.chosen) != 3 || !reflect.DeepEqual(c.chosen[1].Vaults, []string{"/b", "/a"}) || !reflect.DeepEqual(c.chosen[2].Vaults, []string{"/b"}) {
		t.Errorf("chosen %+v", c.chosen)
	}
	if a := send("/setup/try", "role=Editor"); a.status != 200 || !strings.Contains(a.text, "I am ready.") || !strings.Contains(a.text, "after 1.5 s") {
		t.Errorf("try: %d %s", a.status, a.text)
	}
	if !reflect.DeepEqual(c.tried, []string{"Editor"}) {
		t.Errorf("tried %v", c.tried)
	}
}

func TestSetupCalls(t *testing.T) {
	var c chooser
	r := start(t, func(s *Server) { s.UseTools(c.tools()) })
	auth := map[string]string{"Authorization": "Bearer " + testToken, "Content-Type": "application/json"}
	a := r.raw(t, ask("GET", "/vault-mind/setup", auth, ""))
	text, err := json.Marshal(a.body)
	var got Setup
	if err != nil || json.Unmarshal(text, &got) != nil || a.status != 200 || got.Chosen.Agent != "claude" || len(got.Folders) != 2 || strings.Contains(string(text), "null,") {
		t.Errorf("GET: %d %s", a.status, text)
	}
	a = r.raw(t, ask("POST", "/vault-mind/setup", auth, `{"vaults":["/a"],"agent":"builtin"}`))
	if a.status != 200 || a.body["changed"] != true || !reflect.DeepEqual(c.chosen, []SetupChoice{{Vaults: []string{"/a"}, Agent: "builtin"}}) {
		t.Errorf("POST: %d %v, chosen %+v", a.status, a.body, c.chosen)
	}
	for body, status := range map[string]int{`{"agent":"nobody"}`: 400, `{"vaults":"/a"}`: 400, `[]`: 400} {
		if a := r.raw(t, ask("POST", "/vault-mind/setup", auth, body)); a.status != status {
			t.Errorf("%s: %d, want %d", body, a.status, status)
		}
	}
	if a := r.raw(t, ask("POST", "/vault-mind/setup", map[string]string{"Content-Type": "application/json"}, `{"vaults":["/a"]}`)); a.status != 401 || len(c.chosen) != 1 {
		t.Errorf("without the token: %d", a.status)
	}
}
