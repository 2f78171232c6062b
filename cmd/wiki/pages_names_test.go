package main

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"vaultdispatcher/cmd/wiki/command"
	"vaultdispatcher/engine/api/openapi"
	"vaultdispatcher/engine/config/reference"
	"vaultdispatcher/engine/config/runners"
)

var (
	code = regexp.MustCompile("`([^`\n]+)`")
	call = regexp.MustCompile(`^(GET|POST) (/[^?\s\[]*)`)
)

// TestPagesNames: every command, option, key and call that a page names in its text is there.
func TestPagesNames(t *testing.T) {
	calls := describedCalls(t)
	var keys []string
	for _, k := range reference.Keys() {
		keys = append(keys, k.Key)
	}
	commands := 0
	for page, text := range readPages(t) {
		for i, part := range strings.Split("\n"+text, "\n```") {
			if i%2 == 1 {
				continue // a block
			}
			for _, m := range code.FindAllStringSubmatch(part, -1) {
				name := m[1]
				switch c := call.FindStringSubmatch(name); {
				case strings.HasPrefix(name, "wiki "):
					checkNamed(t, page, name)
					commands++
				case strings.HasPrefix(name, "wiki."):
					checkKey(t, page, keys, name)
				case c != nil && !calls[c[1]+" "+c[2]]:
					t.Errorf("%s: there is no call %q", page, name)
				}
			}
		}
	}
	if commands < 50 {
		t.Errorf("only %d commands were found", commands)
	}
}

// checkNamed tells of a command or option in a sentence that is not there. Its arguments may be left out.
func checkNamed(t *testing.T, page, name string) {
	t.Helper()
	words := shellWords(strings.NewReplacer("[", "", "]", "").Replace(name))
	cmd, rest, err := root(&command.App{}).Find(words[1:])
	if err != nil || len(rest) > 0 && cmd.HasSubCommands() && !strings.HasPrefix(rest[0], "-") {
		t.Errorf("%s: %q names no command: %v", page, name, err)
		return
	}
	cmd.InitDefaultHelpFlag()
	for _, w := range rest {
		flag, isLong := strings.CutPrefix(w, "--")
		flag, _, _ = strings.Cut(flag, "=")
		if isLong && cmd.Flag(flag) == nil {
			t.Errorf("%s: %q: %s has no option --%s", page, name, cmd.CommandPath(), flag)
		}
	}
}

// checkKey tells of a key that the configuration does not have: neither as it stands, nor as the
// beginning of others, nor inside a key whose value has keys of its own.
func checkKey(t *testing.T, page string, keys []string, name string) {
	t.Helper()
	name, _, _ = strings.Cut(name, ":") // a key with its value
	if name == "wiki.exe" {
		return
	}
	if !slices.ContainsFunc(keys, func(k string) bool {
		return k == name || strings.HasPrefix(k, name+".") || strings.HasPrefix(name, "wiki.agents.")
	}) {
		t.Errorf("%s: the configuration has no key %q", page, name)
	}
}

// describedCalls returns the calls of the HTTP interface, as "GET /path".
func describedCalls(t *testing.T) map[string]bool {
	t.Helper()
	var description struct {
		Paths map[string]map[string]json.RawMessage
	}
	if err := json.Unmarshal(openapi.Description, &description); err != nil {
		t.Fatal(err)
	}
	calls := map[string]bool{}
	for at, methods := range description.Paths {
		for method := range methods {
			calls[strings.ToUpper(method)+" "+at] = true
		}
	}
	return calls
}

// TestPagesNameRunners: whoever looks for what a runner is sent, costs and may do finds it, and each agent program that setup
// offers has a page of its own.
func TestPagesNameRunners(t *testing.T) {
	pages := readPages(t)
	named := map[string]string{"builtin": "built-in Miner", "broadcast": "Broadcaster"} // in the words that people read
	for _, r := range runners.All {
		for _, page := range []string{"agents", "privacy", "cost"} {
			row := regexp.MustCompile("(?m)^\\| [^|]*\\b(" + r.Name + "(`|\\b[^-])|" + cmp.Or(named[r.Name], r.Name+"`") + ")[^|]*\\|")
			if !row.MatchString(pages["assets/docs/"+page+".md"]) {
				t.Errorf("no table of %s.md has a row for %s", page, r.Name)
			}
		}
		if page := "assets/docs/agent-" + r.Name + ".md"; r.Setup && pages[page] == "" {
			t.Errorf("there is no page %s", page)
		}
	}
}
