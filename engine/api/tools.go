package api

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"time"
)

// Tools is what calls and pages tell that the engine itself does not know: it wrote
// no log file, and no doctor. Whoever starts the engine hands them in. Where one is
// nil, its call says so and its page is not offered.
type Tools struct {
	// Log returns the last lines of the log, at most so many, the oldest first.
	Log func(lines int) ([]LogLine, error)

	// Doctor looks for what keeps the product from working on this machine. It
	// changes nothing.
	Doctor func(ctx context.Context) ([]Finding, error)

	Setup *SetupTools
}

// LogLine is one line of the engine's log.
type LogLine struct {
	Time  time.Time `json:"time"` // zero where the line tells none
	Level string    `json:"level"`
	Text  string    `json:"text"`
}

// Finding is one thing the doctor has found, in words.
type Finding struct {
	Check string `json:"check"` // what was looked at
	Level string `json:"level"` // ok, note, warning or problem
	Text  string `json:"text"`  // one sentence
	Next  string `json:"next"`  // one step; empty where there is nothing to do
}

// UseTools hands tools in. It is called before Run.
func (s *Server) UseTools(t Tools) { s.tools = t }

const (
	// usualLines is how much of the log is told that nobody says a number of.
	usualLines = 200
	mostLines  = 5000
)

// LogTail is the answer of GET /vault-mind/log.
type LogTail struct {
	Lines []LogLine `json:"lines"` // the oldest first
	More  int       `json:"-"`     // how many to ask for next; 0 when these are all
}

// Findings is the answer of GET /vault-mind/doctor.
type Findings struct {
	Findings []Finding `json:"findings"`
}

func (s *Server) logTail(c call) (any, error) {
	if s.tools.Log == nil {
		return nil, errNotHere("log")
	}
	q, err := query(c.r)
	if err != nil {
		return nil, err
	}
	n, err := number(q, "lines", usualLines, mostLines)
	if err != nil {
		return nil, err
	}
	lines, err := s.tools.Log(n)
	if err != nil {
		return nil, fmt.Errorf("read the log: %w", err)
	}
	tail := LogTail{Lines: present(lines)}
	if len(lines) >= n && n < mostLines {
		tail.More = min(n*5, mostLines)
	}
	return tail, nil
}

func (s *Server) doctor(c call) (any, error) {
	if s.tools.Doctor == nil {
		return nil, errNotHere("doctor")
	}
	found, err := s.tools.Doctor(c.r.Context())
	if err != nil {
		return nil, fmt.Errorf("ask the doctor: %w", err)
	}
	return Findings{present(found)}, nil
}

func errNotHere(what string) *StatusError {
	return refusal(http.StatusNotImplemented, "not_here", "This engine was started without a "+what+".")
}

// logPage shows the newest line first.
func (s *Server) logPage(c call) (any, error) {
	answer, err := s.logTail(c)
	if err != nil {
		return nil, err
	}
	tail := answer.(LogTail)
	slices.Reverse(tail.Lines)
	return s.show(c, "log", "Log", tail)
}

// severity is the order in which a person reads findings.
var severity = []string{"problem", "warning", "note", "ok"}

// doctorView is what was found, the worst first.
type doctorView struct {
	Findings []Finding
	Wrong    int // how many keep something from working
}

func (s *Server) doctorPage(c call) (any, error) {
	answer, err := s.doctor(c)
	if err != nil {
		return nil, err
	}
	v := doctorView{Findings: slices.SortedStableFunc(slices.Values(answer.(Findings).Findings), func(a, b Finding) int {
		return slices.Index(severity, a.Level) - slices.Index(severity, b.Level)
	})}
	for _, f := range v.Findings {
		if f.Level == severity[0] {
			v.Wrong++
		}
	}
	return s.show(c, "doctor", "Doctor", v)
}
