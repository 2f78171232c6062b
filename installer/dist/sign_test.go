package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// asHook makes this program the one that signs, in the way that it names.
const asHook = "DIST_TEST_HOOK"

func TestMain(m *testing.M) {
	if how := os.Getenv(asHook); how != "" {
		os.Exit(signFor(how, os.Args[1], os.Args[2]))
	}
	os.Exit(m.Run())
}

func signFor(how, in, out string) int {
	body, err := os.ReadFile(in)
	switch how {
	case "signs":
		body = append(body, " and its signature"...)
	case "fails":
		fmt.Fprint(os.Stderr, "looking for a key\nthere is no key\n")
		return 3
	case "leaves nothing":
		return 0
	case "leaves an empty file":
		body = nil
	}
	if err == nil {
		err = os.WriteFile(out, body, 0o600)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func TestSign(t *testing.T) {
	this, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for how, want := range map[string]string{
		"signs":                "",
		"fails":                "exit status 3: there is no key",
		"leaves nothing":       "it left no signed file",
		"leaves an empty file": "what it left has no signature",
		"copies":               "what it left has no signature",
	} {
		t.Run(how, func(t *testing.T) {
			t.Setenv(asHook, how)
			name := filepath.Join(t.TempDir(), "wiki.exe")
			writeText(t, name, "a program")
			r := &release{work: t.TempDir(), signer: this, tell: t.Logf}
			err := r.signFile(name)
			if want == "" {
				if text := string(readBytes(t, name)); err != nil || text != "a program and its signature" {
					t.Errorf("%q, %v", text, err)
				}
				if info, err := os.Stat(name); err != nil || filepath.Separator == '/' && info.Mode() != 0o644 {
					t.Errorf("it is of mode %v, %v", info.Mode(), err)
				}
				return
			}
			if err == nil || !strings.HasPrefix(err.Error(), "wiki.exe was not signed by ") || !strings.HasSuffix(err.Error(), want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("it says %v", err)
			}
			if text := string(readBytes(t, name)); text != "a program" {
				t.Errorf("the program became %q", text)
			}
		})
	}
}

// TestSignNothing: without a program that signs, files stay as they were made.
func TestSignNothing(t *testing.T) {
	if err := (&release{}).signFile(filepath.Join(t.TempDir(), "nothing")); err != nil {
		t.Error(err)
	}
}

// TestSignMissing: that there is no such program is said before anything is built.
func TestSignMissing(t *testing.T) {
	t.Setenv("WIKI_SIGN", filepath.Join(t.TempDir(), "no-such-program"))
	out := filepath.Join(t.TempDir(), "out")
	if err := runCommand([]string{"-out", out}, io.Discard); err == nil || !strings.Contains(err.Error(), "no-such-program") {
		t.Errorf("it says %v", err)
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("something was made")
	}
}
