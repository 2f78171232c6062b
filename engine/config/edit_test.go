package config

import (
	"maps"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"vaultdispatcher/engine/testdata/testseed"

	"go.yaml.in/yaml/v3"
)

func TestEdit(t *testing.T) {
	home := alone(t)
	at := func(name string) string { return filepath.Join(home, name) }
	for _, test := range []struct {
		name, file string
		change     Change
		want       string
	}{
		{"a new file", "", Change{Vaults: []string{at("Notes")}, HTTPPort: 7000},
			"wiki:\n  vaults:\n    - ~/Notes\n  httpPort: 7000\n"},
		{"nothing but comments", "# mine\n\n# two\n", Change{HTTPPort: 7000}, "# mine\n\n# two\nwiki:\n  httpPort: 7000\n"},
		{"nothing", "~\n", Change{HTTPPort: 7000}, "wiki:\n  httpPort: 7000\n"},
		{"comments, order, blank lines and unknown keys stay",
			"# top\nother: 1\n\nwiki: # the block\n  # before\n  settle: 3s\n\n  HTTPPORT: 1 # a port\n  mine: [a,  b]\n\n# end\n",
			Change{HTTPPort: 2},
			"# top\nother: 1\n\nwiki: # the block\n  # before\n  settle: 3s\n\n  HTTPPORT: 2 # a port\n  mine: [a, b]\n\n# end\n"},
		{"a list of vaults", "wiki:\n  vaults: [~/a, {path: ~/b, watch: poll}, \"~/c\"]\n",
			Change{Vaults: []string{at("b"), at("d"), at("c")}}, "wiki:\n  vaults: [{path: ~/b, watch: poll}, \"~/c\", ~/d]\n"},
		{"vaults by name", "wiki:\n  vaults:\n    Work: {path: ~/a} # mine\n    b: ~/b\n",
			Change{Vaults: []string{at("a"), at("x/work")}}, "wiki:\n  vaults:\n    Work: {path: ~/a} # mine\n    work 2: ~/x/work\n"},
		{"an agent", "wiki:\n  agents:\n    miner: {runner: builtin, timeout: 1m, session: s}\n",
			Change{Agents: map[string]Agent{"Miner": {Runner: "claude", Model: "m"}, "*": {Runner: "claude"}}},
			"wiki:\n  agents:\n    miner: {runner: claude, timeout: 1m, model: m}\n    '*': {runner: claude}\n"},
		{"the same runner keeps its settings", "wiki: {agents: {Miner: {runner: claude, model: a, session: s}}}\n",
			Change{Agents: map[string]Agent{"Miner": {Runner: "claude"}}}, "wiki: {agents: {Miner: {runner: claude, model: a, session: s}}}\n"},
		{"a role is taken out", "wiki: {agents: {Miner: {runner: claude}, '*': {runner: pi}}}\n",
			Change{Agents: map[string]Agent{"Miner": {Runner: "builtin"}}, Removals: []string{"*"}}, "wiki: {agents: {Miner: {runner: builtin}}}\n"},
		{"a model", "wiki:\n  embedding: {provider: openai, model: a, url: 'http://h', dim: 3, batch: 8}\n",
			Change{Embedding: &Embedding{Provider: "ollama", Model: "4.10"}},
			"wiki:\n  embedding: {provider: ollama, model: \"4.10\", batch: 8}\n"},
		{"an address of another server takes the key with it", "wiki:\n  embedding: {provider: openai, model: a, url: 'https://a.example', apiKeyEnv: KEY, dim: 3}\n",
			Change{Embedding: &Embedding{Provider: "openai", Model: "a", URL: "https://b.example"}},
			"wiki:\n  embedding: {provider: openai, model: a, url: 'https://b.example', dim: 3}\n"},
		{"so does no address", "wiki:\n  embedding: {provider: openai, model: a, url: 'https://a.example', apiKeyEnv: KEY}\n",
			Change{Embedding: &Embedding{Provider: "ollama", Model: "a"}}, "wiki:\n  embedding: {provider: ollama, model: a}\n"},
		{"another path of the server does not", "wiki:\n  embedding: {provider: openai, model: a, url: 'https://a.example', apiKeyEnv: KEY}\n",
			Change{Embedding: &Embedding{Provider: "openai", Model: "a", URL: "https://a.example/v1"}},
			"wiki:\n  embedding: {provider: openai, model: a, url: 'https://a.example/v1', apiKeyEnv: KEY}\n"},
		{"nor does a first address", "wiki:\n  embedding: {apiKeyEnv: KEY}\n",
			Change{Embedding: &Embedding{Provider: "openai", Model: "a", URL: "https://a.example"}},
			"wiki:\n  embedding: {apiKeyEnv: KEY, provider: openai, model: a, url: 'https://a.example'}\n"},
		{"the usual place of a provider is a server too", "wiki:\n  embedding: {provider: ollama, model: a, apiKeyEnv: KEY}\n",
			Change{Embedding: &Embedding{Provider: "ollama", Model: "a", URL: "https://b.example"}}, "wiki:\n  embedding: {provider: ollama, model: a, url: 'https://b.example'}\n"},
		{"and leaving it for nobody", "wiki:\n  embedding: {provider: ollama, model: a, apiKeyEnv: KEY}\n",
			Change{Embedding: &Embedding{Provider: "none"}}, "wiki:\n  embedding: {provider: none, model: \"\"}\n"},
		{"another model there keeps the key", "wiki:\n  embedding: {provider: ollama, model: a, apiKeyEnv: KEY}\n",
			Change{Embedding: &Embedding{Provider: "ollama", Model: "b"}}, "wiki:\n  embedding: {provider: ollama, model: b, apiKeyEnv: KEY}\n"},
		{"a key and an address that are merged", "base: &b {provider: openai, model: a, url: 'https://a.example', apiKeyEnv: KEY}\nwiki:\n  embedding: {<<: *b}\n",
			Change{Embedding: &Embedding{Provider: "ollama", Model: "a"}},
			"base: &b {provider: openai, model: a, url: 'https://a.example', apiKeyEnv: KEY}\nwiki:\n  embedding: {<<: *b, apiKeyEnv: null, provider: ollama, model: a, url: null}\n"},
		{"an alias is not followed", "base: &b {before: 1}\nd: &d {provider: none}\nwiki:\n  embedding: *d\n  context: *b\n",
			Change{Embedding: &Embedding{Provider: "ollama", Model: "m"}},
			"base: &b {before: 1}\nd: &d {provider: none}\nwiki:\n  embedding: {provider: ollama, model: m}\n  context: *b\n"},
		{"Windows ends of lines", "# a\r\n\r\nwiki:\r\n  settle: 3s\r\n", Change{HTTPPort: 5}, "# a\r\n\r\nwiki:\r\n  settle: 3s\r\n  httpPort: 5\r\n"},
		{"ends of both kinds", "# a\r\nwiki:\n  settle: 3s\n", Change{HTTPPort: 5}, "# a\nwiki:\n  settle: 3s\n  httpPort: 5\n"},
		{"a byte order mark", "\ufeff# a\nwiki: {}\n", Change{HTTPPort: 5}, "\ufeff# a\nwiki: {httpPort: 5}\n"},
		{"only comments, as Windows has them", "\ufeff# a\r\n\r\n# b\r\n", Change{HTTPPort: 5}, "\ufeff# a\r\n\r\n# b\r\nwiki:\r\n  httpPort: 5\r\n"},
		{"a text with Windows ends of lines", "text: |\r\n  one\r\n\r\n  two\r\nquoted: \"a\\r\\nb\"\r\nwiki: {}\r\n", Change{HTTPPort: 5},
			"text: |\r\n  one\r\n\r\n  two\r\nquoted: \"a\\r\\nb\"\r\nwiki: {httpPort: 5}\r\n"},
		{"from before the rename, as Windows has it", "\ufeffvaultMind:\r\n  httpPort: 4\r\n", Change{HTTPPort: 5}, "\ufeffwiki:\r\n  httpPort: 5\r\n"},
		{"a folded text", "text: >\n  one\n\n  two\n\nwiki: {}\n", Change{HTTPPort: 5}, "text: >\n  one\n\n  two\n\nwiki: {httpPort: 5}\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, cfg, err := Edit("c.yaml", []byte(test.file), test.change)
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
			if loaded := mustParse(t, string(got)); !loaded.HasSameSettings(cfg) {
				t.Errorf("the configuration that came back is not that of the text")
			}
			again, _, err := Edit("c.yaml", got, test.change)
			if err != nil || string(again) != string(got) {
				t.Errorf("a second time it became\n%s\n%v", again, err)
			}
		})
	}
}

func TestEditRefuses(t *testing.T) {
	alone(t)
	for _, test := range []struct {
		file   string
		change Change
		want   string
	}{
		{"wiki: {httpPort: x}", Change{}, `c.yaml:1: wiki.httpPort: expected a whole number, found the text "x"`},
		{"wiki: [", Change{}, "c.yaml:1: not valid YAML: did not find expected node content"},
		{"wiki: {}", Change{HTTPPort: 70000}, "c.yaml:1: wiki.httpPort: 70000 is not a port; use 1 to 65535"},
		{"wiki: {}", Change{Vaults: []string{}}, "c.yaml: no vault would be left; name one folder at least"},
		{"wiki: {}", Change{Vaults: []string{"relative"}}, `c.yaml:1: wiki.vaults[0]: "relative" is a relative path; write ~/... or an absolute path`},
	} {
		_, _, err := Edit("c.yaml", []byte(test.file), test.change)
		if err == nil || err.Error() != test.want {
			t.Errorf("%s: got  %v\nwant %s", test.file, err, test.want)
		}
	}
}

// What a change does not name means the same after it, whatever the file looks like.
func TestEditTouchesNothingElse(t *testing.T) {
	alone(t)
	seed := testseed.Take(t)
	r := rand.New(rand.NewPCG(seed, 1))
	pieces := []string{"# a comment\n", "\n", "  \n", "mine: {a: 1, b: [x, 'y: z']}\n", "text: |\n  a\n\n   b\n", "fold: >-\n  a\n\n\n  b\n",
		"quoted: \"a\n\n  b\"\n", "list:\n- 1\n\n- 2 # two\n", "anchor: &x {p: 1}\nalias: *x\n", "deep:\n  # c\n  er: [1,\n\n  2]\n"}
	for range 300 {
		var file strings.Builder
		wiki := r.IntN(len(pieces))
		for i, p := range r.Perm(len(pieces)) {
			if i == wiki {
				file.WriteString("wiki:\n  settle: 4s # slow\n\n  # mine\n  unknown: 1\n")
			}
			if r.IntN(2) == 0 {
				file.WriteString(pieces[p])
			}
		}
		got, cfg, err := Edit("c.yaml", []byte(file.String()), Change{HTTPPort: 7777})
		if err != nil {
			t.Fatalf("%v\nin\n%s", err, file.String())
		}
		var before, after map[string]any
		if err := yaml.Unmarshal([]byte(file.String()), &before); err != nil {
			t.Fatal(err)
		}
		if err := yaml.Unmarshal(got, &after); err != nil {
			t.Fatalf("%v\nin\n%s", err, got)
		}
		want := maps.Clone(before)
		want["wiki"] = map[string]any{"settle": "4s", "unknown": 1, "httpPort": 7777}
		if !reflect.DeepEqual(after, want) || cfg.HTTPPort != 7777 {
			t.Fatalf("from\n%s\ncame\n%s", file.String(), got)
		}
		for _, comment := range []string{"# a comment", "# slow", "# mine", "# two", "# c\n"} {
			if strings.Count(file.String(), comment) != strings.Count(string(got), comment) {
				t.Fatalf("%q: from\n%s\ncame\n%s", comment, file.String(), got)
			}
		}
		if strings.Contains(string(got), "#=empty=") {
			t.Fatalf("a mark is left in\n%s", got)
		}
	}
}

// The folder of notes is found under each name that an old block has for it, alone, in a list and with what else is said of it.
func TestConvertFindsTheFolder(t *testing.T) {
	for _, block := range []string{"qmd", "vaultMind"} {
		for _, name := range []string{"vault", "vaultPath", "path", "paths", "folder", "folders", "dir", "root", "notes", "collections"} {
			for _, value := range []string{`~/a`, `[~/a]`, `[{path: ~/a, name: A, pattern: "**/*.md"}]`, `{A: {path: ~/a, mask: "**/*.md", context: {"/": x}}}`} {
				text, left, err := Convert("c.yaml", []byte(block+": {"+name+": "+value+"}\n"))
				if err != nil || len(left) > 0 || !strings.Contains(string(text), "~/a") {
					t.Errorf("%s.%s: %s: left %q, %v:\n%s", block, name, value, left, err, text)
				}
			}
		}
	}
}

func TestConvert(t *testing.T) {
	home := alone(t)
	file := "# mine\nvaultMind:\n  vaultPath: ~/Notes\n  port: 12345 # here\n  debounceMs: 700\n  theme: dark\n  context: {before: 5, after: 99999}\n" +
		"qmd:\n  provider: ollama\n  model: nomic\n  collections: {A: {path: ~/a}}\nother: 1\n"
	text, left, err := Convert("c.yaml", []byte(file))
	if err != nil {
		t.Fatal(err)
	}
	c := mustParse(t, string(text))
	want := Default()
	want.Vaults = []Vault{{Name: "Notes", Path: filepath.Join(home, "Notes")}}
	want.HTTPPort, want.Debounce, want.Context.LinesAbove = 12345, 700e6, 5
	want.Embedding.Provider, want.Embedding.Model = "ollama", "nomic"
	if !c.HasSameSettings(want) {
		t.Errorf("got %+v\nfrom\n%s", c, text)
	}
	if got := strings.Join(left, " "); got != "vaultMind.theme vaultMind.context.after qmd.collections" {
		t.Errorf("left: %s", got)
	}
	for _, gone := range []string{"vaultMind", "qmd"} {
		if strings.Contains(string(text), gone) {
			t.Errorf("%s is still in\n%s", gone, text)
		}
	}
	if !strings.Contains(string(text), "other: 1") {
		t.Errorf("other is gone from\n%s", text)
	}
	edited, cfg, err := Edit("c.yaml", []byte(file), Change{HTTPPort: 8000})
	if err != nil || cfg.HTTPPort != 8000 || len(cfg.Vaults) != 1 {
		t.Errorf("%+v, %v\n%s", cfg, err, edited)
	}
	for _, half := range []string{"qmd: {provider: ollama}", "vaultMind: 3", "qmd:", "vaultMind: {vault: relative}"} {
		text, _, err := Convert("c.yaml", []byte(half))
		if err != nil {
			t.Errorf("%s: %v", half, err)
			continue
		}
		mustParse(t, string(text))
	}
}
