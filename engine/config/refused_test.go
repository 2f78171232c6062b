package config

import (
	"errors"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"vaultdispatcher/engine/config/runners"
)

// runnersOr names every runner there is, as a sentence does.
func runnersOr() string {
	names := runners.Names()
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// refused pairs configurations with the exact words they are refused with.
var refused = []struct{ name, file, want string }{
	{"a role of two lines", "wiki: {agents: {Miner2 cl\r\raude}}", "c.yaml:1: wiki.agents.Miner2 cl aude: expected a block such as {runner: builtin}, found nothing"},
	{"port", "wiki:\n  httpPort: 99999", "c.yaml:2: wiki.httpPort: 99999 is not a port; use 1 to 65535"},
	{"port as text", `wiki: {httpPort: "11435"}`, `c.yaml:1: wiki.httpPort: expected a whole number, found the text "11435"`},
	{"port with a fraction", "wiki: {httpPort: 80.5}", "c.yaml:1: wiki.httpPort: expected a whole number, found the number 80.5"},
	{"port beyond numbers", "wiki: {httpPort: 99999999999999999999}", "c.yaml:1: wiki.httpPort: expected a whole number, found the number 99999999999999999999"},
	{"port as list", "wiki: {httpPort: [1]}", "c.yaml:1: wiki.httpPort: expected a whole number, found a list"},
	{"bare duration", "wiki: {debounce: 5}", "c.yaml:1: wiki.debounce: 5 has no unit; write 5s or 5ms"},
	{"bare duration as text", `wiki: {debounce: "2.5"}`, "c.yaml:1: wiki.debounce: 2.5 has no unit; write 2.5s or 2.5ms"},
	{"no duration", "wiki: {settle: soon}", `c.yaml:1: wiki.settle: "soon" is not a duration; write it like 500ms, 2.5s or 10m`},
	{"duration with a comma", `wiki: {settle: "2,5s"}`, `c.yaml:1: wiki.settle: "2,5s" is not a duration; write it like 500ms, 2.5s or 10m`},
	{"endless duration", "wiki: {settle: inf}", `c.yaml:1: wiki.settle: "inf" is not a duration; write it like 500ms, 2.5s or 10m`},
	{"negative duration", "wiki: {settle: -1s}", "c.yaml:1: wiki.settle: -1s is too short; use 0 to 1h"},
	{"duration as switch", "wiki: {settle: off}", `c.yaml:1: wiki.settle: "off" is not a duration; write it like 500ms, 2.5s or 10m`},
	{"long timeout", "wiki: {dispatch: {timeout: 48h}}", "c.yaml:1: wiki.dispatch.timeout: 48h is too long; use 1s to 24h"},
	{"no timeout", "wiki: {dispatch: {timeout: 0}}", "c.yaml:1: wiki.dispatch.timeout: 0 is too short; use 1s to 24h"},
	{"busy poll", "wiki: {watch: {pollInterval: 1ms}}", "c.yaml:1: wiki.watch.pollInterval: 1ms is too short; use 100ms to 1h"},
	{"concurrency", "wiki:\n  dispatch:\n    concurrency: 8", "c.yaml:3: wiki.dispatch.concurrency: 8 tasks at once are not possible; use 1 to 3"},
	{"mode", "wiki: {dispatch: {mode: parallel}}", `c.yaml:1: wiki.dispatch.mode: "parallel" is unknown; use tasks or chain`},
	{"switch as word", "wiki: {notify: yes}", `c.yaml:1: wiki.notify: expected true or false, found the text "yes"`},
	{"block as number", "wiki: {context: 30}", "c.yaml:1: wiki.context: expected a block of keys, found the number 30"},
	{"wiki as list", "wiki: [httpPort]", "c.yaml:1: wiki: expected a block of keys, found a list"},
	{"text as block", "wiki: {owner: {name: x}}", "c.yaml:1: wiki.owner: expected a text, found a mapping"},
	{"owner on two lines", `wiki: {owner: "a\nb"}`, `c.yaml:1: wiki.owner: "a\nb" is not the name of a machine`},
	{"key twice in another case", "wiki:\n  httpPort: 1\n  HTTPPORT: 2", "c.yaml:2: wiki.httpPort: is set twice, again on line 3; keep one"},
	{"one exclude", "wiki: {exclude: Templates/**}", `c.yaml:1: wiki.exclude: expected a list in brackets such as [one, two], found the text "Templates/**"`},
	{"empty entry", "wiki: {exclude: [a, ~]}", "c.yaml:1: wiki.exclude: entry 2 is empty; put it in quotes or take it out"},
	{"glob with backslash", `wiki: {exclude: ['Templates\**']}`, `c.yaml:1: wiki.exclude: "Templates\**" has a backslash; write folders with / on every system`},
	{"absolute glob", "wiki: {untrusted: [/Clippings]}", `c.yaml:1: wiki.untrusted: "/Clippings" begins with /; patterns start at the top of the vault, so leave it out`},
	{"climbing glob", "wiki: {index: {exclude: [../x]}}", `c.yaml:1: wiki.index.exclude: "../x" has .. in it; patterns stay inside the vault and name every folder`},
	{"stars in a name", "wiki: {exclude: [a/**.md]}", `c.yaml:1: wiki.exclude: "a/**.md" has ** beside other characters; it must stand alone between slashes`},
	{"two slashes", "wiki: {exclude: [a//b]}", `c.yaml:1: wiki.exclude: "a//b" has two slashes in a row`},
	{"provider without a model", "wiki: {embedding: {provider: ollama}}", `c.yaml:1: wiki.embedding.model: missing; the provider "ollama" needs to know which model`},
	{"openai without an address", "wiki: {embedding: {provider: openai, model: m}}", `c.yaml:1: wiki.embedding.url: missing; the provider "openai" needs the address of its server, such as http://127.0.0.1:8080`},
	{"a key instead of its variable", "wiki: {embedding: {apiKeyEnv: sk-123}}", `c.yaml:1: wiki.embedding.apiKeyEnv: not the name of an environment variable; put the key into one, and its name here`},
	{"model server without an address", "wiki: {agents: {A: {runner: openai, model: m}}}", "c.yaml:1: wiki.agents.A.url: missing; the runner openai needs the address of its server, such as http://127.0.0.1:11434/v1"},
	{"model server that is no address", "wiki: {agents: {A: {runner: openai, url: localhost}}}", `c.yaml:1: wiki.agents.A.url: "localhost" is not an address; write it like http://127.0.0.1:11434/v1`},
	{"key in an address", "wiki: {agents: {A: {runner: openai, url: 'https://u:k@models.example/v1'}}}", "c.yaml:1: wiki.agents.A.url: contains more than an address; put a key into a variable and its name into apiKeyEnv"},
	{"key of a model server", "wiki: {agents: {A: {runner: openai, url: 'https://models.example', apiKeyEnv: sk-1}}}", "c.yaml:1: wiki.agents.A.apiKeyEnv: not the name of an environment variable; put the key into one, and its name here"},
	{"tools for a model server", "wiki: {agents: {A: {runner: openai, url: 'https://models.example', tools: read}}}", "c.yaml:1: wiki.agents.A.tools: the runner openai gives its model no tools; use none"},
	{"scope", "wiki: {history: {scope: all}}", `c.yaml:1: wiki.history.scope: "all" is unknown; use none, thread, note or vault`},
	{"scope of a role", "wiki: {agents: {A: {runner: pi, history: all}}}", `c.yaml:1: wiki.agents.A.history: "all" is unknown; use none, thread, note or vault`},
	{"history of a role", "wiki: {agents: {A: {runner: pi, history: {bytes: -1}}}}", `c.yaml:1: wiki.agents.A.history: -1 is not a size in bytes; use 0 to 1048576`},
	{"history as a list", "wiki: {agents: {A: {runner: pi, history: [note]}}}", `c.yaml:1: wiki.agents.A.history: expected a text, found a list`},
	{"private as a text", "wiki: {private: Journal}", `c.yaml:1: wiki.private: expected a list in brackets such as [one, two], found the text "Journal"`},
	{"private with a backslash", `wiki: {private: ['Journal\**']}`, `c.yaml:1: wiki.private: "Journal\**" has a backslash; write folders with / on every system`},
	{"small window", "wiki: {context: {bytes: 100}}", "c.yaml:1: wiki.context.bytes: 100 is not a size in bytes; use 1024 to 16777216"},
	{"comments as a word", "wiki: {agents: {A: {runner: pi, context: all}}}", "c.yaml:1: wiki.agents.A.context: expected a block such as {comments: true}, found the text \"all\""},
	{"little context", "wiki: {agents: {A: {runner: pi, contextTokens: 3}}}", "c.yaml:1: wiki.agents.A.contextTokens: 3 is not a number of tokens a model reads; use 512 to 100000000"},
	{"acp without a program", "wiki: {agents: {A: {runner: acp}}}", "c.yaml:1: wiki.agents.A.command: missing; the runner acp needs an agent program, such as [gemini, --acp]"},
	{"model folder", "wiki: {embedding: {provider: static, model: potion}}", `c.yaml:1: wiki.embedding.model: "potion" is a relative path; write ~/... or an absolute path`},
	{"weight", "wiki: {embedding: {weight: 11}}", `c.yaml:1: wiki.embedding.weight: 11 is not a weight; use 0 to 10`},
	{"weight that is no number", "wiki: {embedding: {weight: much}}", `c.yaml:1: wiki.embedding.weight: expected a number, found the text "much"`},
	{"address with a key", "wiki: {embedding: {url: 'ftp://nas?key=secret'}}", `c.yaml:1: wiki.embedding.url: that is not the address of a server; write it like http://127.0.0.1:11434`},
	{"address with a password", "wiki: {embedding: {url: 'me:secret@nas'}}", `c.yaml:1: wiki.embedding.url: that is not the address of a server; write it like http://127.0.0.1:11434`},
	{"address", "wiki: {embedding: {url: localhost}}", `c.yaml:1: wiki.embedding.url: "localhost" is not an address; write it like http://127.0.0.1:11434`},
	{"webhook", "wiki: {webhook: {url: 'hooks.example/services/secret'}}", "c.yaml:1: wiki.webhook.url: that is not an address; write it like https://ntfy.sh/your-topic"},
	{"webhook without a topic", "wiki: {webhook: {url: 'https://ntfy.sh/'}}", "c.yaml:1: wiki.webhook.url: that has no topic at its end; write it like https://ntfy.sh/your-topic"},
	{"token of a webhook", "wiki: {webhook: {tokenEnv: tk-1}}", "c.yaml:1: wiki.webhook.tokenEnv: not the name of an environment variable; put the key into one, and its name here"},
	{"replies without a token", "wiki: {webhook: {url: 'https://h/t', replyTopic: r}}", "c.yaml:1: wiki.webhook.replyTopic: replies need a topic that others cannot read; name the variable with its token in wiki.webhook.tokenEnv"},
	{"replies of Slack", "wiki: {webhook: {url: 'https://h/t', format: slack, tokenEnv: T, replyTopic: r}}", "c.yaml:1: wiki.webhook.replyTopic: only ntfy hands replies on; set wiki.webhook.url to a topic, and wiki.webhook.format to ntfy"},
	{"replies over the topic itself", "wiki: {webhook: {url: 'https://h/t', tokenEnv: T, replyTopic: t}}", "c.yaml:1: wiki.webhook.replyTopic: replies need a topic of their own; write another one than that of wiki.webhook.url"},
	{"replies over no topic", "wiki: {webhook: {url: 'https://h/t', tokenEnv: T, replyTopic: 'a/b'}}", "c.yaml:1: wiki.webhook.replyTopic: that is no topic; write letters, digits, - and _, at most 64"},
	{"folder outside", "wiki: {broadcast: {folder: /tmp}}", `c.yaml:1: wiki.broadcast.folder: "/tmp" begins with /; patterns start at the top of the vault, so leave it out`},
	{"folder with a slash", "wiki: {broadcast: {folder: Out/}}", `c.yaml:1: wiki.broadcast.folder: "Out/" ends in a slash; leave it out`},
	{"hidden folder", "wiki: {broadcast: {folder: .agent}}", `c.yaml:1: wiki.broadcast.folder: ".agent" is in a folder that begins with a dot; notes there are never seen`},

	{"vaults as text", "wiki: {vaults: ~/Notes}", `c.yaml:1: wiki.vaults: expected a list such as [~/Notes], found the text "~/Notes"`},
	{"relative vault", "wiki: {vaults: [Notes]}", `c.yaml:1: wiki.vaults[0]: "Notes" is a relative path; write ~/... or an absolute path`},
	{"variable", "wiki: {vaults: [$HOME/Notes]}", `c.yaml:1: wiki.vaults[0]: "$HOME/Notes": variables are not replaced here; write ~/... or an absolute path`},
	{"home of another", "wiki: {vaults: [~root/x]}", `c.yaml:1: wiki.vaults[0]: "~root/x": only your own home is known; write ~/... or an absolute path`},
	{"bare tilde", "wiki: {vaults: [~]}", `c.yaml:1: wiki.vaults[0]: no path; the home folder alone is written "~", with quotes`},
	{"vault in a vault list", "wiki: {vaults: [[~/a]]}", "c.yaml:1: wiki.vaults[0]: expected a path or {path: ...}, found a list"},
	{"vault without a path", "wiki: {vaults: [{name: x}]}", "c.yaml:1: wiki.vaults[0]: no path; name the folder, such as ~/Notes"},
	{"vault's watch", "wiki:\n  vaults:\n    - path: ~/x\n      watch: never", `c.yaml:4: wiki.vaults[0].watch: "never" is unknown; use auto, fsnotify or poll`},
	{"vault's switch", "wiki: {vaults: {N: {path: ~/x, paused: 1}}}", "c.yaml:1: wiki.vaults.N.paused: expected true or false, found the number 1"},
	{"two of a name", "wiki:\n  vaults:\n    - {path: ~/a, name: Notes}\n    - {path: ~/b, name: notes}", `c.yaml:4: wiki.vaults[1]: another vault is called "notes" too; give this one its own name`},
	{"name with a space before", `wiki: {vaults: {" N": ~/a}}`, `c.yaml:1: wiki.vaults. N: " N" is not a name for a vault`},

	{"role", "wiki: {agents: {My.Agent: {runner: claude}}}", `c.yaml:1: wiki.agents.My.Agent: not a role; use a letter, then letters of the same alphabet, digits, - and _, or "*" for all others`},
	{"roles as list", "wiki: {agents: [Miner]}", "c.yaml:1: wiki.agents: expected roles, such as Miner: {runner: builtin}, found a list"},
	{"role as text", "wiki: {agents: {Miner: claude}}", `c.yaml:1: wiki.agents.Miner: expected a block such as {runner: builtin}, found the text "claude"`},
	{"role twice", "wiki:\n  agents:\n    Ed: {runner: pi}\n    ED: {runner: pi}", "c.yaml:4: wiki.agents.ED: the same role as Ed, case does not count; keep one"},
	{"no runner", "wiki:\n  agents:\n    Ed: {model: x}", "c.yaml:3: wiki.agents.Ed.runner: missing; name a runner, such as builtin or claude"},
	{"runner", "wiki: {agents: {Ed: {runner: cloude}}}", `c.yaml:1: wiki.agents.Ed.runner: "cloude" is unknown; use ` + runnersOr()},
	{"no command", "wiki: {agents: {Ed: {runner: command}}}", "c.yaml:1: wiki.agents.Ed.command: missing; the runner command needs a program, such as [my-agent, --json]"},
	{"command as text", "wiki: {agents: {Ed: {runner: command, command: my-agent}}}", `c.yaml:1: wiki.agents.Ed.command: expected a list in brackets such as [one, two], found the text "my-agent"`},
	{"arguments of a known program", "wiki: {agents: {Ed: {runner: claude, command: [claude, -p]}}}", "c.yaml:1: wiki.agents.Ed.command: the runner claude has arguments of its own; name the program alone, such as [/opt/bin/claude]"},
	{"a known program in a relative folder", "wiki: {agents: {Ed: {runner: codex, command: [bin/codex]}}}", `c.yaml:1: wiki.agents.Ed.command: "bin/codex" is neither a name nor an absolute path`},
	{"nameless program", `wiki: {agents: {Ed: {runner: command, command: [""]}}}`, "c.yaml:1: wiki.agents.Ed.command: the program's name is empty"},
	{"answer", "wiki: {agents: {Ed: {runner: pi, answer: result}}}", `c.yaml:1: wiki.agents.Ed.answer: "result" does not say where the answer is; use stdout or a JSON path such as .result`},
	{"writes", "wiki: {agents: {Ed: {runner: pi, writes: note}}}", `c.yaml:1: wiki.agents.Ed.writes: "note" is unknown; use answer or section`},
	{"writes of the Miner", "wiki: {agents: {Miner: {runner: builtin, writes: section}}}", "c.yaml:1: wiki.agents.Miner.writes: the runner builtin edits no notes; use answer"},
	{"tools", "wiki: {agents: {Ed: {runner: pi, tools: all}}}", `c.yaml:1: wiki.agents.Ed.tools: "all" is unknown; use none or read`},
	{"agent's timeout", "wiki: {agents: {Ed: {runner: pi, timeout: 120}}}", "c.yaml:1: wiki.agents.Ed.timeout: 120 has no unit; write 120s or 120ms"},
	{"env as list", "wiki: {agents: {Ed: {runner: pi, env: [A=1]}}}", "c.yaml:1: wiki.agents.Ed.env: expected variables such as {NAME: value}, found a list"},
	{"env name", "wiki: {agents: {Ed: {runner: pi, env: {A=B: 1}}}}", `c.yaml:1: wiki.agents.Ed.env: "A=B" cannot be an environment variable`},
	{"enrich", "wiki: {agents: {Ed: {runner: pi, enrich: 5}}}", "c.yaml:1: wiki.agents.Ed.enrich: expected true or false, found the number 5"},
	{"trust", "wiki: {agents: {Ed: {runner: acp, command: [a], trust: me}}}", `c.yaml:1: wiki.agents.Ed.trust: expected true or false, found the text "me"`},

	{"a list", "- wiki", "c.yaml:1: expected a block that begins with wiki:, found a list"},
	{"a word", "wiki", `c.yaml:1: expected a block that begins with wiki:, found the text "wiki"`},
	{"tab", "wiki:\n\thttpPort: 1", "c.yaml:2: not valid YAML: found character that cannot start any token"},
	{"open bracket", "wiki: {a: [1\n", "c.yaml:1: not valid YAML: did not find expected ',' or ']'"},
	{"key twice", "wiki: {owner: a}\nwiki: {owner: b}", `c.yaml:2: not valid YAML: mapping key "wiki" already defined at line 1`},
	{"two documents", "wiki: {}\n---\nwiki: {}\n", "c.yaml:2: a second document begins here; keep everything in one"},
	{"unknown anchor", "wiki: *x", "c.yaml: not valid YAML: unknown anchor 'x' referenced"},
	{"anchor in itself", "wiki: &x {owner: *x}", "c.yaml: not valid YAML: anchor 'x' value contains itself"},
	{"not text", "wiki: \x01", "c.yaml: not valid YAML: control characters are not allowed"},

	{"several", `wiki:
  agents:
    Ed: {runner: command, tools: write}
  vaults: [Notes, ~/a, ~/a/b]
  httpPort: 0
  settle: 3
  exclude: [/x]
`, `c.yaml:3: wiki.agents.Ed.command: missing; the runner command needs a program, such as [my-agent, --json]
c.yaml:3: wiki.agents.Ed.tools: "write" is unknown; use none or read
c.yaml:4: wiki.vaults[0]: "Notes" is a relative path; write ~/... or an absolute path
c.yaml:4: wiki.vaults[2]: "HOME/a/b" is inside "HOME/a", and a note may be in one vault only; leave one out
c.yaml:5: wiki.httpPort: 0 is not a port; use 1 to 65535
c.yaml:6: wiki.settle: 3 has no unit; write 3s or 3ms
c.yaml:7: wiki.exclude: "/x" begins with /; patterns start at the top of the vault, so leave it out`},
}

func TestRefused(t *testing.T) {
	home := alone(t)
	for _, test := range refused {
		t.Run(test.name, func(t *testing.T) {
			c, err := parseConfig("c.yaml", []byte(test.file))
			if err == nil {
				t.Fatalf("taken as %+v", c)
			}
			if got := plain(err, home); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
			var all Problems
			if !errors.As(err, &all) || len(all) != 1+strings.Count(test.want, "\n") {
				t.Errorf("%d problems in %v", len(all), err)
			}
		})
	}
}

var homely = regexp.MustCompile(`HOME[^"]*`)

// plain is an error's text with the paths in home written alike on every system.
func plain(err error, home string) string {
	text := strings.ReplaceAll(err.Error(), strings.Trim(strconv.Quote(home), `"`), "HOME")
	text = strings.ReplaceAll(text, home, "HOME")
	return homely.ReplaceAllStringFunc(text, func(path string) string {
		return filepath.ToSlash(strings.ReplaceAll(path, `\\`, `\`))
	})
}

func TestUnknownKeys(t *testing.T) {
	alone(t)
	for _, test := range []struct{ file, want string }{
		{"wiki: {debouce: 1s}", "wiki.debouce: unknown; did you mean wiki.debounce"},
		{"wiki: {limit: {perNote: 1}}", "wiki.limit: unknown; did you mean wiki.limits"},
		{"wiki: {concurrency: 1}", "wiki.concurrency: unknown; did you mean wiki.dispatch.concurrency"},
		{"httpPort: 1", "httpPort: unknown; did you mean wiki.httpPort"},
		{"wiki: {watch: {intervall: 1s}}", "wiki.watch.intervall: unknown and ignored"},
		{"wiki: {vaults: [{path: ~/x, pause: true}]}", "wiki.vaults[0].pause: unknown; did you mean wiki.vaults[0].paused"},
		{"wiki: {agents: {Ed: {runner: pi, modell: x}}}", "wiki.agents.Ed.modell: unknown; did you mean wiki.agents.Ed.model"},
		{"wiki: {7: x}", "wiki.7: unknown and ignored"},
		{"Wiki: {HTTPport: 7}", ""},
	} {
		c := mustParse(t, test.file)
		if got := strings.Join(c.Warnings, "\n"); got != test.want {
			t.Errorf("%s: got %q, want %q", test.file, got, test.want)
		}
	}
}

func TestValidateNamesTheKey(t *testing.T) {
	c := Default()
	c.HTTPPort = 70000
	c.Vaults = []Vault{{Name: "a", Path: "relative"}}
	c.Agents["Ed"] = Agent{Runner: "none"}
	var got []string
	var all Problems
	if errors.As(c.Validate(), &all) {
		for _, p := range all {
			got = append(got, p.Key)
		}
	}
	if want := []string{"wiki.httpPort", "wiki.vaults[0]", "wiki.agents.Ed.runner"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestAnswerPlaces(t *testing.T) {
	for place, good := range map[string]bool{
		"": true, "stdout": true, ".": true, ".result": true, ".items[0].text": true, ".[2].größe": true,
		`.["odd name"].x`: true, `.a["q\"uote"]`: true,
		"result": false, "[0]": false, ".a.": false, ".a..b": false, ".a[x]": false, ".a[0": false, ".a b": false, "STDOUT": false,
	} {
		if err := (Agent{Answer: place}).checkAnswer(); (err == nil) != good {
			t.Errorf("%q: %v", place, err)
		}
	}
}
