package acp

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"vaultdispatcher/engine/testdata/testmain"
)

// fake is the variable that turns this test binary into an agent.
const fake = "ACP_TEST_AGENT"

func TestMain(m *testing.M) {
	if role := os.Getenv(fake); role != "" {
		os.Exit(play(role))
	}
	os.Exit(testmain.Run(m))
}

// message is whatever passes between the two.
type message struct {
	Version string          `json:"jsonrpc"`
	ID      any             `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  any             `json:"result,omitempty"`
	Error   any             `json:"error,omitempty"`
}

// performer is an agent that does one thing.
type performer struct {
	role string
	in   *bufio.Reader
	out  *bufio.Writer
	desk string // the name of the server that it was given
}

// fields is a JSON object.
type fields = map[string]any

func play(role string) int {
	p := &performer{role: role, in: bufio.NewReaderSize(os.Stdin, 1<<20), out: bufio.NewWriter(os.Stdout)}
	if role == "dies at once" {
		return 7
	}
	if role == "logs JSON" {
		fmt.Println("42\n\"ready\"\n{\"level\":\"info\",\"id\":0,\"result\":{}}\n{\"level\":\"info\",\"id\":1,\"said\":{\"jsonrpc\":\"2.0\"}}\n{\"jsonrpc\":\"2.0\",")
	}
	if strings.Contains(role, "rubbish") {
		fmt.Println("fake agent 1.0\n[1,2]\n\n\x1b[31mNew version available.")
	}
	for {
		m, err := p.next()
		if err != nil {
			return 0
		}
		if code := p.perform(m); code >= 0 {
			return code
		}
	}
}

func (p *performer) next() (m message, err error) {
	line, err := p.in.ReadBytes('\n')
	if err != nil {
		return m, err
	}
	return m, json.Unmarshal(line, &m)
}

func (p *performer) send(m message) {
	m.Version = "2.0"
	data, _ := json.Marshal(m)
	_, _ = p.out.Write(append(data, '\n'))
	_ = p.out.Flush()
}

// perform answers one message; what is not negative ends the program.
func (p *performer) perform(m message) int {
	switch m.Method {
	case "initialize":
		version := 1
		switch p.role {
		case "silent", "only rubbish":
			<-time.After(time.Hour)
		case "version":
			version = 2
		}
		logged(string(m.Params))
		able := fields{"mcpCapabilities": fields{"http": strings.HasPrefix(p.role, "asks desk")}}
		p.send(message{ID: m.ID, Result: fields{"protocolVersion": version, "agentCapabilities": able, "authMethods": []any{}}})
	case "session/new":
		logged(string(m.Params))
		if p.role == "auth" {
			p.send(message{ID: m.ID, Error: fields{"code": -32000, "message": "Authentication required"}})
			break
		}
		var given struct{ McpServers []struct{ Name string } }
		if _ = json.Unmarshal(m.Params, &given); len(given.McpServers) > 0 {
			p.desk = given.McpServers[0].Name
		}
		begun := fields{"sessionId": "s1"}
		p.offerModes(begun)
		if p.role == "models" {
			begun["models"] = fields{"currentModelId": "small", "availableModels": []any{
				fields{"modelId": "small", "name": "Small"}, fields{"modelId": "large", "name": "Large"}}}
		}
		if p.role == "model options" {
			begun = fields{"sessionId": "s1", "configOptions": p.options("small", "default")}
		}
		p.send(message{ID: m.ID, Result: begun})
	case "session/set_mode", "session/set_config_option":
		logged(m.Method + " " + string(m.Params))
		p.changeMode(m)
	case "session/set_model":
		logged(string(m.Params))
		p.send(message{ID: m.ID, Result: fields{}})
	case "session/prompt":
		logged(string(m.Params))
		return p.prompt(m)
	}
	return -1
}

// options are those of an agent whose large model brings its own mode.
func (p *performer) options(model, mode string) []any {
	list := func(category, current string, names ...string) fields {
		var values []any
		for _, name := range names {
			values = append(values, fields{"value": name, "name": name})
		}
		return fields{"id": category, "name": category, "category": category, "type": "select", "currentValue": current, "options": values}
	}
	return []any{list("mode", mode, "auto", "default"), list("model", model, "small", "large")}
}

// offerModes adds the modes of the agent: those of a role that names some, else one
// that asks.
func (p *performer) offerModes(begun fields) {
	kind, list, _ := strings.Cut(strings.TrimPrefix(p.role, "in "), " ")
	if !strings.HasPrefix(p.role, "in ") {
		kind, list = "modes", "default"
	}
	names := strings.Split(list, ",")
	var modes, values []any
	for _, name := range names {
		modes, values = append(modes, fields{"id": name, "name": name}), append(values, fields{"value": name, "name": name})
	}
	option := fields{"id": "how", "name": "How", "category": "mode", "type": "select", "currentValue": names[0], "options": values}
	switch strings.TrimRight(kind, "!?") {
	case "modes":
		begun["modes"] = fields{"currentModeId": names[0], "availableModes": modes}
	case "groups":
		option["options"] = []any{fields{"group": "g", "name": "g", "options": values}}
		fallthrough
	case "options":
		other := fields{"id": "effort", "name": "Effort", "category": "thought_level", "type": "select", "currentValue": "default",
			"options": []any{fields{"value": "default", "name": "Default"}}}
		begun["configOptions"] = []any{other, option}
	}
}

// changeMode does as it is told, but for roles with a mark behind the kind: one that
// answers another mode (!), and one that refuses (?).
func (p *performer) changeMode(m message) {
	var params struct{ Value, ModeID string }
	_ = json.Unmarshal(m.Params, &params)
	kind, _, _ := strings.Cut(strings.TrimPrefix(p.role, "in "), " ")
	switch {
	case p.role == "model options" && params.Value == "large":
		p.send(message{ID: m.ID, Result: fields{"configOptions": p.options("large", "auto")}})
	case p.role == "model options":
		p.send(message{ID: m.ID, Result: fields{"configOptions": p.options("large", params.Value)}})
	case strings.HasSuffix(kind, "?"):
		p.send(message{ID: m.ID, Error: fields{"code": -32603, "message": "not today"}})
	case m.Method == "session/set_mode":
		p.send(message{ID: m.ID, Result: fields{}})
	default:
		if strings.HasSuffix(kind, "!") {
			params.Value = "auto"
		}
		p.send(message{ID: m.ID, Result: fields{"configOptions": []any{fields{"id": "how", "name": "How", "category": "mode", "type": "select",
			"currentValue": params.Value, "options": []any{}}}}})
	}
}

// prompt answers the task.
func (p *performer) prompt(m message) int {
	stop, asked := "end_turn", m.ID
	switch role, rest, _ := strings.Cut(p.role, ":"); role {
	case "hangs up":
		_ = os.Stdout.Close()
		<-time.After(time.Hour)
	case "dies in its answer":
		p.say("half an ans")
		return 3
	case "dies":
		fmt.Fprintln(os.Stderr, "warming up\nout of memory")
		return 3
	case "says":
		p.say(rest)
	case "stops":
		p.say("half an ans")
		stop = rest
	case "meta":
		reason, meta, _ := strings.Cut(rest, ":")
		p.send(message{ID: m.ID, Result: fields{"stopReason": reason, "_meta": json.RawMessage(meta)}})
		return -1
	case "errors":
		p.send(message{ID: m.ID, Error: json.RawMessage(rest)})
		return -1
	case "burst":
		for range 5000 {
			p.say("x")
		}
	case "flood":
		for range 5 {
			p.say(strings.Repeat("x", 1<<18))
		}
	case "asks desk":
		p.say(p.askDesk())
	case "asks":
		p.say(seal(m, p.ask(rest)))
	case "seals":
		text := seal(m, rest)
		for i := range len(text) {
			p.say(text[i : i+1])
		}
	case "hangs":
		p.say("hm")
		leave()
		for m.Method != "session/cancel" {
			m, _ = p.next()
		}
		logged("cancelled")
		stop = "cancelled"
	case "deaf":
		signal.Ignore(syscall.SIGTERM)
		leave()
		<-time.After(time.Hour)
	case "leaves":
		p.say("Now I can.")
		p.update(fields{"sessionUpdate": "current_mode_update", "currentModeId": rest})
		for m.Method != "session/cancel" {
			m, _ = p.next()
		}
		logged("cancelled")
		stop = "cancelled"
	case "leaves late":
		p.say("Done.")
		p.update(fields{"sessionUpdate": "config_option_update", "configOptions": []any{fields{"id": "how", "name": "How", "category": "mode",
			"type": "select", "currentValue": rest, "options": []any{}}}})
	case "empty":
	case "ends early": // https://github.com/agentclientprotocol/claude-agent-acp/issues/824
		p.say("On Friday.")
		p.send(message{ID: asked, Result: fields{"stopReason": stop}})
		p.update(fields{"sessionUpdate": "tool_call", "toolCallId": "1", "title": "Read", "kind": "read"})
		p.update(fields{"sessionUpdate": "tool_call_update", "toolCallId": "1", "status": "completed"})
		return -1
	case "gives up":
		var said struct{ Prompt []struct{ Text string } }
		_ = json.Unmarshal(m.Params, &said)
		if rest == "twice" || said.Prompt[0].Text != toolsOff {
			p.say("Let me write that down.")
			p.ask("/nowhere")
			break
		}
		p.say("On Friday, it says.")
	default:
		p.say("Let me look.")
		p.update(fields{"sessionUpdate": "tool_call", "toolCallId": "1", "title": "Read", "kind": "read"})
		p.update(fields{"sessionUpdate": "agent_thought_chunk", "content": fields{"type": "text", "text": "hm"}})
		p.update(fields{"sessionUpdate": "of_another_version"})
		p.update(fields{"sessionUpdate": "notice", "severity": "warning", "title": "We're changing auto mode"})
		p.say("On ")
		p.say("Friday.\n")
	}
	p.send(message{ID: asked, Result: fields{"stopReason": stop, "usage": fields{"inputTokens": 9, "outputTokens": 2, "totalTokens": 11}}})
	return -1
}

// seal returns an answer with the words that its task asks for around it.
func seal(m message, text string) string {
	_, word, _ := strings.Cut(string(m.Params), "only BEGIN")
	word, _, _ = strings.Cut(word, " ")
	return "BEGIN" + word + "\n" + text + "\nEND" + word
}

func (p *performer) say(text string) {
	p.update(fields{"sessionUpdate": "agent_message_chunk", "content": fields{"type": "text", "text": text}})
}

func (p *performer) update(u fields) {
	params, _ := json.Marshal(fields{"sessionId": "s1", "update": u})
	p.send(message{Method: "session/update", Params: params})
}

// ask asks for everything there is in dir and returns what came of it, a line each.
func (p *performer) ask(dir string) string {
	leave := func(kind, path string) (string, fields) {
		return "session/request_permission", fields{"sessionId": "s1",
			"toolCall": fields{"toolCallId": "1", "kind": kind, "locations": []any{fields{"path": path}}},
			"options": []any{fields{"kind": "allow_always", "name": "a", "optionId": "always"}, fields{"kind": "allow_once", "name": "a", "optionId": "once"},
				fields{"kind": "reject_once", "name": "r", "optionId": "no"}}}
	}
	read := func(path string) (string, fields) {
		return "fs/read_text_file", fields{"sessionId": "s1", "path": path}
	}
	inside, outside := filepath.Join(dir, "note.md"), filepath.Join(filepath.Dir(dir), "secret.md")
	var list []string
	try := func(what, method string, params fields) {
		data, _ := json.Marshal(params)
		p.send(message{ID: what, Method: method, Params: data})
		m, _ := p.next()
		result, _ := json.Marshal(m.Result)
		if m.Error != nil {
			result = []byte("refused")
		}
		list = append(list, what+" "+string(result))
	}
	two := func(what string, f func() (string, fields)) { method, params := f(); try(what, method, params) }
	two("leave-read", func() (string, fields) { return leave("read", inside) })
	two("leave-outside", func() (string, fields) { return leave("read", outside) })
	two("leave-edit", func() (string, fields) { return leave("edit", inside) })
	two("leave-run", func() (string, fields) { return leave("execute", inside) })
	for _, path := range []string{inside, outside, filepath.Join(dir, "..", "secret.md"), filepath.Join(dir, ".obsidian", "key"),
		filepath.Join(dir, "link.md"), filepath.Join(dir, "none.md"), filepath.Join(dir, "folder"), "note.md", dir} {
		two("read-"+strings.TrimPrefix(path, filepath.Dir(dir)), func() (string, fields) { return read(path) })
	}
	try("part", "fs/read_text_file", fields{"sessionId": "s1", "path": inside, "line": 2, "limit": 1})
	try("write", "fs/write_text_file", fields{"sessionId": "s1", "path": inside, "content": "mine"})
	try("terminal", "terminal/create", fields{"sessionId": "s1", "command": "rm"})
	return strings.Join(list, "\n")
}

// askDesk asks leave for tools of the desk and for others, and returns the options that were chosen.
func (p *performer) askDesk() string {
	var chosen []string
	for _, tool := range []string{"mcp__" + p.desk + "__search", "mcp__" + p.desk + "__ask", "mcp__notes__search", "mcp____search", "Bash", "mcp__" + p.desk + "__search x"} {
		call := fields{"toolCallId": "1", "kind": "other", "title": "mcp__" + p.desk + "__search", "rawInput": fields{"toolName": "mcp__" + p.desk + "__search"},
			"_meta": fields{"claudeCode": fields{"toolName": tool}}}
		data, _ := json.Marshal(fields{"sessionId": "s1", "toolCall": call, "options": []any{
			fields{"kind": "allow_always", "name": "a", "optionId": "always"}, fields{"kind": "allow_once", "name": "a", "optionId": "once"},
			fields{"kind": "reject_once", "name": "r", "optionId": "no"}}})
		p.send(message{ID: tool, Method: "session/request_permission", Params: data})
		m, _ := p.next()
		result, _ := json.Marshal(m.Result)
		var told struct{ Outcome struct{ OptionID string } }
		_ = json.Unmarshal(result, &told)
		chosen = append(chosen, told.Outcome.OptionID)
	}
	return strings.Join(chosen, " ")
}

func logged(line string) {
	f, err := os.OpenFile(os.Getenv("ACP_TEST_LOG"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		fmt.Fprintln(f, line)
		f.Close()
	}
}

// leave tells which process this is.
func leave() { logged(fmt.Sprintf("pid=%d", os.Getpid())) }

// running reports whether a process is there. It was a child of ours, so one that
// has ended has been collected.
func running(pid string) bool {
	n, err := strconv.Atoi(pid)
	if err != nil {
		return false
	}
	p, err := os.FindProcess(n)
	return err == nil && p.Signal(syscall.Signal(0)) == nil
}
