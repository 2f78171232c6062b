package server

import (
	"context"
	"errors"
	"net/http"
	"path/filepath"
	"slices"
	"testing"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/client"
	"vaultdispatcher/engine/api/testdata/apitest"
)

// TestAsk: the answer of a question is that of its call, as JSON and at the end of a stream.
func TestAsk(t *testing.T) {
	r := start(t)
	ask := func(body string) apitest.Reply {
		return r.Raw(t, apitest.Request("POST", "/vault-mind/ask", apitest.Joined(apitest.Bearer, apitest.AsJSON), body))
	}
	a := ask(`{"question":"what of backups?","file":"sub/other","append":true}`)
	if a.Status != 200 || a.Body["answer"] != "Weekly." || a.Body["dispatch"] != "d1" {
		t.Errorf("%d %v", a.Status, a.Body)
	}
	if got := r.backend.Asked; got != (api.AskRequest{Question: "what of backups?", Role: "Miner", File: "sub/other.md", Append: true}) || r.backend.AskedIn.Name != "v" {
		t.Errorf("asked %+v in %+v", got, r.backend.AskedIn)
	}
	if a = ask(`{"question":"q","vault":"V","role":"Editor"}`); a.Status != 200 || r.backend.AskedIn.Name != "v" || r.backend.Asked.Role != "Editor" {
		t.Errorf("%d: asked %+v in %+v", a.Status, r.backend.Asked, r.backend.AskedIn)
	}
	if a = ask(`{"question":"q"}`); a.Status != 200 || r.backend.AskedIn.Name != "" {
		t.Errorf("%d: asked in %+v", a.Status, r.backend.AskedIn)
	}
	for folder, vault := range map[string]string{r.backend.Vaults[0].Path: "v", r.backend.Vaults[0].Path + "/sub/of": "v", r.backend.Vaults[0].Path + "s": "", "/": ""} {
		if a = ask(`{"question":"q","folder":"` + filepath.ToSlash(folder) + `"}`); a.Status != 200 || r.backend.AskedIn.Name != vault {
			t.Errorf("in %s: %d: asked in %+v", folder, a.Status, r.backend.AskedIn)
		}
	}
	for body, status := range map[string]int{
		`{"question":"q","vault":"w"}`:           http.StatusBadRequest,
		`{"question":"q","file":"gone.md"}`:      http.StatusNotFound,
		`{"question":"q","file":"/etc/passwd"}`:  http.StatusForbidden,
		`{"question":"q","file":"../secret.md"}`: http.StatusForbidden,
		`question`:                               http.StatusBadRequest,
	} {
		if a := ask(body); a.Status != status {
			t.Errorf("%s: %d %v", body, a.Status, a.Body)
		}
	}
	told := ""
	answer, err := client.New(r.Port, apitest.Token).Ask(t.Context(), api.AskRequest{Question: "q"}, func(id string) { told = id }, nil)
	if err != nil || told != "d1" || answer.Answer != "Weekly." || len(answer.Sources) != 1 {
		t.Errorf("%q %+v, %v", told, answer, err)
	}
	r.backend.NoAnswer = &api.Conflict{Reason: "It is held."}
	_, err = client.New(r.Port, apitest.Token).Ask(t.Context(), api.AskRequest{Question: "q"}, func(string) {}, nil)
	if refused, ok := errors.AsType[*api.StatusError](err); !ok || refused.Text != "It is held." || refused.Code != "conflict" {
		t.Errorf("held: %v", err)
	}
	if a = ask(`{"question":"q"}`); a.Status != http.StatusConflict {
		t.Errorf("held: %d %v", a.Status, a.Body)
	}
}

// TestAskIsHeard: the stream has the pieces of what is said, and says where it begins anew.
func TestAskIsHeard(t *testing.T) {
	r := start(t)
	r.backend.Said = []string{"On", "On Fri", "On Fri", "Let \x1b[2J\nme", "Let \x1b[2J\nme see"}
	var heard []api.Said
	answer, err := client.New(r.Port, apitest.Token).Ask(t.Context(), api.AskRequest{Question: "q"}, func(string) {}, func(s api.Said) { heard = append(heard, s) })
	want := []api.Said{{Text: "On"}, {Text: " Fri"}, {Text: "Let \x1b[2J\nme", Anew: true}, {Text: " see"}}
	if err != nil || answer.Answer != "Weekly." || !slices.Equal(heard, want) {
		t.Errorf("%+v, %v, heard %+v", answer, err, heard)
	}
	reply := r.Raw(t, apitest.Request("POST", "/vault-mind/ask", apitest.Joined(apitest.Bearer, apitest.AsJSON), `{"question":"q"}`))
	if reply.Body["answer"] != "Weekly." || reply.Body["text"] != nil {
		t.Errorf("as JSON: %v", reply.Body)
	}
}

// TestAskIsLeft: who hangs up ends nothing but the call.
func TestAskIsLeft(t *testing.T) {
	r := start(t)
	r.backend.Block = make(chan struct{})
	ctx, leave := context.WithCancel(t.Context())
	if _, err := client.New(r.Port, apitest.Token).Ask(ctx, api.AskRequest{Question: "q"}, func(string) { leave() }, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("left with %v", err)
	}
	close(r.backend.Block)
	if _, err := client.New(r.Port, apitest.Token).Ask(t.Context(), api.AskRequest{Question: "q"}, func(string) {}, nil); err != nil {
		t.Errorf("then %v", err)
	}
}
