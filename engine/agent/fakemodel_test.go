package agent_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/agent/testdata/fakemodel"
)

// speech is one interface as its clients write it: a conversation of a system
// prompt, an earlier question and answer, and the prompt, with one tool on offer.
type speech struct {
	path string
	body string // %s is the prompt, as a JSON string; %t whether to stream
}

var speeches = map[string]speech{
	"chat": {"/v1/chat/completions", `{"model":"m","stream":%[2]t,"messages":[
		{"role":"system","content":"be brief"},{"role":"user","content":"{{SAY old}}"},{"role":"assistant","content":"earlier"},
		{"role":"user","content":[{"type":"text","text":%[1]s}]}],"tools":[{"type":"function","function":{"name":"write"}}]}`},
	"responses": {"/v1/responses", `{"model":"m","stream":%[2]t,"instructions":"be brief","input":[
		{"role":"user","content":"{{SAY old}}"},{"type":"message","role":"assistant","content":[{"type":"output_text","text":"earlier"}]},
		{"type":"message","role":"user","content":[{"type":"input_text","text":%[1]s}]}],
		"tools":[{"name":"all","type":"namespace","tools":[{"name":"write","type":"function"}]}]}`},
	"messages": {"/v1/messages", `{"model":"m","stream":%[2]t,"system":[{"type":"text","text":"be brief"}],"messages":[
		{"role":"user","content":"{{SAY old}}"},{"role":"assistant","content":"earlier"},
		{"role":"user","content":[{"type":"text","text":%[1]s}]}],"tools":[{"name":"write"}]}`},
	"generate": {"/v1beta/models/m:generateContent", `{"stream":%[2]t,"systemInstruction":{"parts":[{"text":"be brief"}]},"contents":[
		{"role":"user","parts":[{"text":"{{SAY old}}"}]},{"role":"model","parts":[{"text":"earlier"}]},
		{"role":"user","parts":[{"text":%[1]s}]}],"tools":[{"functionDeclarations":[{"name":"write"}]}]}`},
}

// sendPrompt sends a prompt and returns the status and the whole reply.
func sendPrompt(ctx context.Context, s *fakemodel.Server, sp speech, prompt string, stream bool) (int, string, error) {
	quoted, err := json.Marshal(prompt)
	if err != nil {
		return 0, "", err
	}
	path := sp.path
	if stream {
		path = strings.Replace(path, ":generate", ":streamGenerate", 1)
	}
	body := strings.NewReader(fmt.Sprintf(sp.body, quoted, stream))
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.URL+path, body)
	if err != nil {
		return 0, "", err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, "", err
	}
	defer resp.Body.Close()
	out, err := io.ReadAll(resp.Body)
	return resp.StatusCode, string(out), err
}

// withEachInterface runs a test for every interface, streaming and not.
func withEachInterface(t *testing.T, test func(t *testing.T, s *fakemodel.Server, say func(prompt string) (int, string))) {
	for name, sp := range speeches {
		for _, stream := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/stream=%t", name, stream), func(t *testing.T) {
				s := fakemodel.New(t)
				test(t, s, func(prompt string) (int, string) {
					status, out, err := sendPrompt(t.Context(), s, sp, prompt, stream)
					if err != nil {
						t.Fatal(err)
					}
					if events := strings.HasPrefix(out, "data:") || strings.HasPrefix(out, "event:"); status == http.StatusOK && events != stream {
						t.Errorf("asked for a stream: %t, got\n%s", stream, out)
					}
					return status, out
				})
			})
		}
	}
}

func TestFakeModelSay(t *testing.T) {
	withEachInterface(t, func(t *testing.T, s *fakemodel.Server, say func(string) (int, string)) {
		status, out := say("What? {{SAY blue}}")
		if status != http.StatusOK || !strings.Contains(out, "blue") || strings.Contains(out, "old") {
			t.Errorf("status %d\n%s", status, out)
		}
		calls := s.Calls()
		if len(calls) != 1 {
			t.Fatalf("%d calls", len(calls))
		}
		c := calls[0]
		for _, text := range []string{"be brief", "old", "earlier", "What?"} {
			if !c.Saw(text) {
				t.Errorf("the model did not see %q in %v", text, c.Turns)
			}
		}
		roles := []string{}
		for _, turn := range c.Turns {
			roles = append(roles, turn.Role)
		}
		if want := []string{"system", "user", "assistant", "user"}; !slices.Equal(roles, want) {
			t.Errorf("roles %q, want %q", roles, want)
		}
		if c.Model != "m" || !slices.Equal(c.Tools, []string{"write"}) {
			t.Errorf("model %q, tools %q", c.Model, c.Tools)
		}
	})
}

func TestFakeModelRequestsOfAGroup(t *testing.T) {
	withEachInterface(t, func(t *testing.T, _ *fakemodel.Server, say func(string) (int, string)) {
		_, out := say("Two.\n\nRequest 1 (Line 3): a {{SAY red}}\n\nRequest 2 (Line 4): b {{SAY blue}}\n")
		out = strings.ReplaceAll(out, `\`, "")
		if !strings.Contains(out, `{"responses":[{"request":1,"answer":"red"},{"request":2,"answer":"blue"}]}`) {
			t.Errorf("got\n%s", out)
		}
	})
}

func TestFakeModelCallTool(t *testing.T) {
	withEachInterface(t, func(t *testing.T, _ *fakemodel.Server, say func(string) (int, string)) {
		_, out := say(`{{CALLTOOL write {"path":{"x":"y"}}}}`)
		out = strings.ReplaceAll(out, `\`, "")
		if !strings.Contains(out, `"write"`) || !strings.Contains(out, `{"path":{"x":"y"}}`) {
			t.Errorf("got\n%s", out)
		}
	})
}

func TestFakeModelRefusal(t *testing.T) {
	withEachInterface(t, func(t *testing.T, s *fakemodel.Server, say func(string) (int, string)) {
		status, out := say("{{HTTP 429 slow down}}")
		if status != http.StatusTooManyRequests || !strings.Contains(out, "slow down") {
			t.Errorf("status %d\n%s", status, out)
		}
	})
}

// TestFakeModelSleepEndsWithItsCaller: an agent that was cancelled leaves nothing behind here.
func TestFakeModelSleepEndsWithItsCaller(t *testing.T) {
	s := fakemodel.New(t)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		_, _, err := sendPrompt(ctx, s, speeches["chat"], "{{SLEEP 1h}}", true)
		done <- err
	}()
	until(t, "a call", func() bool { return s.Busy() == 1 })
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("the caller got %v", err)
	}
	until(t, "the end of the call", func() bool { return s.Busy() == 0 })
	if s.Most() != 1 {
		t.Errorf("%d calls at once", s.Most())
	}
}

// TestFakeModelToolForStructuredOutput: where an agent offers one, the answers go there.
func TestFakeModelToolForStructuredOutput(t *testing.T) {
	for name, want := range map[string]string{
		"StructuredOutput":  `{"responses":[{"request":1,"answer":"red"}]}`,
		"structured_output": `{"value":{"responses":[{"request":1,"answer":"red"}]}}`,
	} {
		s := fakemodel.New(t)
		body := fmt.Sprintf(`{"model":"m","messages":[{"role":"user","content":"Request 1 (Line 1): {{SAY red}}"}],"tools":[{"name":%q}]}`, name)
		resp, err := http.Post(s.URL+"/v1/messages", "application/json", bytes.NewBufferString(body))
		if err != nil {
			t.Fatal(err)
		}
		out, err := io.ReadAll(resp.Body)
		if resp.Body.Close(); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(out), want) || !strings.Contains(string(out), "tool_use") {
			t.Errorf("%s: got\n%s", name, out)
		}
	}
}

func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !ok(); {
		if time.Now().After(end) {
			t.Fatalf("%s: did not happen", what)
		}
		<-time.After(time.Millisecond)
	}
}
