package main

import (
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/note"
)

// scriptPatience is how long a script waits for what has to happen. An answer whose note
// is gone waits a minute for it; a loaded machine is slow, and a test that is right
// passes long before.
const scriptPatience = 120 * time.Second

// eventually polls until ok is true.
func eventually(ts *testscript.TestScript, what string, ok func() bool) {
	wait := 20 * time.Millisecond
	for end := time.Now().Add(scriptPatience); !ok(); time.Sleep(wait) {
		if time.Now().After(end) {
			ts.Fatalf("%s: did not happen within %v", what, scriptPatience)
		}
		wait = min(wait*5/4, 100*time.Millisecond) // each look costs the engine a status
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

// ready waits until the engine answers and has read every vault that is there.
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

// answered FILE... waits until no marker at all is left in the notes and nothing
// settles, is queued or at work in the whole engine.
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

// queue NAME=N... waits until the counts of the status are exactly so; counts
// that are not named do not matter.
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
			"failed": last.Failed, "held": last.Held, "parked": last.Parked, "proposed": last.Proposed, "scheduled": last.Scheduled, "cancelled": last.Cancelled,
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

// post PATH BODY [STATUS] sends JSON, logs the answer and checks its status, 200
// when none is named.
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

// bearer PATH FILE STATUS posts with the token that is in the file.
func bearer(ts *testscript.TestScript, _ bool, args []string) {
	req, err := http.NewRequest(http.MethodPost, url(ts, args[0]), nil)
	ts.Check(err)
	req.Header.Set("Authorization", "Bearer "+strings.TrimSpace(ts.ReadFile(args[1])))
	resp, err := http.DefaultClient.Do(req)
	ts.Check(err)
	resp.Body.Close()
	if strconv.Itoa(resp.StatusCode) != args[2] {
		ts.Fatalf("POST %s: %s, want %s", args[0], resp.Status, args[2])
	}
}

// refuses waits until nothing listens on the script's port.
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
		if d.Status == args[1] && (len(args) == 2 || d.File == args[2]) {
			ts.Setenv(args[0], d.ID)
			return
		}
	}
	ts.Fatalf("no dispatch is %s", args[1])
}

// seen VARIABLE puts the proof that the last command named on standard error into a variable.
func seen(ts *testscript.TestScript, _ bool, args []string) {
	found := regexp.MustCompile(`--seen ([0-9a-z-]+)`).FindStringSubmatch(ts.ReadFile("stderr"))
	if found == nil {
		ts.Fatalf("no proof is named")
	}
	ts.Setenv(args[0], found[1])
}

// dispatchof VARIABLE KEY puts the id of the newest dispatch of that key into a
// variable.
func dispatchOf(ts *testscript.TestScript, _ bool, args []string) {
	s, err := engineStatus(ts)
	ts.Check(err)
	for _, d := range s.Dispatches {
		if d.Key == args[1] {
			ts.Setenv(args[0], d.ID)
			return
		}
	}
	ts.Fatalf("no dispatch has the key %s", args[1])
}

// dispatchat FILE [STATUS] waits until a dispatch, of that status, belongs to a note of
// the script's vault.
func dispatchAt(ts *testscript.TestScript, _ bool, args []string) {
	file := strings.TrimPrefix(args[0], "vault/")
	eventually(ts, strings.Join(args[1:], "")+" in "+file, func() bool {
		s, err := engineStatus(ts)
		return err == nil && slices.ContainsFunc(s.Dispatches, func(d api.Dispatch) bool {
			return d.File == file && (len(args) == 1 || d.Status == args[1])
		})
	})
}

// occupy has a stranger's web server listen on the script's port. With the argument
// silent it gives no answer, as an engine that hangs.
func occupy(ts *testscript.TestScript, _ bool, args []string) {
	ln, err := net.Listen("tcp4", "127.0.0.1:"+ts.Getenv("WIKI_HTTPPORT"))
	ts.Check(err)
	if len(args) > 0 {
		ts.Defer(func() { ln.Close() })
		return
	}
	server := &http.Server{Handler: http.NotFoundHandler()}
	go server.Serve(ln)
	ts.Defer(func() { server.Close() })
}

// dispatches N checks, without waiting, that the status lists N dispatches: all
// there have been, as long as they are few.
func dispatchCount(ts *testscript.TestScript, _ bool, args []string) {
	s, err := engineStatus(ts)
	ts.Check(err)
	if strconv.Itoa(len(s.Dispatches)) != args[0] {
		ts.Fatalf("%d dispatches, want %s: %+v", len(s.Dispatches), args[0], s.Dispatches)
	}
}

// nochild checks that no process that hung is left, nor one of its children.
func noProcess(ts *testscript.TestScript, _ bool, _ []string) {
	data, err := os.ReadFile(ts.Getenv("LOG"))
	ts.Check(err)
	found := make(map[string]int)
	for line := range strings.Lines(string(data)) {
		words := strings.Fields(line)
		if len(words) != 3 || words[0] != "pid" {
			continue
		}
		found[words[1]]++
		eventually(ts, "process "+words[2]+" ends", func() bool { return !alive(words[2]) })
	}
	if found["hang"] == 0 || found["stay"] == 0 {
		ts.Fatalf("the agent and its child have not both logged a process: %v", found)
	}
}

// prints TEXT PROGRAM ARG... runs a program until it prints the text.
func prints(ts *testscript.TestScript, _ bool, args []string) {
	eventually(ts, "print "+args[0], func() bool {
		return ts.Exec(args[1], args[2:]...) == nil && strings.Contains(ts.ReadFile("stdout"), args[0])
	})
}

// exits STATUS PROGRAM ARG... runs a program that has to end with that status;
// what it printed is there for stdout and stderr.
func exits(ts *testscript.TestScript, _ bool, args []string) {
	status := 0
	err := ts.Exec(args[1], args[2:]...)
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		status = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if strconv.Itoa(status) != args[0] {
		ts.Fatalf("status %d, want %s", status, args[0])
	}
}
