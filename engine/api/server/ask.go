package server

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"path"
	"strings"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/notepath"
)

// askQuestion takes up a question outside of all notes. The answer of the call is that of the question, when it is
// there. A client that hangs up does not cancel the question.
func (s *Server) askQuestion(c Call, req api.AskRequest) (any, error) {
	d, err := s.Questions.Ask(c.Request.Context(), req)
	if err != nil {
		return nil, err
	}
	return &awaited{server: s, id: d.ID, stream: strings.Contains(c.Request.Header.Get("Accept"), "text/event-stream")}, nil
}

// dispatchQuestion is askQuestion for a client that does not wait: the answer is appended to the note.
func (s *Server) dispatchQuestion(c Call, req struct{ Role, Instruction, File string }) (any, error) {
	if req.File == "" {
		return nil, &api.Invalid{Reason: "Say in \"file\" which note the answer is appended to.", Field: "file"}
	}
	d, err := s.Questions.Ask(c.Request.Context(), api.AskRequest{Question: req.Instruction, Role: req.Role, File: req.File, Append: true})
	return accepted(d.ID), err
}

// accepted is the answer of a call that does not wait for its work: 202 and the id of the dispatch.
type accepted string

func (a accepted) Respond(w http.ResponseWriter, _ *http.Request) {
	writeStatus(w, http.StatusAccepted, map[string]string{"jobId": string(a)})
}

// Ask takes up a question, about the note or in the vault that it names.
func (q Questions) Ask(ctx context.Context, req api.AskRequest) (api.Dispatch, error) {
	req.Role = cmp.Or(strings.TrimSpace(req.Role), api.DefaultRole)
	root, err := q.chooseVault(&req)
	if err != nil {
		return api.Dispatch{}, err
	}
	return q.backend.Ask(ctx, root, req)
}

// chooseVault returns the vault that is asked, and makes the note's path one in that. A name without an end is that of a
// note. Where neither a note, a name nor the person's folder says which vault, it returns the zero one, and the backend chooses.
func (q Questions) chooseVault(req *api.AskRequest) (api.Root, error) {
	roots := q.backend.Roots()
	if req.Vault != "" {
		root, err := api.FindRoot(roots, req.Vault)
		if err != nil {
			return api.Root{}, err
		}
		roots = []api.Root{root}
	}
	switch {
	case req.File != "":
		file := req.File
		if path.Ext(file) == "" {
			file += ".md"
		}
		located, refused := locateAll([]reading{{path: file, form: "json", strict: true}}, roots)
		p, _, err := chooseNote(wanted{located: located, refused: refused}, roots)
		if err != nil {
			return api.Root{}, err
		}
		req.File = p.Rel
		return p.Root, nil
	case req.Vault != "":
		return roots[0], nil
	}
	if places, err := notepath.LocateHere(req.Folder, roots); err == nil && len(places) == 1 {
		return places[0].Root, nil
	}
	return api.Root{}, nil
}

// awaited is the answer of a question, when it is there: as JSON, or as a stream of server-sent events,
// "accepted" with the dispatch, "said" with each piece of what the agent says, as far as it can be
// heard, then "answer" or "failed".
type awaited struct {
	server *Server
	id     string
	stream bool
}

func (a *awaited) Respond(w http.ResponseWriter, r *http.Request) {
	control := http.NewResponseController(w)
	if err := control.SetWriteDeadline(time.Time{}); err != nil { // an agent takes its time
		a.server.replyError(w, r, fmt.Errorf("wait for an answer: %w", err), false)
		return
	}
	if a.stream {
		a.respondInEvents(w, r)
		return
	}
	answer, err := a.server.backend.AwaitAnswer(r.Context(), a.id, nil)
	_ = control.SetWriteDeadline(time.Now().Add(a.server.limits.write))
	if err != nil {
		a.server.replyError(w, r, err, false)
		return
	}
	answer.Sources = orEmpty(answer.Sources)
	writeJSON(w, answer)
}

// respondInEvents beats until the answer is there.
func (a *awaited) respondInEvents(w http.ResponseWriter, r *http.Request) {
	send := a.server.beginStream(w)
	spoken, last := make(chan string), make(chan []byte, 1)
	go func() {
		answer, err := a.server.backend.AwaitAnswer(r.Context(), a.id, func(text string) {
			select {
			case spoken <- text:
			case <-r.Context().Done():
			}
		})
		if err != nil {
			e := statusOf(api.CauseOf(r.Context(), err))
			last <- eventOf("failed", api.Problem{Error: e.Text, Code: e.Code})
			return
		}
		answer.Sources = orEmpty(answer.Sources)
		last <- eventOf("answer", answer)
	}()
	if !send(eventOf("accepted", api.Accepted{Dispatch: a.id})) {
		return
	}
	beat := time.NewTicker(api.Heartbeat)
	defer beat.Stop()
	for before := ""; ; {
		select {
		case text := <-spoken:
			piece, isNew := api.NextSaid(before, text)
			if before = text; isNew && !send(eventOf("said", piece)) {
				return
			}
		case text := <-last:
			send(text)
			return
		case <-beat.C:
			if !send([]byte(": still here\n\n")) {
				return
			}
		}
	}
}

// eventOf is a message of a stream.
func eventOf(name string, body any) []byte {
	text, err := encodeJSON(body)
	if err != nil {
		name, text = "failed", []byte(`{"error":"The answer cannot be written as JSON.","code":"internal"}`)
	}
	return message{name: name, data: []byte(strings.TrimSpace(string(text)))}.eventText()
}
