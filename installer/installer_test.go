package installer

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"vaultdispatcher/engine/config"
)

// alone gives a test its own home.
func alone(t *testing.T) (home string) {
	t.Helper()
	home = t.TempDir()
	for _, name := range []string{"HOME", "USERPROFILE"} {
		t.Setenv(name, home)
	}
	for _, v := range os.Environ() {
		if name, _, _ := strings.Cut(v, "="); strings.HasPrefix(name, "WIKI_") || strings.HasPrefix(name, "XDG_") {
			t.Setenv(name, "")
		}
	}
	return home
}

func put(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestPrograms(t *testing.T) {
	home := alone(t)
	suffix := ""
	if runtime.GOOS == "windows" {
		suffix = ".exe"
	}
	env := []string{"HOME=" + home, "USERPROFILE=" + home, "PATH=" + filepath.Join(home, "bin")}
	if found := Programs(env); len(found) > 0 {
		t.Fatalf("found on an empty machine: %+v", found)
	}
	put(t, filepath.Join(home, "bin", "pi"+suffix), "#!/usr/bin/env my-node\n")
	put(t, filepath.Join(home, ".local", "bin", "codex"+suffix), "")
	put(t, filepath.Join(home, ".codex", "auth.json"), `{"a":1}`)
	found := Programs(env)
	if len(found) != 2 || found[0].Runner != "codex" || !found[0].LoggedIn || found[1].Runner != "pi" || found[1].LoggedIn {
		t.Fatalf("%+v", found)
	}
	if runtime.GOOS != "windows" && found[1].Needs != "my-node" {
		t.Errorf("%+v", found[1])
	}
}

func TestOllama(t *testing.T) {
	answer, status := `{"models":[{"name":"qwen3:8b","size":5200000000},{"name":"embeddinggemma:latest","size":1}]}`, 200
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/api/tags" {
			t.Errorf("asked for %s", r.URL.Path)
		}
		w.WriteHeader(status)
		fmt.Fprint(w, answer)
	}))
	defer server.Close()
	got, err := ollamaModels(context.Background(), server.URL)
	if want := []Model{{"qwen3:8b", false, 5.2}, {"embeddinggemma", true, 1e-9}}; err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
	for _, test := range []struct {
		answer string
		status int
	}{{"<html>", 200}, {"{}", 404}} {
		answer, status = test.answer, test.status
		if _, err := ollamaModels(context.Background(), server.URL); !errors.Is(err, ErrNoOllama) {
			t.Errorf("%+v: %v", test, err)
		}
	}
	server.Close()
	if _, err := ollamaModels(context.Background(), server.URL); !errors.Is(err, ErrNoOllama) {
		t.Errorf("nobody there: %v", err)
	}
}

func TestParseAgent(t *testing.T) {
	for text, want := range map[string][2]string{
		"claude": {"claude", ""}, "claude:opus": {"claude", "opus"}, "copilot": {"copilot", ""}, "qwen:coder": {"qwen", "coder"}, "ollama:qwen3:8b": {"ollama", "qwen3:8b"}, "builtin": {"builtin", ""},
	} {
		if name, model, err := ParseAgent(text); err != nil || name != want[0] || model != want[1] {
			t.Errorf("%s: %s, %s, %v", text, name, model, err)
		}
	}
	for _, text := range []string{"", "chatgpt", "ollama", "ollama:", "builtin:x", "Claude"} {
		if _, _, err := ParseAgent(text); !errors.Is(err, ErrAgent) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// What is chosen is what the configuration says afterwards.
func TestChoiceComesBack(t *testing.T) {
	home := alone(t)
	file := filepath.Join(home, "c", "config.yaml")
	for _, c := range []Choice{
		{Vaults: []string{filepath.Join(home, "a"), filepath.Join(home, "b")}, Port: 7001, Provider: "none", Agent: "builtin"},
		{Vaults: []string{filepath.Join(home, "b")}, Port: 7001, Provider: "ollama", Model: "m", Agent: "claude", AgentModel: "opus"},
		{Vaults: []string{filepath.Join(home, "b")}, Port: 7002, Provider: "ollama", Model: "n", Agent: "ollama", AgentModel: "qwen3:8b"},
		{Vaults: []string{filepath.Join(home, "b")}, Port: 7002, Provider: "none", Agent: "builtin"},
	} {
		now, err := Read(file)
		if err != nil {
			t.Fatal(err)
		}
		w, err := Plan{Present: now, Choice: c}.Write()
		if err != nil || !w.Changed {
			t.Fatalf("%+v: %+v, %v", c, w, err)
		}
		if got := Chosen(w.Config); !reflect.DeepEqual(got, c) {
			t.Errorf("got  %+v\nwant %+v\nin\n%s", got, c, read(t, file))
		}
		if _, unknown := w.Config.Agent("Anybody"); unknown == (c.Agent == "builtin") {
			t.Errorf("%+v: a role without an entry is answered: %v", c, unknown)
		}
		now, err = Read(file)
		if err != nil {
			t.Fatal(err)
		}
		if w, err := (Plan{Present: now, Choice: c}).Write(); err != nil || w.Changed || w.Backup != "" {
			t.Errorf("a second time: %+v, %v", w, err)
		}
	}
}

func TestReadOld(t *testing.T) {
	home := alone(t)
	file := filepath.Join(home, "config.yaml")
	const before = "vaultMind:\n  vault: ~/Notes\n  port: 7007\n  colour: red\n"
	put(t, file, before)
	now, err := Read(file)
	if err != nil || !now.Old || strings.Join(now.Obsolete, " ") != "vaultMind.colour" {
		t.Fatalf("%+v, %v", now, err)
	}
	if c := Chosen(now.Config); c.Port != 7007 || len(c.Vaults) != 1 || c.Vaults[0] != filepath.Join(home, "Notes") {
		t.Errorf("offered: %+v", c)
	}
	w, err := Plan{Present: now}.Write()
	if err != nil || !w.Changed || read(t, w.Backup) != before {
		t.Errorf("%+v, %v", w, err)
	}
	if _, err := config.Load(file); err != nil {
		t.Errorf("%v in\n%s", err, read(t, file))
	}
}
