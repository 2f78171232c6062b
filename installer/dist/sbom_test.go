package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
)

// TestBoms: the list of the tray applet, built here, is a CycloneDX document that has what
// the format asks for, and every sum in it is the one of go.sum.
func TestBoms(t *testing.T) {
	program := buildApplet(t)
	text := readList(t, program)
	if again := readList(t, program); text != again {
		t.Error("the same program gave two lists")
	}
	var list bom
	dec := json.NewDecoder(strings.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&list); err != nil {
		t.Fatal(err)
	}
	if list.Format != "CycloneDX" || list.Spec != "1.6" || list.Version != 1 || list.Metadata.Timestamp != "2023-11-14T22:13:20Z" {
		t.Errorf("it says it is %s %s %d of %s", list.Format, list.Spec, list.Version, list.Metadata.Timestamp)
	}
	if !regexp.MustCompile(`^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`).MatchString(list.Serial) {
		t.Errorf("serial number %s", list.Serial)
	}
	whole := list.Metadata.Component
	if whole.Type != "application" || whole.Name != "wiki-tray" || whole.Version != "1.2.3" || whole.URL != "pkg:golang/vaultdispatcher/cmd/wiki-tray@1.2.3" {
		t.Errorf("it is of %+v", whole)
	}
	refs := map[string]bool{}
	for _, c := range append(list.Components, whole) {
		if c.Type == "" || c.Name == "" || c.Version == "" || c.Ref == "" || refs[c.Ref] {
			t.Errorf("a part without its due, or twice: %+v", c)
		}
		refs[c.Ref] = true
		for _, h := range c.Hashes {
			if h.Algorithm != "SHA-256" || !regexp.MustCompile(`^[0-9a-f]{64}$`).MatchString(h.Content) {
				t.Errorf("%s has the hash %v", c.Name, h)
			}
		}
	}
	compareWithProgram(t, program, list)
}

// compareWithProgram compares a list with what Go says of its program, and with go.sum.
func compareWithProgram(t *testing.T, program string, list bom) {
	t.Helper()
	said, err := runTool(exec.Command("go", "version", "-m", program))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"stdlib " + strings.TrimPrefix(runtime.Version(), "go")}
	for line := range strings.Lines(said) {
		if f := strings.Fields(line); f[0] == "dep" {
			want = append(want, f[1]+" "+f[2])
		}
	}
	if len(want) < 2 {
		t.Fatalf("the program has no libraries: %s", said)
	}
	sums := strings.Split(string(readBytes(t, "../../go.sum")), "\n")
	var got []string
	for _, c := range list.Components {
		got = append(got, c.Name+" "+c.Version)
		if c.Name != "stdlib" && (len(c.Properties) != 1 || !slices.Contains(sums, c.Name+" "+c.Version+" "+c.Properties[0].Value)) {
			t.Errorf("go.sum does not have %+v", c)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("it lists %q, not %q", got, want)
	}
}

// buildApplet builds the smallest of our programs that has libraries.
func buildApplet(t *testing.T) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "wiki-tray.exe")
	build := exec.Command("go", "build", "-buildvcs=false", "-ldflags", "-s -w", "-o", out, "../../cmd/wiki-tray")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if _, err := runTool(build); err != nil {
		t.Fatal(err)
	}
	return out
}

func readList(t *testing.T, program string) string {
	t.Helper()
	dir := t.TempDir()
	r := &release{version: "1.2.3", commit: "abc", time: then, inputs: map[string]string{"wiki-tray_windows_amd64": program}}
	if err := r.writeBoms(dir); err != nil {
		t.Fatal(err)
	}
	return string(readBytes(t, filepath.Join(dir, "vault-dispatcher_1.2.3_wiki-tray_windows_amd64.cdx.json")))
}

func TestLibrary(t *testing.T) {
	const sum = "h1:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
	part, err := describeLibrary(&debug.Module{Path: "example.org/x", Replace: &debug.Module{Path: "example.org/~Me/Fork/v2", Version: "v2.0.0+incompatible", Sum: sum}})
	if err != nil {
		t.Fatal(err)
	}
	if part.URL != "pkg:golang/example.org/~me/fork/v2@v2.0.0%2Bincompatible" || part.Name != "example.org/~Me/Fork/v2" {
		t.Errorf("it is named %s, %s", part.Name, part.URL)
	}
	if part.Hashes[0].Content != "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f" || part.Properties[0].Value != sum {
		t.Errorf("its sums are %v, %v", part.Hashes, part.Properties)
	}
	for _, bad := range []string{"", "h1:", "h1:!", "h2:" + sum[3:], sum[:20]} {
		if _, err := describeLibrary(&debug.Module{Path: "example.org/x", Version: "v1.0.0", Sum: bad}); err == nil || !strings.Contains(err.Error(), "example.org/x v1.0.0 has no sum") {
			t.Errorf("the sum %q was taken: %v", bad, err)
		}
	}
}

// TestBomRefuses: what was not built by Go has no list of parts.
func TestBomRefuses(t *testing.T) {
	name := filepath.Join(t.TempDir(), "wiki")
	writeText(t, name, "#!/bin/sh\n")
	r := &release{version: "1.2.3", time: then, inputs: map[string]string{"wiki_linux_amd64": name}}
	if err := r.writeBoms(t.TempDir()); err == nil || !strings.Contains(err.Error(), "wiki_linux_amd64") {
		t.Errorf("a script as a program: %v", err)
	}
}
