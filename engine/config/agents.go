package config

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"vaultdispatcher/engine/config/runners"
	"vaultdispatcher/engine/config/yamltext"
	"vaultdispatcher/engine/lazyregexp"
	"vaultdispatcher/engine/note"
)

var answerPath = lazyregexp.New(`^(\.|(\.[^.\[\]"\s]+|\.?\[([0-9]+|"([^"\\]|\\.)*")\])+)$`)

// readAgents adds the roles of the file to the built-in ones. A role replaces the
// built-in one of the same name, whatever the case.
func (l *loader) readAgents() {
	node := l.values[agentsKey]
	if node == nil {
		return
	}
	if node.Kind != yaml.MappingNode {
		l.refuse(agentsKey, fmt.Errorf("expected roles, such as Miner: {runner: builtin}, found %s", yamltext.Describe(node)))
		return
	}
	first := make(map[string]string)
	for _, e := range yamltext.Entries(node) {
		key := agentsKey + "." + e.Key
		l.origins[key] = origin{line: e.Line}
		if other, ok := first[strings.ToLower(e.Key)]; ok {
			l.refuse(key, fmt.Errorf("the same role as %s, case does not count; keep one", other))
			continue
		}
		first[strings.ToLower(e.Key)] = e.Key
		a, ok := l.readAgent(key, e.Value)
		if !ok {
			continue
		}
		maps.DeleteFunc(l.config.Agents, func(role string, _ Agent) bool { return strings.EqualFold(role, e.Key) })
		l.config.Agents[e.Key] = a
	}
}

func (l *loader) readAgent(key string, n *yaml.Node) (Agent, bool) {
	var a Agent
	if n.Kind != yaml.MappingNode {
		l.refuse(key, fmt.Errorf("expected a block such as {runner: builtin}, found %s", yamltext.Describe(n)))
		return a, false
	}
	enrich, costs := true, true
	var history, around, price, limits *yaml.Node
	l.readFields(key, n, agentFields(&a, &enrich, &costs, &history, &around, &price, &limits))
	a.Plain, a.Free = !enrich, !costs
	a.History = l.readHistory(key+".history", history)
	a.Comments = l.readContext(key+".context", around)
	a.Price = l.readPrice(key+".price", price)
	l.readBlock(key+".limits", "{dollarsPerDay: 2}", limits, map[string]any{"dollarsPerDay": &a.Limits.DollarsPerDay, "tokensPerDay": &a.Limits.TokensPerDay})
	return a, true
}

// agentFields returns the target of each key of a role.
func agentFields(a *Agent, enrich, costs *bool, history, around, price, limits **yaml.Node) map[string]any {
	return map[string]any{
		"runner": &a.Runner, "command": &a.Command, "answer": &a.Answer, "model": &a.Model, "tools": &a.Tools,
		"timeout": &a.Timeout, "session": &a.Session, "env": &a.Env,
		"url": &a.URL, "apiKeyEnv": &a.KeyEnv,
		"enrich": enrich, "trust": &a.Trust, "approve": &a.Approve, "writes": &a.Writes, "costs": costs, "history": history, "context": around, "price": price, "limits": limits,
		"local": &a.Local, "private": &a.Private, "contextTokens": &a.ContextTokens, "agent": &a.Author, "label": &a.Label,
	}
}

// readHistory reads the history of a role: a scope, or a block like wiki.history, from
// which it has what it leaves out.
func (l *loader) readHistory(key string, n *yaml.Node) *History {
	if n == nil {
		return nil
	}
	h := l.config.History
	if n.Kind == yaml.MappingNode {
		l.readFields(key, n, map[string]any{"scope": &h.Scope, "bytes": &h.Bytes})
	} else if err := yamltext.Decode(n, &h.Scope); err != nil {
		l.refuse(key, err)
	}
	return &h
}

// readContext reads whether comments go with the questions of a role, from a block like wiki.context; nil is nothing said.
func (l *loader) readContext(key string, n *yaml.Node) *bool {
	if n == nil {
		return nil
	}
	comments := l.config.Context.Comments
	l.readBlock(key, "{comments: true}", n, map[string]any{"comments": &comments})
	return &comments
}

// CheckRole checks the name of a role.
func CheckRole(name string) error {
	if name != "*" && !note.IsRole(name) {
		return errors.New("not a role; use a letter, then letters of the same alphabet, digits, - and _, or \"*\" for all others")
	}
	return nil
}

// checkAgents refuses every field of an agent that is wrong.
func checkAgents(agents map[string]Agent, refuse func(key string, err error)) {
	for _, role := range slices.Sorted(maps.Keys(agents)) {
		key := agentsKey + "." + role
		if err := CheckRole(role); err != nil {
			refuse(key, err)
			continue
		}
		for _, c := range agents[role].checkFields() {
			if c.err != nil {
				refuse(key+"."+c.field, c.err)
			}
		}
	}
}

type fieldError struct {
	field string
	err   error
}

func (a Agent) checkFields() []fieldError {
	return []fieldError{
		{"runner", a.checkRunner()},
		{"command", a.checkCommand()},
		{"answer", a.checkAnswer()},
		{"tools", a.CheckTools()},
		{"writes", a.CheckWrites()},
		{"timeout", unlessZero(durationWithin(time.Second, 24*time.Hour))(a.Timeout)},
		{"env", a.checkEnv()},
		{"url", a.checkURL()},
		{"apiKeyEnv", checkVariableName(a.KeyEnv)},
		{"history", a.checkHistory()},
		{"price", a.Price.check()},
		{"limits", a.Limits.check()},
		{"contextTokens", unlessZero(numberWithin(512, 100_000_000, "is not a number of tokens a model reads"))(a.ContextTokens)},
	}
}

func (a Agent) checkHistory() error {
	if a.History == nil {
		return nil
	}
	return cmp.Or(checkScope(a.History.Scope), checkHistoryBytes(a.History.Bytes))
}

func (a Agent) checkRunner() error {
	if a.Runner == "" {
		return errors.New("missing; name a runner, such as builtin or claude")
	}
	return oneOf(runners.Names()...)(a.Runner)
}

func (a Agent) checkCommand() error {
	switch {
	case a.Runner == "command" && len(a.Command) == 0:
		return errors.New("missing; the runner command needs a program, such as [my-agent, --json]")
	case a.Runner == "acp" && len(a.Command) == 0:
		return errors.New("missing; the runner acp needs an agent program, such as [gemini, --acp]")
	case len(a.Command) > 0 && strings.TrimSpace(a.Command[0]) == "":
		return errors.New("the program's name is empty")
	case len(a.Command) > 1 && a.startsOwn():
		return fmt.Errorf("the runner %s has arguments of its own; name the program alone, such as [/opt/bin/%s]", a.Runner, a.Runner)
	case len(a.Command) == 1 && a.startsOwn() && !filepath.IsAbs(a.Command[0]) && a.Command[0] != filepath.Base(a.Command[0]):
		return fmt.Errorf("%s is neither a name nor an absolute path", yamltext.Quote(a.Command[0]))
	case strings.ContainsRune(strings.Join(a.Command, ""), 0):
		return errors.New("an argument contains a NUL character, which no program can receive")
	}
	return nil
}

func (a Agent) checkAnswer() error {
	if a.Answer == "" || a.Answer == "stdout" || strings.HasPrefix(a.Answer, ".") && answerPath().MatchString(a.Answer) {
		return nil
	}
	return fmt.Errorf("%s does not say where the answer is; use stdout or a JSON path such as .result", yamltext.Quote(a.Answer))
}

// CheckTools returns an error if the agent cannot have its tools.
func (a Agent) CheckTools() error {
	if a.Tools == "read" && (a.Runner == "openai" || a.Runner == "worker") {
		return fmt.Errorf("the runner %s gives its model no tools; use none", a.Runner)
	}
	return unlessZero(oneOf("none", "read"))(a.Tools)
}

// CheckWrites returns an error if the agent cannot write what it is to write.
func (a Agent) CheckWrites() error {
	if a.Writes == "section" && (a.Runner == "builtin" || a.Runner == "broadcast") {
		return fmt.Errorf("the runner %s edits no notes; use answer", a.Runner)
	}
	return unlessZero(oneOf("answer", "section"))(a.Writes)
}

func (a Agent) checkEnv() error {
	for _, name := range slices.Sorted(maps.Keys(a.Env)) {
		if name == "" || strings.ContainsAny(name, "=\x00") || strings.ContainsRune(a.Env[name], 0) {
			return fmt.Errorf("%s cannot be an environment variable", yamltext.Quote(name))
		}
	}
	return nil
}

func (a Agent) checkURL() error {
	if a.URL == "" {
		if a.Runner == "openai" {
			return errors.New("missing; the runner openai needs the address of its server, such as http://127.0.0.1:11434/v1")
		}
		return nil
	}
	u, ok := parseAddress(a.URL)
	switch {
	case !ok:
		return refuseAddress(a.URL, "http://127.0.0.1:11434/v1")
	case u.User != nil || u.RawQuery != "" || u.Fragment != "": // may be a key: not repeated
		return errors.New("contains more than an address; put a key into a variable and its name into apiKeyEnv")
	}
	return nil
}

// startsOwn reports whether the runner knows which program it starts; the command then says where that is.
func (a Agent) startsOwn() bool {
	r, _ := runners.Find(a.Runner)
	return r.Program != ""
}

// Program is what a role starts; empty where that is nothing.
func (a Agent) Program() string {
	switch r, known := runners.Find(a.Runner); {
	case r.IsNamed, r.Program != "" && len(a.Command) > 0:
		return a.Command[0]
	case known:
		return r.Program
	}
	return a.Runner
}
