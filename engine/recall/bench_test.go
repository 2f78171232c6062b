package recall

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// bigVault writes a vault of n notes with words as unequally common as those of
// a language, and returns their paths and the words, the commonest first.
func bigVault(tb testing.TB, dir string, n int) (rels, words []string) {
	tb.Helper()
	r := rand.New(rand.NewPCG(2026, uint64(n)))
	words = inventWords(r, 30000)
	r.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
	zipf := rand.NewZipf(r, 1.07, 3, uint64(len(words)-1))
	some := func(n int) string {
		var b strings.Builder
		for range n {
			b.WriteString(words[zipf.Uint64()])
			b.WriteByte(' ')
		}
		return b.String()
	}
	old := time.Now().Add(-24 * time.Hour)
	for i := range n {
		var b strings.Builder
		fmt.Fprintf(&b, "---\ntags: [%s]\n---\n# %s\n", words[r.IntN(300)], some(3))
		for range 1 + r.IntN(8) {
			fmt.Fprintf(&b, "\n## %s\n\n%s.\n\n- %s\n- [[Note %d]] %s\n", some(3), some(20+r.IntN(70)), some(8), r.IntN(n), some(8))
		}
		rel := fmt.Sprintf("folder%d/Note %d.md", i%97, i)
		writeNote(tb, dir, rel, b.String())
		if err := os.Chtimes(filepath.Join(dir, rel), old, old); err != nil {
			tb.Fatal(err)
		}
		rels = append(rels, rel)
	}
	return rels, words
}

// rawFTS5 is SQLite's full-text search as it comes, one row a section, as the peer of
// a query of any word.
func rawFTS5(b *testing.B, dir string, rels []string) func(q string) error {
	db, err := sql.Open("sqlite", "file:"+filepath.Join(b.TempDir(), "raw.db")+"?_pragma=journal_mode(WAL)")
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { db.Close() })
	db.SetMaxOpenConns(1)
	run := func(query string, args ...any) {
		if _, err := db.Exec(query, args...); err != nil {
			b.Fatal(err)
		}
	}
	start := time.Now()
	run("CREATE VIRTUAL TABLE f USING fts5(note, body, tokenize='porter unicode61')")
	run("BEGIN")
	for _, rel := range rels {
		text, err := os.ReadFile(filepath.Join(dir, rel))
		if err != nil {
			b.Fatal(err)
		}
		for part := range strings.SplitSeq(string(text), "\n## ") {
			run("INSERT INTO f VALUES(?,?)", rel, part)
		}
	}
	run("COMMIT")
	b.Logf("raw FTS5 made in %s", time.Since(start))
	return func(q string) error {
		rows, err := db.Query("SELECT note, snippet(f, 1, '', '', '…', 40) FROM f WHERE f MATCH ? ORDER BY bm25(f) LIMIT 5", strings.Join(strings.Fields(q), " OR "))
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
		}
		return rows.Err()
	}
}

// inventWords makes words out of syllables.
func inventWords(r *rand.Rand, n int) []string {
	words := make([]string, n)
	for i := range words {
		for range 2 + r.IntN(3) {
			words[i] += string("bcdfghjklmnprstvwz"[r.IntN(18)]) + string("aeiou"[r.IntN(5)])
		}
	}
	return words
}

// BenchmarkBigVault measures an index of 10,000 notes: the first reading, the
// walk after a restart, a query, and the update of one note. Memory is what the
// kernel says of the whole process, the vault's generator included.
//
//	go test -run '^$' -bench BigVault ./engine/recall
func BenchmarkBigVault(b *testing.B) {
	dir, db := b.TempDir(), filepath.Join(b.TempDir(), "index.db")
	rels, words := bigVault(b, dir, 10000)
	ctx := context.Background()
	ix := reopen(b, db, dir)
	var size int64
	for _, rel := range rels {
		info, err := os.Stat(filepath.Join(dir, rel))
		if err != nil {
			b.Fatal(err)
		}
		size += info.Size()
	}
	start := time.Now()
	if err := ix.Sync(ctx, rels, nil); err != nil {
		b.Fatal(err)
	}
	first := time.Since(start)
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			_ = ix.State()
		}
		info, _ := os.Stat(db)
		b.ReportMetric(first.Seconds(), "s/sync")
		b.ReportMetric(float64(ix.State().Chunks), "chunks")
		b.ReportMetric(float64(info.Size())/1e6, "MB-file")
		var free int64
		if err := ix.reads.QueryRow("PRAGMA freelist_count").Scan(&free); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(free*4096)/1e6, "MB-free")
		b.ReportMetric(float64(size)/1e6, "MB-vault")
	})
	b.Run("restart", func(b *testing.B) {
		for b.Loop() {
			if err := ix.Sync(ctx, rels, nil); err != nil {
				b.Fatal(err)
			}
		}
	})
	raw := rawFTS5(b, dir, rels)
	for _, n := range []int{1, 3, 8} {
		for _, who := range []struct {
			name string
			find func(q string) error
		}{
			{"query", func(q string) error { _, err := ix.Search(ctx, q, SearchOptions{}); return err }},
			{"FTS5", raw},
		} {
			b.Run(fmt.Sprintf("%s of %d", who.name, n), func(b *testing.B) {
				r := rand.New(rand.NewPCG(5, 5))
				timed(b, func() {
					var q []string
					for range n { // as many common words as rare ones
						q = append(q, words[int(math.Pow(3000, r.Float64()))-1])
					}
					if err := who.find(strings.Join(q, " ")); err != nil {
						b.Fatal(err)
					}
				})
			})
		}
	}
	b.Run("update", func(b *testing.B) {
		n := 0
		timed(b, func() {
			n++
			b.StopTimer()
			writeNote(b, dir, rels[n%len(rels)], fmt.Sprintf("# Changed\nedition %d of this note with %s\n", n, strings.Join(words[n%1000:n%1000+100], " ")))
			b.StartTimer()
			if err := ix.Update(ctx, rels[n%len(rels)]); err != nil {
				b.Fatal(err)
			}
		})
	})
	b.Run("question", func(b *testing.B) {
		n := 0
		timed(b, func() {
			n++
			rel := rels[n/2%50] // one save asks, the next has the answer
			b.StopTimer()
			src, err := os.ReadFile(filepath.Join(dir, rel))
			if err != nil {
				b.Fatal(err)
			}
			text, _, _ := strings.Cut(string(src), "\n\n> @agent")
			if n%2 == 0 {
				text += fmt.Sprintf("\n\n> @agent-Miner question %d\n", n)
			}
			writeNote(b, dir, rel, text)
			b.StartTimer()
			if err := ix.Update(ctx, rel); err != nil {
				b.Fatal(err)
			}
		})
	})
	b.Run("related", func(b *testing.B) {
		r := rand.New(rand.NewPCG(6, 6))
		timed(b, func() {
			var text []string
			for range 60 {
				text = append(text, words[int(math.Pow(3000, r.Float64()))-1])
			}
			if _, err := ix.Related(ctx, rels[r.IntN(len(rels))], strings.Join(text, " "), RelatedOptions{}); err != nil {
				b.Fatal(err)
			}
		})
	})
	b.Run("memory", func(b *testing.B) {
		for b.Loop() {
			_ = ix.State()
		}
		rels, words = nil, nil
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		b.ReportMetric(float64(m.HeapAlloc)/1e6, "MB-heap")
		b.ReportMetric(statusMB("VmRSS:"), "MB-rss")
		b.ReportMetric(statusMB("VmHWM:"), "MB-peak")
	})
}

// timed runs one call per iteration and reports the median and the 95th
// percentile.
func timed(b *testing.B, call func()) {
	var took []time.Duration
	for b.Loop() {
		start := time.Now()
		call()
		took = append(took, time.Since(start))
	}
	slices.Sort(took)
	b.ReportMetric(took[len(took)/2].Seconds()*1e3, "ms/p50")
	b.ReportMetric(took[len(took)*95/100].Seconds()*1e3, "ms/p95")
}

// statusMB reads a line of /proc/self/status; 0 where there is none.
func statusMB(key string) float64 {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(line); len(f) > 1 && f[0] == key {
			kb, _ := strconv.ParseFloat(f[1], 64)
			return kb / 1024
		}
	}
	return 0
}
