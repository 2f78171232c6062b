package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// toolsOf are tools that tell the same text everywhere.
func toolsOf(text string) Tools {
	return Tools{
		Log: func(int) ([]LogLine, error) {
			return []LogLine{{at(0), text, text}, {Level: text, Text: text}}, nil
		},
		Doctor: func(context.Context) ([]Finding, error) {
			return []Finding{{text, text, text, text}, {"engine", "problem", text, ""}}, nil
		},
		Setup: &SetupTools{
			Look:  func(context.Context) (Setup, error) { return filled[Setup](text), nil },
			Write: func(context.Context, SetupChoice) (SetupWritten, error) { return SetupWritten{File: text}, nil },
			Prove: func(context.Context) (SetupProof, error) {
				return SetupProof{Vault: text, Answer: text}, nil
			},
			Try: func(context.Context, string) (SetupTried, error) {
				return SetupTried{Role: text, Runner: text, Answer: text}, nil
			},
		},
	}
}

func TestLog(t *testing.T) {
	written := 0
	r := start(t, func(s *Server) {
		s.UseTools(Tools{Log: func(lines int) ([]LogLine, error) {
			var all []LogLine
			for i := max(0, written-lines); i < written; i++ {
				all = append(all, LogLine{at(0), "INFO", fmt.Sprintf("line %d.", i)})
			}
			return all, nil
		}})
	})
	b := r.browser(t)
	for _, test := range []struct {
		written     int
		query       string
		first, last string
		more        string
	}{
		{0, "", "", "", ""},
		{3, "", "line 0.", "line 2.", ""},
		{300, "", "line 100.", "line 299.", "/log?lines=1000"},
		{300, "?lines=300", "line 0.", "line 299.", "/log?lines=1500"},
		{6000, "?lines=5000", "line 1000.", "line 5999.", ""},
	} {
		written = test.written
		var tail LogTail
		a := b.get(t, "/vault-mind/log"+test.query)
		if err := json.Unmarshal([]byte(a.text), &tail); err != nil || tail.Lines == nil {
			t.Fatalf("%s: %v", a.text, err)
		}
		page := b.get(t, "/log"+test.query).text
		if test.written == 0 {
			if len(tail.Lines) != 0 || !strings.Contains(page, "Nothing is written") {
				t.Errorf("an empty log: %s\n%s", a.text, page)
			}
			continue
		}
		if got := tail.Lines[0].Text + tail.Lines[len(tail.Lines)-1].Text; got != test.first+test.last {
			t.Errorf("%+v: first and last are %s", test, got)
		}
		newest, oldest := strings.Index(page, test.last), strings.Index(page, test.first)
		if newest < 0 || newest > oldest {
			t.Errorf("%+v: the newest is at %d, the oldest at %d", test, newest, oldest)
		}
		if more := strings.Contains(page, "Show more"); more != (test.more != "") || !strings.Contains(page, test.more) {
			t.Errorf("%+v: more %v", test, more)
		}
	}
	for _, query := range []string{"?lines=0", "?lines=5001", "?lines=x", "?lines=%zz"} {
		if a := b.get(t, "/vault-mind/log"+query); a.status != http.StatusBadRequest {
			t.Errorf("%s: %d", query, a.status)
		}
	}
}

func TestDoctor(t *testing.T) {
	found := []Finding{{"config", "ok", "The first.", ""}, {"vault", "warning", "The second.", "Do this."}, {"engine", "problem", "The third.", "Do that."}}
	r := start(t, func(s *Server) {
		s.UseTools(Tools{Doctor: func(context.Context) ([]Finding, error) { return found, nil }})
	})
	b := r.browser(t)
	var got Findings
	if a := b.get(t, "/vault-mind/doctor"); json.Unmarshal([]byte(a.text), &got) != nil || len(got.Findings) != 3 || got.Findings[1] != found[1] {
		t.Errorf("GET: %s", a.text)
	}
	_, text := parsed(t, b.get(t, "/doctor").text)
	order := []string{"1 problem on this machine", "The third.", "Do that.", "The second.", "Do this.", "The first."}
	for last := 0; len(order) > 0; order = order[1:] {
		at := strings.Index(text, order[0])
		if at < last {
			t.Fatalf("%q is missing or not in its order:\n%s", order[0], text)
		}
		last = at
	}
	found = found[:2]
	if _, text := parsed(t, b.get(t, "/doctor").text); !strings.Contains(text, "Nothing keeps it from working.") {
		t.Errorf("a warning is told as a problem:\n%s", text)
	}
}

// Without tools there is no tab and no page, and what fails in one is told.
func TestToolsThatAreNotThere(t *testing.T) {
	r := start(t, func(s *Server) { s.UseTools(Tools{}) })
	b := r.browser(t)
	for _, path := range []string{"/log", "/doctor", "/setup"} {
		if strings.Contains(b.get(t, "/").text, `href="`+path) {
			t.Errorf("%s is offered", path)
		}
		for _, path := range []string{path, "/vault-mind" + path} {
			if a := b.get(t, path); a.status != http.StatusNotImplemented || !strings.Contains(a.text, "not_here") {
				t.Errorf("%s: %d %s", path, a.status, a.text)
			}
		}
	}
	broken := start(t, func(s *Server) {
		s.UseTools(Tools{
			Log:    func(int) ([]LogLine, error) { return nil, errors.New("a disk on fire") },
			Doctor: func(context.Context) ([]Finding, error) { return nil, errors.New("a disk on fire") },
		})
	}).browser(t)
	for _, path := range []string{"/log", "/doctor", "/vault-mind/log", "/vault-mind/doctor"} {
		if a := broken.get(t, path); a.status != http.StatusInternalServerError || strings.Contains(a.text, "fire") {
			t.Errorf("%s: %d %s", path, a.status, a.text)
		}
	}
}
