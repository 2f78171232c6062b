package config

import (
	"path/filepath"
	"testing"
)

func TestRelatedPassagesAreOnUnlessTurnedOff(t *testing.T) {
	c := mustParse(t, "wiki: {agents: {Ed: {runner: pi}, Al: {runner: pi, enrich: false}, Di: {runner: pi, enrich: true}}}")
	for role, plain := range map[string]bool{"Ed": false, "Al": true, "Di": false} {
		if c.Agents[role].Plain != plain {
			t.Errorf("%s: %+v", role, c.Agents[role])
		}
	}
}

func TestModelServer(t *testing.T) {
	c := mustParse(t, "wiki: {agents: {Ed: {runner: openai, url: 'http://127.0.0.1:11434', APIKEYENV: MY_KEY, model: m}}}")
	if a := c.Agents["Ed"]; a.URL != "http://127.0.0.1:11434" || a.KeyEnv != "MY_KEY" || len(c.Warnings) > 0 {
		t.Errorf("%+v, %q", a, c.Warnings)
	}
}

func TestTrustIsSaid(t *testing.T) {
	c := mustParse(t, "wiki: {agents: {Ed: {runner: acp, command: [a], trust: true}, Al: {runner: acp, command: [a]}}}")
	if !c.Agents["Ed"].Trust || c.Agents["Al"].Trust || len(c.Warnings) > 0 {
		t.Errorf("%+v, %q", c.Agents, c.Warnings)
	}
}

// A role has the history of wiki.history, wherever that stands in the file, but for what
// it says itself.
func TestHistoryOfRoles(t *testing.T) {
	c := mustParse(t, `wiki:
  agents: {Ed: {runner: pi, history: thread}, Al: {runner: pi, history: {BYTES: 0}}, Di: {runner: pi}, Fi: {runner: pi, history: }, "*": {runner: pi, history: {scope: none, bytes: 9}}}
  history: {scope: note, bytes: 100}`)
	for role, want := range map[string]History{
		"ed": {HistoryThread, 100}, "Al": {HistoryNote, 0}, "Di": {HistoryNote, 100}, "Fi": {HistoryNote, 100},
		"Other": {HistoryNone, 9}, "Miner": {HistoryNote, 100},
	} {
		if got := c.HistoryOf(role); got != want {
			t.Errorf("%s: %+v, want %+v", role, got, want)
		}
	}
	if len(c.Warnings) > 0 {
		t.Errorf("%q", c.Warnings)
	}
	if got, want := mustParse(t, "wiki: {agents: {Ed: {runner: pi}}}").HistoryOf("Ed"), (History{HistoryVault, 8192}); got != want {
		t.Errorf("by default %+v", got)
	}
}

// Comments go with a question where the role or the whole configuration says so.
func TestContextOfRoles(t *testing.T) {
	c := mustParse(t, "wiki: {context: {before: 3, comments: true}, agents: {Ed: {runner: pi, context: {comments: false}}, Al: {runner: pi, context: {}}}}")
	if ed, al, other := c.ContextOf("ed"), c.ContextOf("Al"), c.ContextOf("Zoe"); ed.Comments || ed.LinesAbove != 3 || ed.Bytes != 64<<10 || !al.Comments || !other.Comments {
		t.Errorf("%+v, %+v, %+v", ed, al, other)
	}
	if c := mustParse(t, "wiki: {agents: {Ed: {runner: pi, context: {comments: true}}}}"); !c.ContextOf("Ed").Comments || c.ContextOf("Miner").Comments {
		t.Errorf("%+v", c.Agents)
	}
}

func TestWhatWaitsForAYes(t *testing.T) {
	c := mustParse(t, "wiki: {agents: {A: {runner: pi, writes: section}, B: {runner: pi, approve: false}, C: {runner: pi, approve: true}}}")
	for role, want := range map[string][2]bool{"A": {false, false}, "B": {false, true}, "C": {true, false}} {
		if got := [2]bool{c.MustApprove(role), c.WritesAtOnce(role)}; got != want {
			t.Errorf("%s: waits, or writes at once: %v, want %v", role, got, want)
		}
	}
	if c.Agents["A"].Writes != "section" || len(c.Warnings) > 0 {
		t.Errorf("%+v, %q", c.Agents["A"], c.Warnings)
	}
	if c = mustParse(t, "wiki: {approve: {by: all}, agents: {B: {runner: pi, approve: false}}}"); !c.MustApprove("B") {
		t.Error("of all roles the answers are to wait, and those of one do not")
	}
}

func TestWhatStaysHere(t *testing.T) {
	c := mustParse(t, "wiki: {private: [Journal/**, '**/Diary'], agents: {Ed: {runner: pi, local: true, private: true, contextTokens: 4096}}}")
	if a := c.Agents["Ed"]; !a.Local || !a.Private || a.ContextTokens != 4096 || len(c.Private) != 2 || len(c.Warnings) > 0 {
		t.Errorf("%+v, %q, %q", a, c.Private, c.Warnings)
	}
}

// A program may stand where its name does not find it.
func TestProgram(t *testing.T) {
	path := filepath.Join(t.TempDir(), "claude")
	for text, want := range map[string]string{
		"{runner: claude}":                                  "claude",
		"{runner: claude, command: [claude-next]}":          "claude-next",
		"{runner: claude, command: ['" + path + "']}":       path,
		"{runner: pi-subagents}":                            "pi",
		"{runner: pi-subagents, command: ['" + path + "']}": path,
		"{runner: command, command: [sh, -c, x]}":           "sh",
		"{runner: builtin}":                                 "",
	} {
		if got := mustParse(t, "wiki: {agents: {Ed: "+text+"}}").Agents["Ed"].Program(); got != want {
			t.Errorf("%s starts %q", text, got)
		}
	}
}
