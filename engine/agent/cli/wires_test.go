package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/agent/testdata/wires"
)

var everyWire = flag.Bool("wires.all", false, "cut the recordings at every byte, and in all clothes")

// recordedWires are the recordings, with marks that were set by hand. One that brings no answer is never whole.
func recordedWires(t *testing.T) (list []wires.Wire) {
	t.Helper()
	files, err := filepath.Glob(recorded(t, "*"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		recording, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(recording.Files, func(f txtar.File) bool { return f.Name == "stdout" })
		answer, body := "", string(recording.Files[i].Data)
		if said := part(recording, "answer"); said != nil != strings.Contains(body, "¦") {
			t.Fatalf("%s has an answer, or is whole, and not both", file)
		} else if said != nil {
			if answer, err = strconv.Unquote(strings.TrimSpace(string(said))); err != nil {
				t.Fatal(file, err)
			}
		}
		list = append(list, wires.New(strings.TrimSuffix(filepath.Base(file), ".txtar"), answer, body))
	}
	return list
}

// dressed are the recordings of one short answer in all clothes.
func dressed(t *testing.T, recordings []wires.Wire) (list []wires.Wire) {
	t.Helper()
	for _, w := range recordings {
		if !strings.HasSuffix(w.Name, "_single") {
			continue
		}
		_, values := stdout(t, w.Name)
		terminal, end := 0, json.NewDecoder(strings.NewReader(w.Body))
		for ; int(end.InputOffset()) < w.Whole; terminal++ {
			var event json.RawMessage
			if err := end.Decode(&event); err != nil {
				t.Fatal(err)
			}
		}
		last := values[terminal-1]
		for way, dress := range clothes {
			body := dress(values)
			at := strings.LastIndexByte(body, ']') + 1 // an array is whole at its end
			if !strings.Contains(way, "one array") && !strings.Contains(way, "pretty array") && !strings.Contains(way, "around an array") {
				event := string(last)
				if strings.Contains(way, "pretty") {
					event = pretty(last)
				}
				at = strings.LastIndex(body, event) + len(event)
				if way == "an array each" {
					at++ // its bracket
				}
			}
			list = append(list, wires.New(w.Name+", "+way, w.Answer, body[:at]+"¦"+body[at:]))
		}
	}
	return list
}

// Cut at any byte, in any clothes, heard or not, and ended in ways that nobody has invented, what a program prints is the answer where its
// last event is whole, and else none.
func TestWires(t *testing.T) {
	t.Parallel()
	list, o := recordedWires(t), wires.Options{Rounds: 1, Ends: 20, Step: 11}
	if *everyWire {
		list, o = append(list, dressed(t, list)...), wires.Options{Rounds: 1, Ends: 200}
	}
	wires.Bend(t, list, o, func(b wires.Bent) (string, error) { return judgeBent(t, b, false) })
	list = slices.DeleteFunc(list, func(w wires.Wire) bool { return !strings.Contains(w.Name, "_heard") })
	wires.Bend(t, list, o, func(b wires.Bent) (string, error) { return judgeBent(t, b, true) })
}

// judgeBent reads a wire as the end of a run that exits well. Where it is heard, what its listener takes is not kept.
func judgeBent(t *testing.T, b wires.Bent, isHeard bool) (string, error) {
	program, _, _ := strings.Cut(b.Name, "_")
	p, out := presets[program], []byte(b.Text)
	if isHeard {
		hear := p.listen(agent.Task{Listener: func(text string) {
			if !strings.HasPrefix(b.Answer, text) {
				t.Errorf("%s: %q was heard of %q", b.Name, text, b.Answer)
			}
		}})
		var kept []byte
		for line := range bytes.Lines(out) {
			if !bytes.HasSuffix(line, []byte("\n")) || !hear(line) {
				kept = append(kept, line...)
			}
		}
		out = kept
	}
	reply, err := p.judge(agent.Ended{Output: out}, time.Now())
	if b.Answer != "" {
		checkNoAnswer(t, b.Name, err)
	}
	return reply.Text, err
}

// checkNoAnswer holds a failure of a run that exits well to what it may cost: it is asked once more at most.
func checkNoAnswer(t *testing.T, what string, err error) {
	t.Helper()
	if f, ok := errors.AsType[*agent.Failure](err); err != nil && (!ok || f.Reason == "" || f.Kind == agent.Transient && f.Tries != 2) {
		t.Errorf("%s: %v (%+v)", what, err, f)
	}
}
