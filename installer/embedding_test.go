package installer

import (
	"path/filepath"
	"strings"
	"testing"

	"vaultdispatcher/engine/config"
)

// What is chosen changes that alone, and no address of one provider becomes another's.
func TestEmbeddingAddress(t *testing.T) {
	home := alone(t)
	url := func(text string) *string { return &text }
	const here = "wiki:\n  embedding: {provider: ollama, model: m, url: http://nas:11434, batch: 8}\n"
	for _, test := range []struct {
		name         string
		file         string
		choice       Choice
		want, refuse string
	}{
		{"another model keeps it", here, Choice{Provider: "ollama", Model: "n"}, "{provider: ollama, model: n, url: 'http://nas:11434', batch: 8}", ""},
		{"it alone", here, Choice{URL: url("http://attic:11434")}, "{provider: ollama, model: m, url: 'http://attic:11434', batch: 8}", ""},
		{"back to this machine", here, Choice{URL: url("")}, "{provider: ollama, model: m, batch: 8}", ""},
		{"another provider does not take it over", here, Choice{Provider: "static", Model: "/m"}, "{provider: static, model: /m, batch: 8}", ""},
		{"unless that is said", here, Choice{Provider: "openai", Model: "m", URL: url("http://nas:11434")}, "{provider: openai, model: m, url: 'http://nas:11434', batch: 8}", ""},
		{"one of its own", "wiki: {}\n", Choice{Provider: "ollama", Model: "m", URL: url("http://127.0.0.1:7000")}, "{provider: ollama, model: m, url: 'http://127.0.0.1:7000'}", ""},
		{"not the spelling of its folder", "wiki:\n  embedding: {provider: static, model: ~/m, dim: 3, queryPrefix: q}\n", Choice{Provider: "static"}, "{provider: static, model: ~/m, dim: 3, queryPrefix: q}", ""},
		{"nothing where nothing is", "wiki: {}\n", Choice{URL: url("")}, "wiki: {}", ""},
		{"needed", here, Choice{Provider: "openai", Model: "m"}, "", "needs the address of its server"},
		{"taken away where it is needed", "wiki:\n  embedding: {provider: openai, model: m, url: http://nas}\n", Choice{URL: url("")}, "", "needs the address of its server"},
		{"of no use", "wiki: {}\n", Choice{URL: url("http://nas")}, "", "none asks no server"},
		{"of no use to a folder", here, Choice{Provider: "static", Model: "/m", URL: url("http://nas")}, "", "static asks no server"},
		{"none", here, Choice{URL: url("nas:11434")}, "", "not the address of a server"},
		{"with a password", here, Choice{URL: url("http://me:secret@nas")}, "", "more than an address"},
	} {
		t.Run(test.name, func(t *testing.T) {
			file := filepath.Join(home, "config.yaml")
			put(t, file, test.file)
			now, err := Read(file)
			if err != nil {
				t.Fatal(err)
			}
			err = (Plan{Present: now, Choice: test.choice}).CheckURL()
			if test.refuse != "" {
				if err == nil || !strings.Contains(err.Error(), test.refuse) || strings.Contains(err.Error(), "secret") {
					t.Errorf("%v, want %s", err, test.refuse)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if _, err := (Plan{Present: now, Choice: test.choice}).Write(); err != nil {
				t.Fatal(err)
			}
			if got := read(t, file); !strings.Contains(got, test.want) {
				t.Errorf("it became\n%swant %s", got, test.want)
			}
		})
	}
}

// What a variable says must not become what the file says.
func TestEmbeddingOfVariables(t *testing.T) {
	alone(t)
	url := "http://nas"
	for _, name := range []string{"WIKI_EMBEDDING_PROVIDER", "WIKI_EMBEDDING_MODEL", "WIKI_EMBEDDING_URL"} {
		t.Setenv(name, "http://me:secret@nas")
		for _, c := range []Choice{{Provider: "none"}, {Model: "m"}, {URL: &url}, {URL: new(string)}} {
			if err := (Plan{Choice: c}).CheckVariables(); err == nil || !strings.Contains(err.Error(), name) || strings.Contains(err.Error(), "secret") {
				t.Errorf("%s, %+v: %v", name, c, err)
			}
		}
		if err := (Plan{Choice: Choice{Port: 5, Agent: "builtin"}}).CheckVariables(); err != nil {
			t.Errorf("%s, another choice: %v", name, err)
		}
		t.Setenv(name, "")
	}
	if err := (Plan{Choice: Choice{Provider: "ollama", Model: "m", URL: &url}}).CheckVariables(); err != nil {
		t.Error(err)
	}
}

// A password that was written by hand is not shown, and stays.
func TestAddressIsShownWithoutPassword(t *testing.T) {
	cfg := config.Default()
	if c := Chosen(cfg); c.URL != nil {
		t.Errorf("%q is the address of nothing", *c.URL)
	}
	for address, want := range map[string]string{"http://me:secret@nas/v1": "http://xxxxx@nas/v1", "http://secret@nas": "http://xxxxx@nas", "http://nas:1": "http://nas:1",
		"http://nas/v1?key=secret": "http://nas/v1?xxxxx", "http://nas/#secret": "http://nas/#xxxxx"} {
		cfg.Embedding = config.Embedding{Provider: "ollama", Model: "m", URL: address}
		if c := Chosen(cfg); c.URL == nil || *c.URL != want {
			t.Errorf("%s: %+v", address, c)
		}
		if e := (Plan{Present: Present{Config: cfg}, Choice: Choice{Model: "n"}}).Embedding(); e.URL != address {
			t.Errorf("%s became %s", address, e.URL)
		}
	}
}

func TestSentTo(t *testing.T) {
	for address, want := range map[string]string{"": "", "http://127.0.0.1:11434": "", "http://127.1.2.3": "", "http://[::1]:1": "", "http://localhost:1": "",
		"https://models.example/v1": "models.example", "http://me:secret@nas:11434": "nas", "http://localhost.example": "localhost.example", "http://192.168.0.2": "192.168.0.2"} {
		for provider, want := range map[string]string{"ollama": want, "openai": want, "static": "", "none": ""} {
			if got := RemoteHost(config.Embedding{Provider: provider, URL: address}); got != want {
				t.Errorf("%s at %s: %q, want %q", provider, address, got, want)
			}
		}
	}
}
