package dashboard

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"vaultdispatcher/engine/api"
)

// keeper is a setup that keeps what was chosen, as a configuration does.
type keeper struct {
	mu  sync.Mutex // guards set
	set api.SetupChoice

	slow time.Duration // what a look takes
}

func (k *keeper) tools() api.Tools {
	return api.Tools{Setup: &api.SetupTools{
		Look: func(context.Context) (api.Setup, error) {
			k.mu.Lock()
			s := api.Setup{Chosen: k.set, Login: api.SetupSwitch{Offered: true, Enabled: ticked(k.set.Login)}}
			for _, path := range k.set.Vaults {
				s.Folders = append(s.Folders, api.SetupFolder{Path: path, Watched: true})
			}
			for _, name := range []string{"builtin", "claude", "codex"} {
				s.Agents = append(s.Agents, api.SetupOption{Name: name})
			}
			for _, name := range []string{"none", "ollama", "static"} {
				s.Providers = append(s.Providers, api.SetupOption{Name: name})
			}
			k.mu.Unlock()
			<-time.After(k.slow)
			return s, nil
		},
		Write: func(_ context.Context, c api.SetupChoice) (api.SetupWritten, error) {
			k.mu.Lock()
			defer k.mu.Unlock()
			if c.Port == 1 {
				return api.SetupWritten{}, &api.Invalid{Reason: "It is taken.", Field: "port"}
			}
			k.set.Vaults = c.Vaults
			if c.Agent != "" {
				k.set.Agent, k.set.AgentModel = c.Agent, c.AgentModel
			}
			if c.Provider != "" {
				k.set.Provider, k.set.Model = c.Provider, c.Model
			}
			if c.URL != nil {
				k.set.URL = c.URL
			}
			if c.Login != nil {
				k.set.Login = c.Login
			}
			return api.SetupWritten{ConfigWritten: api.ConfigWritten{Changed: true}}, nil
		},
	}}
}

func ticked(box *bool) bool { return box != nil && *box }

// filledIn is the form of setup as a browser sends it.
func filledIn(t *testing.T, page string) url.Values {
	t.Helper()
	_, page, _ = strings.Cut(page, `<form method="post" action="/setup"`)
	page, _, _ = strings.Cut(page, "</form>")
	elements, _ := parsed(t, "<form"+page+"</form>")
	form, list := url.Values{}, ""
	for _, e := range elements {
		_, checked := e.attrs["checked"]
		_, selected := e.attrs["selected"]
		switch name := e.attrs["name"]; {
		case e.name == "select":
			list = name
		case e.name == "option" && selected:
			form.Set(list, e.attrs["value"])
		case e.name == "input" && e.attrs["type"] == "checkbox" && checked && e.attrs["value"] == "":
			form.Add(name, "on")
		case e.name == "input" && (e.attrs["type"] != "checkbox" || checked):
			form.Add(name, e.attrs["value"])
		}
	}
	return form
}

// Two pages that were opened at one time save different things: neither takes back
// what the other has saved, also not when one was refused first.
func TestSetupPagesOfOneTime(t *testing.T) {
	k := &keeper{set: api.SetupChoice{Vaults: []string{"/a", "/b"}, Agent: "builtin", Provider: "none", Port: 11435}}
	b := openSite(t, func(s *parts) { s.UseTools(k.tools()) }).browser(t)
	save := func(form url.Values) seen {
		return b.send(t, "POST", "/setup", b.posting(map[string]string{"Accept": "text/html"}), form.Encode())
	}
	early := b.get(t, "/setup").text
	first, second, third := filledIn(t, early), filledIn(t, early), filledIn(t, early)
	first.Set("agent", "claude")
	first.Set("agentModel", "opus")
	first["vault"] = []string{"/a"}
	first.Set("folder", "/c")
	first.Set("login", "on")
	if a := save(first); a.status != http.StatusSeeOther {
		t.Fatalf("%d %s", a.status, a.text)
	}
	second.Set("provider", "ollama")
	second.Set("model", "m")
	second.Set("port", "1")
	refused := save(second)
	if refused.status != http.StatusBadRequest {
		t.Fatalf("%d %s", refused.status, refused.text)
	}
	second = filledIn(t, refused.text)
	second.Set("port", "11435")
	if a := save(second); a.status != http.StatusSeeOther {
		t.Fatalf("%d %s", a.status, a.text)
	}
	if a := save(third); a.status != http.StatusSeeOther {
		t.Fatalf("%d %s", a.status, a.text)
	}
	s := k.set
	if s.Agent != "claude" || s.AgentModel != "opus" || s.Provider != "ollama" || s.Model != "m" || !slices.Equal(s.Vaults, []string{"/a", "/c"}) || !ticked(s.Login) {
		t.Errorf("of both remains %+v, login %v", s, ticked(s.Login))
	}
}

// The address of the provider is a field of its own: another model, from a page that
// shows an older address, leaves it; another provider is asked where its page shows.
func TestSetupPagesAndTheAddress(t *testing.T) {
	was := "http://old"
	k := &keeper{set: api.SetupChoice{Vaults: []string{"/a"}, Agent: "builtin", Provider: "ollama", Model: "m", URL: &was}}
	b := openSite(t, func(s *parts) { s.UseTools(k.tools()) }).browser(t)
	early := b.get(t, "/setup").text
	for _, test := range []struct {
		field, value         string
		provider, model, url string
	}{
		{"url", "http://new", "ollama", "m", "http://new"},
		{"model", "n", "ollama", "n", "http://new"},
		{"folder", "/b", "ollama", "n", "http://new"},
		{"provider", "static", "static", "m", "http://old"},
		{"url", "", "static", "m", ""},
	} {
		form := filledIn(t, early)
		form.Set(test.field, test.value)
		a := b.send(t, "POST", "/setup", b.posting(map[string]string{"Accept": "text/html"}), form.Encode())
		if s := k.set; a.status != http.StatusSeeOther || s.Provider != test.provider || s.Model != test.model || *s.URL != test.url {
			t.Errorf("%s is %q: %d, set is %s %s at %q", test.field, test.value, a.status, s.Provider, s.Model, *s.URL)
		}
	}
}

// Forms that come together all count.
func TestSetupPagesAtOnce(t *testing.T) {
	t.Parallel()
	const forms = 20
	k := &keeper{slow: 5 * time.Millisecond, set: api.SetupChoice{Vaults: []string{"/a"}, Agent: "builtin", Provider: "none"}}
	b := openSite(t, func(s *parts) { s.UseTools(k.tools()) }).browser(t)
	page := b.get(t, "/setup").text
	headers := b.posting(map[string]string{"Accept": "text/html"})
	var sent sync.WaitGroup
	for i := range forms {
		form := filledIn(t, page)
		form.Set("folder", fmt.Sprint("/new", i))
		tab := *b // each sees its own cookie
		sent.Go(func() {
			if a := tab.send(t, "POST", "/setup", headers, form.Encode()); a.status != http.StatusSeeOther {
				t.Errorf("%d %s", a.status, a.text)
			}
		})
	}
	sent.Wait()
	if len(k.set.Vaults) != forms+1 {
		t.Errorf("of %d new folders remain %q", forms, k.set.Vaults)
	}
}
