package engine

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/config"
)

// TestPublicAnswers: what another agent asks is answered of what it may read, by the Miner and by a
// model of this machine; who may read more is not asked.
func TestPublicAnswers(t *testing.T) {
	dir := t.TempDir()
	root := filepath.Join(dir, "vault")
	for name, text := range map[string]string{
		"Public.md": "# Disks\n\nThe disk for backups is green.\n", "Journal/Diary.md": "# Diary\n\nThe disk for backups hides a zebra.\n",
		"Old/Plan.md": "# Plan\n\nThe disk for backups is excluded walrus.\n", "Templates/New.md": "# New\n\nThe disk for backups is a walrus form.\n",
	} {
		for _, err := range []error{os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o700), os.WriteFile(filepath.Join(root, name), []byte(text), 0o600)} {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := os.Link(filepath.Join(root, "Journal", "Diary.md"), filepath.Join(root, "Second.md")); err != nil {
		t.Fatal(err)
	}
	r := startEngine(t, dir, nil, func(c *config.Config) {
		c.Private, c.Exclude = []string{"Journal/**"}, append(c.Exclude, "Old/**")
		c.Agents["Local"] = config.Agent{Runner: "command", Command: []string{"no-such-agent"}, Local: true}
		c.Agents["Quiet"] = config.Agent{Runner: "builtin", Private: true}
	})
	ask := func(req api.AskRequest) (api.Answered, error) {
		t.Helper()
		d, err := r.Ask(t.Context(), r.Roots()[0], req)
		if err != nil {
			return api.Answered{}, err
		}
		return r.AwaitAnswer(t.Context(), d.ID, nil)
	}
	for _, question := range []string{"which disk is for backups?", "what does the disk for backups hide, a zebra?", "zebra", "walrus"} {
		a, err := ask(api.AskRequest{Question: question, Role: "Miner", Public: true})
		for _, secret := range []string{"hides", "Diary", "Second", "excluded", "Plan", "form"} {
			if err != nil || strings.Contains(a.Answer, secret) {
				t.Errorf("%q: %q, %v", question, a.Answer, err)
			}
		}
		if strings.Contains(question, "disk") != strings.Contains(a.Answer, "is green") {
			t.Errorf("%q: %q", question, a.Answer)
		}
		if d, err := r.Dispatch(t.Context(), a.Dispatch); err != nil || strings.Contains(d.Task, "zebra.") || d.Trigger != "agent" {
			t.Errorf("%q: asked by %s: %q, %v", question, d.Trigger, d.Task, err)
		}
	}
	if a, err := ask(api.AskRequest{Question: "what hides a zebra?", Role: "Miner"}); err != nil || !strings.Contains(a.Answer, "hides a zebra") {
		t.Errorf("its owner is told %q, %v", a.Answer, err)
	}
	for want, req := range map[string]api.AskRequest{
		"may read notes of wiki.private": {Role: "Local"}, "is private": {Role: "Quiet"}, "about no note": {Role: "Miner", File: "Journal/Diary.md"}, "goes into none": {Role: "Miner", Append: true},
	} {
		req.Question, req.Public = "what?", true
		if _, err := ask(req); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v", req, err)
		}
	}
}

// TestAskFindsTheVault: of several vaults a question is asked in the one that it is about. No private note leads the question
// of another agent there, and what has no answer says which vault was asked.
func TestAskFindsTheVault(t *testing.T) {
	dir, work := t.TempDir(), t.TempDir()
	for _, err := range []error{os.MkdirAll(filepath.Join(work, "Journal"), 0o700),
		os.WriteFile(filepath.Join(work, "Disks.md"), []byte("The disk for backups is green.\n"), 0o600),
		os.WriteFile(filepath.Join(work, "Journal", "Diary.md"), []byte("The disk hides a zebra.\n"), 0o600)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	r := startEngine(t, dir, nil, func(c *config.Config) {
		c.Private = []string{"Journal/**"}
		c.Vaults = append(c.Vaults, config.Vault{Name: "work", Path: work})
	})
	for r.vaults[1].Catalog.State().Notes < 2 {
		r.pause()
	}
	roots := r.Roots()
	for _, test := range []struct {
		in       api.Root
		req      api.AskRequest
		vault    string
		isNotice bool
	}{
		{roots[0], api.AskRequest{Question: "which disk is for backups?"}, roots[0].Name, true},
		{roots[1], api.AskRequest{Question: "which disk is for backups?"}, "work", false},
		{api.Root{}, api.AskRequest{Question: "which disk is for backups?"}, "work", false},
		{api.Root{}, api.AskRequest{Question: "what hides a zebra?"}, "work", false},
		{api.Root{}, api.AskRequest{Question: "a zebra?", Public: true}, roots[0].Name, true},
		{api.Root{}, api.AskRequest{Question: "a walrus?"}, roots[0].Name, true},
	} {
		test.req.Role = "Miner"
		d, err := r.Ask(t.Context(), test.in, test.req)
		if err != nil {
			t.Fatal(err)
		}
		a, err := r.AwaitAnswer(t.Context(), d.ID, nil)
		if isNotice := a.Notice == "Only the vault "+test.vault+" was asked."; err != nil || a.Vault != test.vault || isNotice != test.isNotice {
			t.Errorf("%+v: %+v, %v", test.req, a, err)
		}
	}
}
