package engine

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/untaken"
	"vaultdispatcher/engine/vault"
)

// Second versions and what lies in bins are no notes: nothing is asked in them unless a person asks for one by its name, and no search finds them. Those that need
// their original are told with their mend, and are notes when the original is gone.
func TestSecondVersions(t *testing.T) {
	t.Parallel()
	runner := &echoes{}
	dir := t.TempDir()
	r := &running{t: t, vault: filepath.Join(dir, "vault")}
	put := func(rel, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(filepath.Join(r.vault, rel)), 0o700); err != nil {
			t.Fatal(err)
		}
		r.save(rel, text)
	}
	old := func(i int) string { return fmt.Sprintf("zebra number%d\n\n", i) + question(i) } // of another time
	never := []string{
		"Plan (In Konflikt stehende Kopie von PC 2024-01-01).md", "Plan-host-safeBackup-0001.md", "Plan (# Edit conflict 2026-08-25 abcC #).md",
		"Plan.conflicted.1689867793000.md", "Plan (SFConflict a@example.org 2024-03-12-10-15-30).md",
		"#recycle/Plan.md", "@Recycle/Plan.md", "$RECYCLE.BIN/S-1-5-21/Plan.md", "#snapshot/GMT-2024/Plan.md",
		"graph/logseq/bak/pages/Plan/2024.Desktop.md", "graph/logseq/version-files/incoming/pages/Plan.md",
	}
	told := []string{"Plan-DESKTOP-7F3K2QX.md", "Plan.dup.md", "Plan.Conflict.md", "Plan_REMOTE_1234.md", "Plan (conflicting copy 1).md"}
	put("graph/pages/x.md", "a page\n")
	put("Plan.md", "zebra\n\n"+question(0))
	for i, rel := range slices.Concat(never, told) {
		put(rel, old(1+i))
	}
	put("logseq/bak/mine.md", old(50)) // there is no graph beside it
	*r = *startEngine(t, dir, runner)
	r.until("Plan.md", answer(0))
	r.until("logseq/bak/mine.md", answer(50))
	for _, rel := range told {
		if row := r.untilTold(rel); row.Kind != string(untaken.Copy) || !strings.Contains(row.Reason, "a second version of Plan.md") || !strings.Contains(row.Reason, "under another name") {
			t.Errorf("%s: told %s, %q", rel, row.Kind, row.Reason)
		}
	}
	finds := func() (list []string) {
		t.Helper()
		hits, err := r.Search(t.Context(), "zebra", 50)
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range hits.Hits {
			list = append(list, h.Note)
		}
		slices.Sort(list)
		return slices.Compact(list)
	}
	for ; !slices.Equal(finds(), []string{"Plan.md", "logseq/bak/mine.md"}); r.pause() {
	}
	if n := runner.runs.Load(); n != 2 {
		t.Errorf("%d runs", n)
	}
	for _, rel := range never {
		if _, err := r.Scan(t.Context(), r.Roots()[0], rel, false); err == nil {
			t.Errorf("a scan that is no act of a person takes %s for a note", rel)
		}
	}
	for i, rel := range never {
		_, err := r.Scan(t.Context(), r.Roots()[0], rel, true)
		if isBin := strings.Contains(rel, "/"); isBin == (err == nil) {
			t.Errorf("%s: %v", rel, err)
		} else if !isBin {
			r.until(rel, answer(1+i))
		}
	}
	r.rest()
	r.save(never[0], "another text\n\n"+question(60))
	if _, err := r.vaults[0].AwaitDisk().Look(t.Context(), vault.Save{Rel: never[0], Time: time.Now().Add(-time.Hour), Trigger: "reconcile"}); err != nil {
		t.Error(err) // nobody asked for this look
	}
	if n := r.waiting(); n > 0 {
		t.Errorf("%d questions were asked by themselves", n)
	}
	r.save(never[2], "@agent-Miner: what was that?\n")
	if found, err := r.Scan(t.Context(), r.Roots()[0], never[2], true); err != nil || len(found.Misses) != 1 {
		t.Errorf("%+v, %v", found, err)
	}
	for _, rel := range never {
		if rows := r.untaken.Of(r.vaults[0].Root, rel); len(rows) > 0 {
			t.Errorf("%s is not looked at by itself, and stays told: %+v", rel, rows)
		}
	}
	if _, err := r.Ask(t.Context(), r.Roots()[0], api.AskRequest{Question: "question 61?", Role: "Miner", File: never[1], Append: true}); err != nil {
		t.Error(err)
	}
	r.until(never[1], "answer to question 61?")
	if _, err := r.Scan(t.Context(), r.Roots()[0], told[0], true); err != nil {
		t.Error(err)
	}
	r.until(told[0], "answer to question")
	r.rest()
	r.do("rm", "Plan.md")
	for _, rel := range told {
		r.until(rel, "answer to question")
	}
	awaitFound := func(want ...string) {
		t.Helper()
		for n := 0; !slices.Equal(finds(), want); r.pause() {
			if n++; n > 400 {
				t.Fatalf("found %q, want %q", finds(), want)
			}
		}
	}
	awaitFound(append(slices.Sorted(slices.Values(told)), "logseq/bak/mine.md")...)
	r.save("Plan.md", "zebra\n")
	awaitFound("Plan.md", "logseq/bak/mine.md")
}
