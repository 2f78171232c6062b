package server

import (
	"context"
	"fmt"
	"net/http"
	"sync"

	"vaultdispatcher/engine/api"
)

// UseTools hands tools in. It is called before Run.
func (s *Server) UseTools(t api.Tools) { s.Tools.tools = t }

// Tools are what else a page asks for: the settings, the log, the doctor.
type Tools struct {
	tools    api.Tools
	settings sync.Mutex // held while the configuration is looked at and changed
}

const (
	// usualLines is how much of the log is returned without a number in the request.
	usualLines = 200
	mostLines  = 5000
)

// ReadLog returns as many of the log's last lines as a request asks for.
func (t *Tools) ReadLog(r *http.Request) (tail api.LogTail, err error) {
	if t.tools.Log == nil {
		return tail, errNotHere("log")
	}
	q, err := ReadQuery(r)
	if err != nil {
		return tail, err
	}
	n, err := readNumber(q, "lines", usualLines, mostLines)
	if err != nil {
		return tail, err
	}
	lines, err := t.tools.Log(n)
	if err != nil {
		return tail, fmt.Errorf("read the log: %w", err)
	}
	tail.Lines = orEmpty(lines)
	if len(lines) >= n && n < mostLines {
		tail.More = min(n*5, mostLines)
	}
	return tail, nil
}

// AskDoctor returns what the doctor has found.
func (t *Tools) AskDoctor(ctx context.Context) (api.Findings, error) {
	if t.tools.Doctor == nil {
		return api.Findings{}, errNotHere("doctor")
	}
	found, err := t.tools.Doctor(ctx)
	return api.Findings{Findings: orEmpty(found)}, err
}

func errNotHere(what string) *api.StatusError {
	return api.Refusal(http.StatusNotImplemented, "not_here", "This engine was started without a "+what+".")
}
