package dashboard

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/testdata/apitest"
)

// chooser is a setup that remembers what was chosen.
type chooser struct {
	chosen []api.SetupChoice
	tried  []string
	port   int // where it moves to
}

func (c *chooser) tools() api.Tools {
	return api.Tools{Setup: &api.SetupTools{
		Look: func(context.Context) (api.Setup, error) {
			return api.Setup{File: "config.yaml", SentTo: "models.example", Chosen: api.SetupChoice{Agent: "claude", Provider: "none"},
				Folders: []api.SetupFolder{{Path: "/a", Watched: true}, {Path: "/b"}, {Path: "/etc/b"}},
				Login:   api.SetupSwitch{Offered: true, Detail: "It would be a unit."}, Tray: api.SetupSwitch{Offered: true, Enabled: true},
				Agents: []api.SetupOption{{Name: "builtin"}, {Name: "claude", Detail: "there"}}, Lines: []api.SetupLine{{Shell: "sh", Text: "wiki notify"}}}, nil
		},
		Write: func(_ context.Context, choice api.SetupChoice) (api.SetupWritten, error) {
			if choice.Agent == "nobody" {
				return api.SetupWritten{}, &api.Invalid{Reason: "There is no nobody.", Field: "agent"}
			}
			if choice.URL != nil && *choice.URL == "nas" {
				return api.SetupWritten{}, &api.Invalid{Reason: "That is no address.", Field: "url"}
			}
			if i := slices.IndexFunc(choice.Vaults, func(path string) bool { return strings.HasPrefix(path, "/etc") }); i >= 0 {
				return api.SetupWritten{}, &api.Invalid{Reason: "It belongs to the system.", Field: "vaults", Value: choice.Vaults[i]}
			}
			c.chosen = append(c.chosen, choice)
			written := api.SetupWritten{ConfigWritten: api.ConfigWritten{File: "config.yaml", Changed: true}, Port: c.port}
			if choice.Login != nil {
				written.Notes = []string{"The login service is as it was."}
			}
			return written, nil
		},
		Prove: func(ctx context.Context) (api.SetupProof, error) {
			if len(c.chosen) == 0 {
				return api.SetupProof{}, &api.Conflict{Reason: "No first answer came."}
			}
			return api.SetupProof{Text: "Asked <there>:", Answer: "Nobody."}, nil
		},
		Try: func(ctx context.Context, role string) (api.SetupTried, error) {
			if until, ok := ctx.Deadline(); !ok || time.Until(until) < time.Minute {
				return api.SetupTried{}, &api.Conflict{Reason: "There is no time to answer."}
			}
			c.tried = append(c.tried, role)
			return api.SetupTried{Role: role, Runner: "claude", Answer: "I am ready.", Took: 1500 * time.Millisecond}, nil
		},
	}}
}

func TestSetupPage(t *testing.T) {
	var c chooser
	b := openSite(t, func(s *parts) { s.UseTools(c.tools()) }).browser(t)
	page := b.get(t, "/setup").text
	if !strings.Contains(page, "The text of your notes is sent to models.example.") {
		t.Errorf("where notes are sent is not told:\n%s", page)
	}
	elements, _ := parsed(t, page)
	ticked := map[string]bool{}
	for _, e := range elements {
		if _, checked := e.attrs["checked"]; e.attrs["name"] == "vault" {
			ticked[e.attrs["value"]] = checked
		}
	}
	if !reflect.DeepEqual(ticked, map[string]bool{"/a": true, "/b": false, "/etc/b": false}) {
		t.Errorf("ticked are %v", ticked)
	}
	send := func(path, form string) seen {
		return b.send(t, "POST", path, b.posting(map[string]string{"Accept": "text/html"}), "form="+b.form+"&"+form)
	}
	a := send("/setup", "vault=/a&vault=/b&folder="+url.QueryEscape("~/New notes")+"&agent=claude&agentModel=opus&provider=ollama&model=m")
	want := []api.SetupChoice{{Vaults: []string{"/a", "/b", "~/New notes"}, Agent: "claude", AgentModel: "opus", Provider: "ollama", Model: "m"}}
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

// What is refused stands beside its field, which has the focus, and what was filled in
// is not lost.
func TestSetupPageKeepsWhatWasTyped(t *testing.T) {
	var c chooser
	b := openSite(t, func(s *parts) { s.UseTools(c.tools()) }).browser(t)
	for _, test := range []struct{ form, field, reason string }{
		{"vault=/a&agent=nobody", "agent", "There is no nobody."},
		{"agent=builtin", "folder", "Choose a folder of notes"},
		{"vault=/a&port=http", "port", "A port is a number"},
		{"vault=/a&port=65536", "port", "A port is a number"},
		{"vault=/a&url=nas", "url", "That is no address."},
		{"vault=/a&folder=/etc", "folder", "It belongs to the system."},
		{"vault=/a&vault=/etc/b&folder=/c", "vault-2", "It belongs to the system."},
	} {
		typed := "&shown=/a&shown=/b&shown=/etc/b&model=typed-model&agentModel=typed-agent&login=on&was-login=&was-tray=on&sure=on"
		a := b.send(t, "POST", "/setup", b.posting(map[string]string{"Accept": "text/html"}), "form="+b.form+"&"+test.form+typed)
		if a.status != http.StatusBadRequest || formOf(a.text) != b.form {
			t.Errorf("%s: %d", test.form, a.status)
		}
		elements, text := parsed(t, a.text)
		values, focused, described := map[string]string{}, "", ""
		checked := map[string]bool{}
		for _, e := range elements {
			values[e.attrs["name"]] = e.attrs["value"]
			_, checked[e.attrs["id"]] = e.attrs["checked"]
			if _, there := e.attrs["autofocus"]; there {
				focused, described = focused+e.attrs["id"], e.attrs["aria-describedby"]
			}
		}
		if focused != test.field || !strings.Contains(a.text, `id="`+described+`">`+test.reason) || !strings.Contains(text, "Nothing was saved") {
			t.Errorf("%s: the focus is on %q, described by %q:\n%s", test.form, focused, described, text)
		}
		if values["model"] != "typed-model" || values["agentModel"] != "typed-agent" || !checked["login"] || checked["tray"] || !checked["sure"] || checked["vault-0"] != strings.Contains(test.form, "vault=/a") {
			t.Errorf("%s: what was typed is lost: %v, %v", test.form, values, checked)
		}
		if strings.Contains(test.form, "folder=/etc") && values["folder"] != "/etc" || strings.Contains(test.form, "port=http") && values["port"] != "http" || strings.Contains(test.form, "url=nas") && values["url"] != "nas" {
			t.Errorf("%s: what was typed is lost: %v", test.form, values)
		}
	}
	if len(c.chosen) != 0 {
		t.Errorf("chosen %+v", c.chosen)
	}
}

// A switch is thrown only by who left it otherwise than it was shown.
func TestSetupPageSwitches(t *testing.T) {
	yes, no := true, false
	for form, want := range map[string]*bool{"": nil, "login=on": nil, "was-login=on": &no, "was-login=&login=on": &yes, "was-login=on&login=on": nil, "was-login=": nil} {
		var c chooser
		b := openSite(t, func(s *parts) { s.UseTools(c.tools()) }).browser(t)
		a := b.send(t, "POST", "/setup", b.posting(map[string]string{"Accept": "text/html"}), "form="+b.form+"&vault=/a&"+form)
		if len(c.chosen) != 1 || !reflect.DeepEqual(c.chosen[0].Login, want) || c.chosen[0].Tray != nil {
			t.Errorf("%q: %d, chosen %+v", form, a.status, c.chosen)
		}
		if told := strings.Contains(a.text, "The login service is as it was."); told != (want != nil) {
			t.Errorf("%q: what could not be done is told: %v", form, told)
		}
	}
}

// A browser follows the engine to another port with a link that is good once, and
// is where it was.
func TestSetupPageMoves(t *testing.T) {
	var c chooser
	there := openSite(t, func(s *parts) { s.UseTools(c.tools()) })
	c.port = there.Port
	b := openSite(t, func(s *parts) {
		s.UseTools(c.tools())
		s.sessions = there.sessions
	}).browser(t)
	a := b.send(t, "POST", "/setup", b.posting(map[string]string{"Accept": "text/html"}), "form="+b.form+"&vault=/a&port="+there.PortText())
	found := regexp.MustCompile(`content="0; url=([^"]+)"`).FindStringSubmatch(a.text)
	if a.status != 200 || found == nil || !strings.Contains(a.text, `<a href="`+found[1]+`">Go on at port `+there.PortText()) {
		t.Fatalf("%d %s", a.status, a.text)
	}
	if again := b.get(t, "/setup"); again.status != 401 {
		t.Errorf("the session of before: %d", again.status)
	}
	path, ok := strings.CutPrefix(found[1], there.Base())
	if !ok {
		t.Fatalf("it leads to %s", found[1])
	}
	guest := &browser{site: there}
	following := map[string]string{"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document", "Accept": "text/html"}
	for _, wrong := range []map[string]string{{"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Mode": "cors"}, {"Sec-Fetch-Dest": "iframe"}, {"Origin": b.Base()}} {
		if a := guest.send(t, "GET", path, apitest.Joined(following, wrong), ""); a.status != 403 || guest.cookie != nil {
			t.Errorf("%v: %d", wrong, a.status)
		}
	}
	usual := "/open/" + there.sessions.newLink("", time.Now())
	if a := guest.send(t, "GET", usual, following, ""); a.status != 403 {
		t.Errorf("a usual link from another port: %d", a.status)
	}
	if a = guest.send(t, "GET", path, following, ""); a.status != 200 || guest.cookie == nil || !strings.Contains(a.text, `content="0; url=/setup?saved&amp;moved"`) {
		t.Fatalf("%d %s", a.status, a.text)
	}
	if a = guest.get(t, "/setup?saved&moved"); a.status != 200 || !strings.Contains(a.text, "at its new port") {
		t.Errorf("%d %s", a.status, a.text)
	}
	if a = (&browser{site: there}).send(t, "GET", path, following, ""); a.status != 401 {
		t.Errorf("the link once more: %d", a.status)
	}
}

func TestSetupPageProves(t *testing.T) {
	var c chooser
	b := openSite(t, func(s *parts) { s.UseTools(c.tools()) }).browser(t)
	prove := func() seen {
		return b.send(t, "POST", "/setup/prove", b.posting(map[string]string{"Accept": "text/html"}), "form="+b.form)
	}
	if a := prove(); a.status != 409 || !strings.Contains(a.text, "No first answer came.") || formOf(a.text) == "" {
		t.Errorf("%d %s", a.status, a.text)
	}
	c.chosen = append(c.chosen, api.SetupChoice{})
	if a := prove(); a.status != 200 || !strings.Contains(a.text, "Nobody.") || !strings.Contains(a.text, "Asked &lt;there&gt;:") {
		t.Errorf("%d %s", a.status, a.text)
	}
}

func TestSetupCalls(t *testing.T) {
	var c chooser
	r := openSite(t, func(s *parts) { s.UseTools(c.tools()) })
	auth := map[string]string{"Authorization": "Bearer " + apitest.Token, "Content-Type": "application/json"}
	a := r.Raw(t, apitest.Request("GET", "/vault-mind/setup", auth, ""))
	text, err := json.Marshal(a.Body)
	var got api.Setup
	if err != nil || json.Unmarshal(text, &got) != nil || a.Status != 200 || got.Chosen.Agent != "claude" || len(got.Folders) != 3 || *got.Chosen.Login || !*got.Chosen.Tray || strings.Contains(string(text), "null,") {
		t.Errorf("GET: %d %s", a.Status, text)
	}
	a = r.Raw(t, apitest.Request("POST", "/vault-mind/setup", auth, `{"vaults":["/a"],"agent":"builtin"}`))
	if a.Status != 200 || a.Body["changed"] != true || !reflect.DeepEqual(c.chosen, []api.SetupChoice{{Vaults: []string{"/a"}, Agent: "builtin"}}) {
		t.Errorf("POST: %d %v, chosen %+v", a.Status, a.Body, c.chosen)
	}
	for body, status := range map[string]int{`{"agent":"nobody"}`: 400, `{"vaults":"/a"}`: 400, `[]`: 400} {
		if a := r.Raw(t, apitest.Request("POST", "/vault-mind/setup", auth, body)); a.Status != status {
			t.Errorf("%s: %d, want %d", body, a.Status, status)
		}
	}
	if a := r.Raw(t, apitest.Request("POST", "/vault-mind/setup", map[string]string{"Content-Type": "application/json"}, `{"vaults":["/a"]}`)); a.Status != 401 || len(c.chosen) != 1 {
		t.Errorf("without the token: %d", a.Status)
	}
}
