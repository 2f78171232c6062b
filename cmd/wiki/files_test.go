package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"vaultdispatcher/engine/api"
)

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

// nokept waits until nothing that was displaced is kept any more.
func noneKept(ts *testscript.TestScript, _ bool, _ []string) {
	eventually(ts, "the end of every grace", func() bool {
		kept, err := filepath.Glob(ts.MkAbs("vault/.vault-mind/tmp/*.kept"))
		return err == nil && len(kept) == 0
	})
}

// notice TEXT waits until a notice of the status has the text.
func notice(ts *testscript.TestScript, _ bool, args []string) {
	eventually(ts, "notice "+args[0], func() bool {
		s, err := engineStatus(ts)
		return err == nil && slices.ContainsFunc(s.Notices, func(n api.Notice) bool { return strings.Contains(n.Text, args[0]) })
	})
}

// vaults NAME waits until the engine knows a vault of that name.
func vaultKnown(ts *testscript.TestScript, _ bool, args []string) {
	eventually(ts, "vault "+args[0], func() bool {
		s, err := engineStatus(ts)
		return err == nil && slices.ContainsFunc(s.Vaults, func(v api.Vault) bool { return v.Name == args[0] })
	})
}

// displaced TEXT writes the text into the one file that an exchange has displaced
// and that is kept for its grace, as a program does that had the note open.
func displaced(ts *testscript.TestScript, _ bool, args []string) {
	kept, err := filepath.Glob(ts.MkAbs("vault/.vault-mind/tmp/*.kept"))
	ts.Check(err)
	if len(kept) != 1 {
		ts.Fatalf("%d files are displaced: %v", len(kept), kept)
	}
	ts.Check(os.WriteFile(kept[0], unquoted(ts, args[0]), 0o644))
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

// aged FILE DURATION waits until the file was last saved that long ago, and waits at
// least that long: a program that had seen the file before has known it for all of it.
func aged(ts *testscript.TestScript, _ bool, args []string) {
	d, err := time.ParseDuration(args[1])
	ts.Check(err)
	begun := time.Now()
	eventually(ts, args[0]+" is old enough", func() bool {
		info, err := os.Stat(ts.MkAbs(args[0]))
		return err == nil && time.Since(info.ModTime()) > d && time.Since(begun) > d
	})
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
	if n := linesIn(ts, args[0], args[1]); strconv.Itoa(n) != args[2] {
		ts.Fatalf("%s has %d lines that begin with %q, want %s:\n%s", args[0], n, args[1], args[2], ts.ReadFile(args[0]))
	}
}

// waitlines FILE TEXT N waits until a file has N lines that begin with TEXT.
func waitLines(ts *testscript.TestScript, _ bool, args []string) {
	eventually(ts, fmt.Sprintf("%s has %s lines %q", args[0], args[2], args[1]), func() bool {
		return strconv.Itoa(linesIn(ts, args[0], args[1])) == args[2]
	})
}

// linesIn counts the lines of a file, which may not be there yet.
func linesIn(ts *testscript.TestScript, file, prefix string) (n int) {
	data, err := os.ReadFile(ts.MkAbs(file))
	if err != nil && !os.IsNotExist(err) {
		ts.Check(err)
	}
	for line := range strings.Lines(string(data)) {
		if strings.HasPrefix(line, prefix) {
			n++
		}
	}
	return n
}

// waitfile FILE TEXT waits until a file holds a text.
func waitFile(ts *testscript.TestScript, _ bool, args []string) {
	eventually(ts, fmt.Sprintf("%s holds %q", args[0], args[1]), func() bool {
		data, err := os.ReadFile(ts.MkAbs(args[0]))
		return err == nil && bytes.Contains(data, unquoted(ts, args[1]))
	})
}

// expand FILE... puts the script's variables into files.
func expand(ts *testscript.TestScript, _ bool, files []string) {
	for _, file := range files {
		text := os.Expand(ts.ReadFile(file), ts.Getenv)
		ts.Check(os.WriteFile(ts.MkAbs(file), []byte(text), 0o600))
	}
}

// objects FILE KEY... checks that a file is JSON objects and nothing else, and
// that each key stands in one of them.
func objects(ts *testscript.TestScript, _ bool, args []string) {
	keys := make(map[string]bool)
	for dec := json.NewDecoder(strings.NewReader(ts.ReadFile(args[0]))); ; {
		var object map[string]any
		err := dec.Decode(&object)
		if err == io.EOF {
			break
		}
		ts.Check(err)
		for key := range object {
			keys[key] = true
		}
	}
	for _, key := range args[1:] {
		if !keys[key] {
			ts.Fatalf("no object of %s has the key %q", args[0], key)
		}
	}
}
