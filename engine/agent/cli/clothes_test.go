package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/testdata/testseed"
)

// clothes are the ways in which the JSON of a program comes: as it is documented, through wrappers and version managers, as
// claude --verbose prints it (https://github.com/anthropics/claude-code/issues/12007, https://github.com/google-gemini/gemini-cli/issues/11344).
var clothes = map[string]func(events []json.RawMessage) string{
	"a line each":       func(e []json.RawMessage) string { return joined(e, "\n") + "\n" },
	"no last line end":  func(e []json.RawMessage) string { return joined(e, "\n") },
	"behind each other": func(e []json.RawMessage) string { return joined(e, "") },
	"with spaces":       func(e []json.RawMessage) string { return "  " + joined(e, "\n\n\t ") + "\n\n" },
	"CRLF":              func(e []json.RawMessage) string { return joined(e, "\r\n") + "\r\n" },
	"byte order mark":   func(e []json.RawMessage) string { return "\ufeff" + joined(e, "\n") },
	"one array":         func(e []json.RawMessage) string { return "[" + joined(e, ",") + "]\n" },
	"pretty array":      func(e []json.RawMessage) string { return pretty([]byte("["+joined(e, ",")+"]")) + "\n" },
	"pretty objects":    func(e []json.RawMessage) string { return prettyEach(e) },
	"an array each":     func(e []json.RawMessage) string { return "[" + joined(e, "]\n[") + "]" },
	"a version manager": func(e []json.RawMessage) string { return "Now using node v22.23.2 (npm v10.9.9)\n" + joined(e, "\n") },
	"a log with brackets": func(e []json.RawMessage) string {
		return "[mise] node@22 installed\n{not json}\n[1/2] ready\n" + joined(e, "\n")
	},
	"lines behind": func(e []json.RawMessage) string {
		return joined(e, "\n") + "\nnpm notice New version available\n[done]\n"
	},
	"lines between":             func(e []json.RawMessage) string { return joined(e, "\n(node:7) Warning: x\n") },
	"lines around an array":     func(e []json.RawMessage) string { return "nvm: using v22\n[" + joined(e, ",") + "]\nbye\n" },
	"lines around a pretty one": func(e []json.RawMessage) string { return "nvm: using v22\n" + prettyEach(e) + "bye\n" },
	"colours":                   func(e []json.RawMessage) string { return "\x1b[2mready\x1b[0m\n\x1b[0m" + joined(e, "\n\x1b[0m") },
}

func joined(events []json.RawMessage, between string) string {
	return string(bytes.Join(asBytes(events), []byte(between)))
}

func asBytes(events []json.RawMessage) (all [][]byte) {
	for _, e := range events {
		all = append(all, e)
	}
	return all
}

func pretty(value []byte) string {
	var b bytes.Buffer
	if err := json.Indent(&b, value, "", "  "); err != nil {
		panic(err)
	}
	return b.String()
}

func prettyEach(events []json.RawMessage) string {
	var b strings.Builder
	for _, e := range events {
		b.WriteString(pretty(e) + "\n")
	}
	return b.String()
}

// stdout is what a recorded program has printed, and its values.
func stdout(t *testing.T, name string) (out []byte, values []json.RawMessage) {
	t.Helper()
	recording, err := txtar.ParseFile(recorded(t, name))
	if err != nil {
		t.Fatal(err)
	}
	out = part(recording, "stdout")
	for decoder := json.NewDecoder(bytes.NewReader(out)); decoder.More(); {
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			t.Fatal(err)
		}
		values = append(values, value)
	}
	return out, values
}

// An answer is found in whatever clothes the JSON of a program comes.
func TestClothes(t *testing.T) {
	for name, p := range presets {
		_, values := stdout(t, name+"_single")
		for way, dress := range clothes {
			if reply, err := p.judge(agent.Ended{Output: []byte(dress(values))}, time.Now()); err != nil || reply.Text != "blue" {
				t.Errorf("%s, %s: %q, %v", name, way, reply.Text, err)
			}
			if _, err := p.judge(agent.Ended{Output: []byte(dress(values)), Status: 1}, time.Now()); err == nil {
				t.Errorf("%s, %s: an answer with status 1", name, way)
			}
		}
	}
}

// An end that nobody has invented yet is no good one: the answer is asked for once more, and its text is kept for the record.
func TestInventedEnds(t *testing.T) {
	random := rand.New(rand.NewPCG(testseed.Take(t), 7))
	for name, good := range map[string]string{
		"claude": `"subtype":"success"`, "copilot": `"exitCode":0`, "opencode": `"reason":"stop"`, "pi": `"stopReason":"stop"`, "qwen": `"subtype":"success"`,
		"codex": `"type":"turn.completed"`,
	} {
		out, _ := stdout(t, name+"_single")
		if !bytes.Contains(out, []byte(good)) {
			t.Fatalf("%s has no %s", name, good)
		}
		key, _, _ := strings.Cut(good, ":")
		for range 200 {
			end := fmt.Sprintf(`"end_%x"`, random.Uint32())
			if name == "copilot" {
				end = fmt.Sprint(1 + random.IntN(255))
			}
			reply, err := presets[name].judge(agent.Ended{Output: bytes.ReplaceAll(out, []byte(good), []byte(key+":"+end))}, time.Now())
			f, ok := errors.AsType[*agent.Failure](err)
			if !ok || f.Kind != agent.Transient || f.Tries != 2 || !strings.Contains(f.Cut, "blue") {
				t.Fatalf("%s ends with %s: %q, %+v", name, end, reply.Text, f)
			}
		}
	}
}

// Ends that another try does not better are final.
func TestFinalEnds(t *testing.T) {
	for _, c := range []struct{ name, good, end, says string }{
		{"claude", `"subtype":"success"`, `"subtype":"error_max_turns"`, "claude came to its limit of steps before its answer was complete"},
		{"claude", `"subtype":"success"`, `"subtype":"error_max_budget_usd"`, "claude came to its limit of costs before its answer was complete"},
		{"claude", `"stop_reason":"end_turn"`, `"stop_reason":"max_tokens"`, "claude came to its limit of tokens before its answer was complete; "},
		{"claude", `"stop_reason":"end_turn"`, `"stop_reason":"refusal"`, "claude declined to answer"},
		{"claude", `"terminal_reason":"completed"`, `"terminal_reason":"max_turns"`, "claude came to its limit of steps before its answer was complete"},
		{"opencode", `"reason":"stop"`, `"reason":"length"`, "opencode came to its limit of tokens before its answer was complete; "},
		{"pi", `"stopReason":"stop"`, `"stopReason":"length"`, "pi came to its limit of tokens before its answer was complete; "},
		{"qwen", `"subtype":"success"`, `"subtype":"error_max_turns"`, "qwen came to its limit of steps before its answer was complete"},
	} {
		out, _ := stdout(t, c.name+"_single")
		_, err := presets[c.name].judge(agent.Ended{Output: bytes.ReplaceAll(out, []byte(c.good), []byte(c.end))}, time.Now())
		f, ok := errors.AsType[*agent.Failure](err)
		if !ok || f.Kind != agent.Permanent || !strings.HasPrefix(f.Reason, c.says) || !strings.Contains(f.Cut, "blue") {
			t.Errorf("%s with %s: %v", c.name, c.end, err)
		}
	}
}

// A program that goes on to try a server which it does not reach is ended, and says so. What it said before is kept for the record.
func TestServerNotReached(t *testing.T) {
	before := lostAfter
	lostAfter = 0
	t.Cleanup(func() { lostAfter = before })
	for _, c := range []struct{ name, out, errs, said string }{
		{"codex", `{"type":"item.completed","item":{"type":"agent_message","text":"half of it"}}` + "\n" + `{"type":"error","message":"Reconnecting... waiting for network (Connection failed: error sending request)"}`, "", "Reconnecting... waiting for network (Connection failed: error sending request)"},
		{"copilot", `{"type":"assistant.message","data":{"content":"half of it"}}` + "\n" + `{"type":"model.call_failure","data":{"failureKind":"transport","errorMessage":"Connection refused (os error 111) [ECONNREFUSED]"}}`, "", "Connection refused (os error 111) [ECONNREFUSED]"},
	} {
		path := made(t, 0, c.out, c.errs)
		data := strings.Replace(content(path), "-- stderr --", "-- stdout, when it was heard --\nnever\n-- stderr --", 1)
		path = filepath.Join(t.TempDir(), "made.txtar")
		if err := writeFile(path, data); err != nil {
			t.Fatal(err)
		}
		r, _ := play(t, c.name, path, agent.Settings{})
		_, err := r.Run(t.Context(), taskOf(t, 1))
		wantFailure(t, c.name, err, agent.Transient, c.name+" cannot reach its server; check the network: "+c.said)
		if f, ok := errors.AsType[*agent.Failure](err); !ok || f.Cut != "half of it" {
			t.Errorf("%s: %+v is kept", c.name, f)
		}
	}
}

// What programs print of a server that they do not reach, and what they do not print of it.
func TestUnreachedLines(t *testing.T) {
	for _, c := range []struct {
		name    string
		isError bool
		line    string
		want    bool
	}{
		{"codex", false, `{"type":"item.completed","item":{"id":"item_0","type":"error","message":"Falling back from WebSockets to HTTPS transport. stream disconnected before completion: Connection refused (os error 111)"}}`, true},
		{"codex", false, `{"type":"item.completed","item":{"id":"item_0","type":"agent_message","text":"fetch failed"}}`, false},
		{"codex", false, `{"type":"error","message":"Reconnecting... 1/5 (stream disconnected before completion: 429 Too Many Requests)"}`, false},
		{"copilot", false, `{"type":"assistant.message","data":{"content":"ECONNREFUSED"}}`, false},
		{"gemini", true, "Attempt 2 failed. Retrying with backoff... Error: exception TypeError: fetch failed sending request", true},
		{"gemini", true, "Attempt 2 failed with status 429. Retrying with backoff...", false},
		{"gemini", false, "Attempt 2 failed. fetch failed", false},
		{"opencode", true, `timestamp=2026-11-28T11:01:32.747Z level=ERROR run=a9b30e1f message="stream error" error.error="AI_APICallError: Cannot connect to API: Unable to connect. Is the computer able to access the url?"`, true},
		{"opencode", true, `timestamp=2026-11-28T11:01:32.747Z level=ERROR message="stream error" error.error="AI_APICallError: overloaded"`, false},
	} {
		if got := presets[c.name].unreached([]byte(c.line), c.isError) != ""; got != c.want {
			t.Errorf("%s: %s: %v", c.name, c.line, got)
		}
	}
	now := time.Now()
	for _, c := range []struct {
		after []time.Duration
		want  bool
	}{
		{[]time.Duration{0}, false}, {[]time.Duration{0, time.Second, 3 * time.Second}, false}, {[]time.Duration{0, 5 * time.Second}, true},
		{[]time.Duration{0, 20 * time.Second}, false}, {[]time.Duration{0, 2 * time.Minute}, false}, {[]time.Duration{0, 2 * time.Minute, 2*time.Minute + 5*time.Second}, true},
	} {
		lost, got := &complaints{}, false
		for _, after := range c.after {
			got = lost.last(now.Add(after))
		}
		if got != c.want {
			t.Errorf("complaints after %v: given up %v", c.after, got)
		}
	}
}
