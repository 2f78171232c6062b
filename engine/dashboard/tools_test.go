package dashboard

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"vaultdispatcher/engine/api"
)

func TestLog(t *testing.T) {
	written := 0
	r := openSite(t, func(s *parts) {
		s.UseTools(api.Tools{Log: func(lines int) ([]api.LogLine, error) {
			var all []api.LogLine
			for i := max(0, written-lines); i < written; i++ {
				all = append(all, api.LogLine{Time: at(0), Level: "INFO", Text: fmt.Sprintf("line %d.", i)})
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
		var tail api.LogTail
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
	found := []api.Finding{
		{Check: "config", Level: "ok", Text: "The first."},
		{Check: "vault", Level: "warning", Text: "The second.", Next: "Do this."},
		{Check: "engine", Level: "problem", Text: "The third.", Next: "Do that."},
	}
	r := openSite(t, func(s *parts) {
		s.UseTools(api.Tools{Doctor: func(context.Context) ([]api.Finding, error) { return found, nil }})
	})
	b := r.browser(t)
	var got api.Findings
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

// A line of the log is a sentence, with links to its question and its note.
func TestLogInWords(t *testing.T) {
	line := api.LogLine{Time: at(0), Level: "INFO", Text: "a question waits dispatch=1 ...", Said: "a question waits", Facts: map[string]string{
		"dispatch": "d1", "line": "3", "note": "A b.md", "reason": "over <a limit>", "role": "Miner", "vault": "v", "pid": "7"}}
	b := openSite(t, func(s *parts) {
		s.UseTools(api.Tools{Log: func(int) ([]api.LogLine, error) {
			return []api.LogLine{line, {Text: "as it is"}, {Time: at(0), Said: "it has begun", Facts: map[string]string{"pid": "8"}}}, nil
		}})
	}).browser(t)
	html := b.get(t, "/log").text
	for _, want := range []string{`<a href="/dispatch/d1">a question waits: over &lt;a limit&gt;</a>`, `Miner, <a href="/note?note=A&#43;b.md&amp;vault=v">A b.md</a>, line 3 pid 7</span>`, "as it is", "pid 8", "</a>: d1\n"} {
		if !strings.Contains(html, want) {
			t.Errorf("%s is not on the page:\n%s", want, html)
		}
	}
	if strings.Contains(html, "dispatch=") {
		t.Error("it shows what programs read")
	}
}

// Without tools there is no tab and no page, and what fails in one is told.
func TestToolsThatAreNotThere(t *testing.T) {
	r := openSite(t, func(s *parts) { s.UseTools(api.Tools{}) })
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
	broken := openSite(t, func(s *parts) {
		s.UseTools(api.Tools{
			Log:    func(int) ([]api.LogLine, error) { return nil, errors.New("a disk on fire") },
			Doctor: func(context.Context) ([]api.Finding, error) { return nil, errors.New("a disk on fire") },
		})
	}).browser(t)
	for _, path := range []string{"/log", "/doctor", "/vault-mind/log", "/vault-mind/doctor"} {
		if a := broken.get(t, path); a.status != http.StatusInternalServerError || strings.Contains(a.text, "fire") {
			t.Errorf("%s: %d %s", path, a.status, a.text)
		}
	}
}
