package engine

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"vaultdispatcher/engine/untaken"
)

// Second versions and what lies in bins are no notes: nothing is asked in them, and no search finds them. Those that need
// their original are told with their mend, are asked when a person asks, and are notes when the original is gone.
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
	if _, err := r.Scan(t.Context(), r.Roots()[0], never[0], true); err == nil {
		t.Error("a scan takes a second version for a note")
	}
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
