package server

import (
	"context"
	"fmt"
	"net/http"

	"vaultdispatcher/engine/api"
)

// UseTools hands tools in. It is called before Run.
func (s *Server) UseTools(t api.Tools) { s.tools = t }

const (
	// usualLines is how much of the log is returned without a number in the request.
	usualLines = 200
	mostLines  = 5000
)

func (s *Server) readLogTail(c Call) (any, error) { return s.ReadLog(c.Request) }

// ReadLog returns as many of the log's last lines as a request asks for.
func (s *Server) ReadLog(r *http.Request) (tail api.LogTail, err error) {
	if s.tools.Log == nil {
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
	lines, err := s.tools.Log(n)
	if err != nil {
		return tail, fmt.Errorf("read the log: %w", err)
	}
	tail.Lines = orEmpty(lines)
	if len(lines) >= n && n < mostLines {
		tail.More = min(n*5, mostLines)
	}
	return tail, nil
}

func (s *Server) readDoctor(c Call) (any, error) { return s.AskDoctor(c.Request.Context()) }

// AskDoctor returns what the doctor has found.
func (s *Server) AskDoctor(ctx context.Context) (api.Findings, error) {
	if s.tools.Doctor == nil {
		return api.Findings{}, errNotHere("doctor")
	}
	found, err := s.tools.Doctor(ctx)
	return api.Findings{Findings: orEmpty(found)}, err
}

func errNotHere(what string) *api.StatusError {
	return api.Refusal(http.StatusNotImplemented, "not_here", "This engine was started without a "+what+".")
}
