package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/note"
)

// patience is how long a script waits for what has to happen; a loaded machine
// is slow, and a test that is right passes long before.
const patience = 60 * time.Second

// eventually polls until ok is true.
func eventually(ts *testscript.TestScript, what string, ok func() bool) {
	for end := time.Now().Add(patience); !ok(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			ts.Fatalf("%s: did not happen within %v", what, patience)
		}
	}
}

func url(ts *testscript.TestScript, path string) string {
	return "http://127.0.0.1:" + ts.Getenv("WIKI_HTTPPORT") + path
}

// engineStatus asks the engine of the script.
func engineStatus(ts *testscript.TestScript) (api.Status, error) {
	var s api.Status
	resp, err := http.Get(url(ts, "/vault-mind/status"))
	if err != nil {
		return s, err
	}
	defer resp.Body.Close()
	return s, json.NewDecoder(resp.Body).Decode(&s)
}

// expand FILE... puts the script's variables into files.
func expand(ts *testscript.TestScript, _ bool, files []string) {
	for _, file := range files {
		text := os.Expand(ts.ReadFile(file), ts.Getenv)
		ts.Check(os.WriteFile(ts.MkAbs(file), []byte(text), 0o600))
	}
}

// ready waits until the engine watches its vaults.
func ready(ts *testscript.TestScript, _ bool, _ []string) {
	eventually(ts, "engine ready", func() bool {
		s, err := engineStatus(ts)
		if err != nil {
			return false
		}
		for _, v := range s.Vaults {
			if v.State == "indexing" {
				return false
			}
		}
		return true
	})
}

// answered FILE... waits until no marker with a runner is left in the notes and
// nothing is at work.
func answered(ts *testscript.TestScript, _ bool, files []string) {
	eventually(ts, "answered", func() bool {
		for _, file := range files {
			src, err := os.ReadFile(ts.MkAbs(file))
			if err != nil || len(note.Parse(src).Markers) > 0 {
				return false
			}
		}
		s, err := engineStatus(ts)
		q := s.Queue
		return err == nil && q.Settling+q.Queued+q.Processing == 0
	})
}

// queue NAME=N... waits until the counts of the status are so.
func queue(ts *testscript.TestScript, _ bool, wants []string) {
	var last api.Queue
	defer func() { ts.Logf("queue: %+v", last) }()
	eventually(ts, "queue "+strings.Join(wants, " "), func() bool {
		s, err := engineStatus(ts)
		if err != nil {
			return false
		}
		last = s.Queue
		counts := map[string]int{
			"settling": last.Settling, "queued": last.Queued, "processing": last.Processing, "done": last.Done,
			"failed": last.Failed, "held": last.Held, "parked": last.Parked,
		}
		for _, want := range wants {
			name, n, _ := strings.Cut(want, "=")
			if got, ok := counts[name]; !ok || strconv.Itoa(got) != n {
				return false
			}
		}
		return true
	})
}

// write FILE TEXT saves a note in place; TEXT is a Go string without its quotes.
func write(ts *testscript.TestScript, _ bool, args []string) {
	ts.Check(os.MkdirAll(filepath.Dir(ts.MkAbs(args[0])), 0o755))
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), unquoted(ts, args[1]), 0o644))
}

// append FILE TEXT saves a note with more text at its end.
func appendTo(ts *testscript.TestScript, _ bool, args []string) {
	f, err := os.OpenFile(ts.MkAbs(args[0]), os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o644)
	ts.Check(err)
	_, err = f.Write(unquoted(ts, args[1]))
	ts.Check(err)
	ts.Check(f.Close())
}

// replace FILE TEXT saves a note as an editor with atomic saves does: a
// temporary file that takes the note's name.
func replace(ts *testscript.TestScript, _ bool, args []string) {
	temp := ts.MkAbs(args[0]) + ".tmp~"
	ts.Check(os.WriteFile(temp, unquoted(ts, args[1]), 0o644))
	ts.Check(os.Rename(temp, ts.MkAbs(args[0])))
}

// same FILE TEXT compares the bytes of a file.
func same(ts *testscript.TestScript, neg bool, args []string) {
	got, err := os.ReadFile(ts.MkAbs(args[0]))
	ts.Check(err)
	if want := unquoted(ts, args[1]); bytes.Equal(got, want) == neg {
		ts.Fatalf("%s is\n%q\nwant\n%q", args[0], got, want)
	}
}

func unquoted(ts *testscript.TestScript, text string) []byte {
	s, err := strconv.Unquote(`"` + strings.ReplaceAll(text, `"`, `\"`) + `"`)
	ts.Check(err)
	return []byte(s)
}

// once FILE TEXT... checks that each text stands in the file exactly once.
func once(ts *testscript.TestScript, _ bool, args []string) {
	got, err := os.ReadFile(ts.MkAbs(args[0]))
	ts.Check(err)
	for _, text := range args[1:] {
		if n := bytes.Count(got, unquoted(ts, text)); n != 1 {
			ts.Fatalf("%s holds %q %d times:\n%s", args[0], text, n, got)
		}
	}
}

// lines FILE TEXT N checks that a file has N lines that begin with TEXT.
func lines(ts *testscript.TestScript, _ bool, args []string) {
	data, err := os.ReadFile(ts.MkAbs(args[0]))
	if err != nil && !os.IsNotExist(err) {
		ts.Check(err)
	}
	n := 0
	for line := range strings.Lines(string(data)) {
		if strings.HasPrefix(line, args[1]) {
			n++
		}
	}
	if strconv.Itoa(n) != args[2] {
		ts.Fatalf("%s has %d lines that begin with %q, want %s:\n%s", args[0], n, args[1], args[2], data)
	}
}

// post PATH BODY [STATUS] sends JSON and prints the answer to the log.
func post(ts *testscript.TestScript, _ bool, args []string) {
	body := os.Expand(args[1], ts.Getenv)
	resp, err := http.Post(url(ts, args[0]), "application/json", strings.NewReader(body))
	ts.Check(err)
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	ts.Check(err)
	ts.Logf("%s %s", resp.Status, text)
	want := "200"
	if len(args) > 2 {
		want = args[2]
	}
	if strconv.Itoa(resp.StatusCode) != want {
		ts.Fatalf("POST %s %s: %s, want %s: %s", args[0], body, resp.Status, want, text)
	}
}

// refuses checks that nothing listens on the script's port.
func refuses(ts *testscript.TestScript, _ bool, _ []string) {
	eventually(ts, "port free", func() bool {
		conn, err := net.DialTimeout("tcp4", "127.0.0.1:"+ts.Getenv("WIKI_HTTPPORT"), time.Second)
		if err == nil {
			conn.Close()
		}
		return err != nil
	})
}

// dispatch VARIABLE STATUS puts the id of the newest dispatch of that status
// into a variable.
func dispatchID(ts *testscript.TestScript, _ bool, args []string) {
	s, err := engineStatus(ts)
	ts.Check(err)
	for _, d := range s.Dispatches {
		if d.Status == args[1] {
			ts.Setenv(args[0], d.ID)
			return
		}
	}
	ts.Fatalf("no dispatch is %s", args[1])
}

// occupy has a stranger's web server listen on the script's port.
func occupy(ts *testscript.TestScript, _ bool, _ []string) {
	ln, err := net.Listen("tcp4", "127.0.0.1:"+ts.Getenv("WIKI_HTTPPORT"))
	ts.Check(err)
	server := &http.Server{Handler: http.NotFoundHandler()}
	go server.Serve(ln)
	ts.Defer(func() { server.Close() })
}

// waitfile FILE TEXT waits until a file holds a text.
func waitFile(ts *testscript.TestScript, _ bool, args []string) {
	eventually(ts, fmt.Sprintf("%s holds %q", args[0], args[1]), func() bool {
		data, err := os.ReadFile(ts.MkAbs(args[0]))
		return err == nil && bytes.Contains(data, unquoted(ts, args[1]))
	})
}

// dispatches N checks that the engine is done and has made N dispatches in all.
func nothing(ts *testscript.TestScript, _ bool, args []string) {
	s, err := engineStatus(ts)
	ts.Check(err)
	if strconv.Itoa(len(s.Dispatches)) != args[0] {
		ts.Fatalf("%d dispatches, want %s: %+v", len(s.Dispatches), args[0], s.Dispatches)
	}
}

// nochild checks that no process logged by the agent is left.
func noProcess(ts *testscript.TestScript, _ bool, _ []string) {
	data, err := os.ReadFile(ts.Getenv("LOG"))
	ts.Check(err)
	found := 0
	for line := range strings.Lines(string(data)) {
		pid, ok := strings.CutPrefix(strings.TrimSpace(line), "pid ")
		if !ok {
			continue
		}
		found++
		eventually(ts, "process "+pid+" ends", func() bool { return !alive(pid) })
	}
	if found == 0 {
		ts.Fatalf("the agent has logged no process")
	}
}
