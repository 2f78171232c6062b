//go:build peers

package watchbench

import (
	"fmt"
	"strings"
	"time"
)

// table is what the bench prints: one row for each figure, with the watchers side
// by side and the aim beside them.
type table struct {
	columns []string
	rows    []row
	lost    []string // of ours; there must be none
}

type row struct {
	what  string
	cells map[string]string
	aim   string
}

func (t *table) addRow(what string, cells map[string]string, aims ...string) {
	t.rows = append(t.rows, row{what, cells, strings.Join(aims, "; ")})
}

// String is the table in Markdown.
func (t *table) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "| figure | %s | aim |\n", strings.Join(t.columns, " | "))
	fmt.Fprintf(&b, "|%s\n", strings.Repeat("---|", len(t.columns)+2))
	for _, r := range t.rows {
		fmt.Fprintf(&b, "| %s |", r.what)
		for _, c := range t.columns {
			fmt.Fprintf(&b, " %s |", r.cells[c])
		}
		fmt.Fprintf(&b, " %s |\n", r.aim)
	}
	return b.String()
}

// addLosses adds a row of lost saves. Ours may lose none.
func (t *table) addLosses(what string, of int, lost map[string]int) {
	cells, verdict := make(map[string]string), "PASS"
	for name, n := range lost {
		cells[name] = fmt.Sprintf("%d of %d", n, of)
		if n > 0 && isOurs(name) {
			t.lost = append(t.lost, fmt.Sprintf("%s: %s lost %d of %d", what, name, n, of))
			verdict = "FAIL"
		}
	}
	t.addRow(what, cells, "0 lost: "+verdict)
}

func formatMillis(d time.Duration) string {
	ms := float64(d.Microseconds()) / 1000
	switch {
	case ms < 10:
		return fmt.Sprintf("%.2f ms", ms)
	case ms < 10_000:
		return fmt.Sprintf("%.0f ms", ms)
	}
	return fmt.Sprintf("%.1f s", ms/1000)
}

func formatMegabytes(mb float64) string { return fmt.Sprintf("%.1f MB", mb) }

// formatEach formats a figure for every watcher that has it.
func formatEach[T any](figures map[string]T, format func(T) string) map[string]string {
	cells := make(map[string]string)
	for name, f := range figures {
		cells[name] = format(f)
	}
	return cells
}
