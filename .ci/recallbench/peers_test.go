//go:build recalleval

package recallbench

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/analysis/lang/en"
	_ "modernc.org/sqlite"

	"vaultdispatcher/engine/recall"
)

// ranker finds notes for a question, the best first, none twice.
type ranker struct {
	name  string
	find  func(q question, limit int) []string
	built time.Duration
	bytes int64 // on disk
}

// section is what the peers index: the text under one heading.
type section struct{ note, Title, Heading, Body string }

var headingLine = regexp.MustCompile(`(?m)^#{1,6} .*$`)

func (c *corpus) sections() []section {
	var out []section
	for _, rel := range c.order {
		text, head := c.notes[rel], ""
		title := strings.TrimSuffix(path.Base(rel), ".md")
		for {
			at := headingLine.FindStringIndex(text)
			end := len(text)
			if at != nil {
				end = at[0]
			}
			if strings.TrimSpace(text[:end])+head != "" {
				out = append(out, section{rel, title, head, text[:end]})
			}
			if at == nil {
				break
			}
			head, text = strings.TrimLeft(text[at[0]:at[1]], "# "), text[at[1]:]
		}
	}
	return out
}

// distinct keeps the first of each note.
func distinct(notes []string, q question, limit int) []string {
	var out []string
	seen := map[string]bool{q.from: true}
	for _, n := range notes {
		if !seen[n] && len(out) < limit {
			seen[n] = true
			out = append(out, n)
		}
	}
	return out
}

func ours(t testing.TB, name, dir string, c *corpus, opts recall.Options) (*recall.Index, ranker) {
	t.Helper()
	ctx := context.Background()
	file := filepath.Join(t.TempDir(), "index.db")
	ix, err := recall.Open(ctx, file, dir, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ix.Close() })
	start := time.Now()
	if err := ix.Sync(ctx, c.order, nil); err != nil {
		t.Fatal(err)
	}
	r := ranker{name: name, built: time.Since(start)}
	if info, err := os.Stat(file); err == nil {
		r.bytes = info.Size()
	}
	r.find = func(q question, limit int) []string {
		found, err := ix.Search(ctx, q.text, recall.SearchOptions{Limit: limit, Nearby: true})
		if err != nil {
			t.Fatal(err)
		}
		var notes []string
		for _, p := range found {
			notes = append(notes, p.Note)
		}
		return distinct(notes, q, limit)
	}
	return ix, r
}

// plainFTS5 is SQLite's full-text search as it comes: porter stemmer, one row a
// section. mode is how the words of a question are joined.
func plainFTS5(t testing.TB, list []section) []ranker {
	t.Helper()
	file := filepath.Join(t.TempDir(), "plain.db")
	db, err := sql.Open("sqlite", "file:"+file+"?_pragma=journal_mode(WAL)")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	start := time.Now()
	if _, err := db.Exec(`CREATE VIRTUAL TABLE f USING fts5(note UNINDEXED, title, heading, body, tokenize='porter unicode61')`); err != nil {
		t.Fatal(err)
	}
	tx, err := db.Begin()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range list {
		if _, err := tx.Exec("INSERT INTO f VALUES(?,?,?,?)", s.note, s.Title, s.Heading, s.Body); err != nil {
			t.Fatal(err)
		}
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	built := time.Since(start)
	var size int64
	if info, err := os.Stat(file); err == nil {
		size = info.Size()
	}
	stop := make(map[string]bool)
	for line := range strings.Lines(string(en.EnglishStopWords)) {
		word, _, _ := strings.Cut(line, "|")
		stop[strings.TrimSpace(word)] = true
	}
	variant := func(name, join string, skip bool) ranker {
		return ranker{name: name, built: built, bytes: size, find: func(q question, limit int) []string {
			expr := ftsQuery(q.text, join, skip, stop)
			if expr == "" {
				return nil
			}
			rows, err := db.Query("SELECT note FROM f WHERE f MATCH ? ORDER BY bm25(f, 0, 3, 2, 1) LIMIT ?", expr, 4*limit)
			if err != nil {
				t.Fatal(err)
			}
			defer rows.Close()
			var notes []string
			for rows.Next() {
				var n string
				if err := rows.Scan(&n); err != nil {
					t.Fatal(err)
				}
				notes = append(notes, n)
			}
			return distinct(notes, q, limit)
		}}
	}
	return []ranker{
		variant("FTS5 AND", " AND ", false), variant("FTS5 OR", " OR ", false),
		variant("FTS5 OR, no stop words", " OR ", true),
	}
}

var words = regexp.MustCompile(`[\pL\pN]+`)

func ftsQuery(text, join string, skip bool, stop map[string]bool) string {
	var out []string
	for _, w := range words.FindAllString(strings.ToLower(text), -1) {
		if !skip || !stop[w] && len(w) > 1 {
			out = append(out, `"`+w+`"`)
		}
	}
	return strings.Join(out, join)
}

func bleveIndex(t testing.TB, list []section) ranker {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "bleve")
	mapping := bleve.NewIndexMapping()
	mapping.DefaultAnalyzer = en.AnalyzerName
	start := time.Now()
	ix, err := bleve.New(dir, mapping)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ix.Close() })
	batch := ix.NewBatch()
	for i, s := range list {
		if err := batch.Index(strconv.Itoa(i), s); err != nil {
			t.Fatal(err)
		}
		if batch.Size() == 1000 || i == len(list)-1 {
			if err := ix.Batch(batch); err != nil {
				t.Fatal(err)
			}
			batch = ix.NewBatch()
		}
	}
	r := ranker{name: "bleve 2.6.1, match", built: time.Since(start), bytes: sizeOf(dir)}
	r.find = func(q question, limit int) []string {
		disjunction := bleve.NewDisjunctionQuery()
		for field, boost := range map[string]float64{"Title": 3, "Heading": 2, "Body": 1} {
			m := bleve.NewMatchQuery(q.text)
			m.SetField(field)
			m.SetBoost(boost)
			disjunction.AddQuery(m)
		}
		res, err := ix.Search(bleve.NewSearchRequestOptions(disjunction, 4*limit, 0, false))
		if err != nil {
			t.Fatal(err)
		}
		var notes []string
		for _, h := range res.Hits {
			i, _ := strconv.Atoi(h.ID)
			notes = append(notes, list[i].note)
		}
		return distinct(notes, q, limit)
	}
	return r
}

func sizeOf(dir string) (n int64) {
	_ = filepath.WalkDir(dir, func(_ string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			if info, err := d.Info(); err == nil {
				n += info.Size()
			}
		}
		return nil
	})
	return n
}

// residentMB is the memory of this process, and its peak.
func residentMB() (now, peak float64) {
	text, _ := os.ReadFile("/proc/self/status")
	scan := bufio.NewScanner(bytes.NewReader(text))
	for scan.Scan() {
		f := strings.Fields(scan.Text())
		if len(f) > 1 && (f[0] == "VmRSS:" || f[0] == "VmHWM:") {
			kb, _ := strconv.ParseFloat(f[1], 64)
			if f[0] == "VmRSS:" {
				now = kb / 1024
			} else {
				peak = kb / 1024
			}
		}
	}
	return now, peak
}
