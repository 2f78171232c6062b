package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"vaultdispatcher/engine/agent"
)

// heardPrograms are those that are heard while they make an answer.
var heardPrograms = []string{"claude", "copilot", "pi", "qwen"}

const heardAnswer = "The sky is blue\nand {\"a\":1}."

// heardRecording is what a real program has printed of an answer in pieces, cut behind
// the line of the first.
func heardRecording(t *testing.T, name string) (first, rest []byte) {
	t.Helper()
	recording, err := txtar.ParseFile(recorded(t, name+"_heard"))
	if err != nil {
		t.Fatal(err)
	}
	out := part(recording, "stdout")
	at := bytes.Index(out, []byte(`"The "`))
	at += bytes.IndexByte(out[at:], '\n') + 1
	return out[:at], out[at:]
}

// TestHeardWhileItIsMade: a program goes on only when its first words were heard, and its
// answer and what it cost are those of a run that nobody listens to.
func TestHeardWhileItIsMade(t *testing.T) {
	t.Parallel()
	for _, name := range heardPrograms {
		first, rest := heardRecording(t, name)
		path := filepath.Join(t.TempDir(), "made.txtar")
		text := slices.Concat([]byte("-- stdout --\n"), first, []byte("-- stdout, when it was heard --\n"), rest)
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		r, file := play(t, name, path, agent.Settings{})
		task := taskOf(t, 1)
		var heard []string
		task.Listener = func(text string) {
			heard = append(heard, text)
			if err := os.WriteFile(file+".heard", []byte(text), 0o600); err != nil {
				t.Error(err)
			}
		}
		reply, err := r.Run(t.Context(), task)
		if err != nil || reply.Text != heardAnswer {
			t.Errorf("%s: %q, %v", name, reply.Text, err)
		}
		if want := []string{"The ", "The sky ", "The sky is ", "The sky is blue\n", heardAnswer}; !slices.Equal(heard, want) {
			t.Errorf("%s: heard %q", name, heard)
		}
		whole, err := presets[name].judge(agent.Ended{Output: slices.Concat(first, rest)}, time.Now())
		if err != nil || whole.Text != reply.Text || whole.Usage != reply.Usage {
			t.Errorf("%s: %+v heard, %+v read, %v", name, reply, whole, err)
		}
		if args := look(t, file).Args; len(presets[name].aloud) > 0 && !strings.Contains(strings.Join(args, " "), strings.Join(presets[name].aloud, " ")) {
			t.Errorf("%s: %q", name, args)
		}
	}
}

// TestHeardAndCut ends what was heard at each of its lines: what was heard is no answer.
func TestHeardAndCut(t *testing.T) {
	t.Parallel()
	for _, name := range heardPrograms {
		first, rest := heardRecording(t, name)
		out := slices.Concat(first, rest)
		p, task := presets[name], taskOf(t, 1)
		task.Listener = func(string) {}
		hear := p.listen(task)
		var kept []byte
		for line := range bytes.Lines(out) {
			reply, err := p.judge(agent.Ended{Output: kept}, time.Now())
			if f, ok := err.(*agent.Failure); err == nil && reply.Text != heardAnswer || err != nil && (!ok || f.Reason == "") {
				t.Errorf("%s cut behind %q: %q, %v", name, kept, reply.Text, err)
			}
			if !hear(line) {
				kept = append(kept, line...)
			}
		}
		if bytes.Contains(kept, []byte(`"The "`)) || bytes.Contains(kept, []byte(`"sky "`)) {
			t.Errorf("%s: pieces are kept: %s", name, kept)
		}
	}
}

// TestHeardFailures: who listens is told of a failure in the same sentence.
func TestHeardFailures(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		recording, sentence string
		kind                agent.Kind
	}{
		{"claude_400", "claude was refused by its server (HTTP 400): API Error: 400 bad", agent.Permanent},
		{"claude_429", "claude is at its rate limit: API Error: Request rejected (429) · slow down", agent.Transient},
		{"claude_logged_out", "claude is not logged in; run claude and log in: Not logged in · Please run /login", agent.Permanent},
		{"copilot_401", "copilot is not logged in; run copilot login: Authentication failed with provider at http://127.0.0.1:8080/v1 (HTTP 401). Chec****** your COPILOT_PROVIDER_API_KEY, COPILOT_PROVIDER_API_KEY_COMMAND, or COPILOT_PROVIDER_BEARER_TOKEN", agent.Permanent},
		{"qwen_400", "qwen was refused by its server (HTTP 400): [API Error: 400 bad]", agent.Permanent},
		{"pi_400", "pi was refused by its server (HTTP 400): 400: bad", agent.Permanent},
	} {
		name, _, _ := strings.Cut(c.recording, "_")
		r, _ := play(t, name, recorded(t, c.recording), agent.Settings{})
		task := taskOf(t, 1)
		task.Listener = func(text string) { t.Errorf("%s: heard %q", c.recording, text) }
		_, err := r.Run(t.Context(), task)
		wantFailure(t, c.recording, err, c.kind, c.sentence)
	}
}

// TestOnlyAnswersAreHeard: neither what another agent says, nor thoughts, nor a message before
// the answer; and nothing where it is no text, or nobody listens.
func TestOnlyAnswersAreHeard(t *testing.T) {
	t.Parallel()
	event := func(parent, event string) string {
		return `{"type":"stream_event","parent_tool_use_id":` + parent + `,"event":` + event + "}\n"
	}
	piece := func(kind, text string) string {
		return `{"type":"content_block_delta","delta":{"type":"` + kind + `_delta","` + kind + `":"` + text + `"}}`
	}
	lines := event("null", `{"type":"message_start"}`) + event("null", piece("text", "I look")) +
		event(`"t1"`, `{"type":"message_start"}`) + event(`"t1"`, piece("text", "inner")) + event("null", piece("thinking", "hm")) +
		`{"type":"assistant","event":{"delta":{"type":"text_delta","text":"no"}}}` + "\nplain\n{\n" +
		event("null", `{"type":"message_start"}`) + event("null", piece("text", "blue"))
	task := taskOf(t, 1)
	var heard []string
	task.Listener = func(text string) { heard = append(heard, text) }
	hear, kept := claude.listen(task), ""
	for line := range strings.Lines(lines) {
		if !hear([]byte(line)) {
			kept += line
		}
	}
	if !slices.Equal(heard, []string{"I look", "blue"}) || !strings.HasSuffix(kept, "\nplain\n{\n") || strings.Contains(kept, "stream_event") {
		t.Errorf("heard %q, kept %q", heard, kept)
	}
	two := taskOf(t, 2)
	two.Listener = task.Listener
	for name, p := range presets {
		if p.listen(two) != nil || p.listen(taskOf(t, 1)) != nil || !slices.Equal(p.manner(two), p.quiet) {
			t.Errorf("%s is listened to", name)
		}
		if heard := slices.Contains(heardPrograms, name); heard != (p.listen(task) != nil) {
			t.Errorf("%s is heard: %v", name, !heard)
		}
	}
}
