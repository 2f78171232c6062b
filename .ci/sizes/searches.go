package main

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"vaultdispatcher/engine/recall"
)

// queries are how often each search is made, after a few that warm the caches.
const queries, warming = 60, 5

// pickWords returns a query.
func (b *bench) pickWords(n int) string {
	words := make([]string, n)
	for i := range words {
		words[i] = pickWord(b.random)
	}
	return strings.Join(words, " ")
}

// timeQueries returns how long each of some searches takes.
func (b *bench) timeQueries(list []string, search func(query string) error) (took []time.Duration) {
	for _, query := range list {
		begun := time.Now()
		check(search(query))
		took = append(took, time.Since(begun))
	}
	return took[warming:]
}

// measureQueries searches the index of an engine that has ended, in this process, and SQLite's full-text search for any of the same words.
func (b *bench) measureQueries(index, fts5 string) {
	root, err := filepath.EvalSymlinks(b.vault)
	check(err)
	ix, err := recall.Open(context.Background(), index, root, recall.Options{Peek: true})
	check(err)
	db, err := sql.Open("sqlite", fts5)
	check(err)
	for _, n := range []int{1, 3, 8} {
		var list []string
		for range warming + queries {
			list = append(list, b.pickWords(n))
		}
		found := 0
		ours := median(b.timeQueries(list, func(query string) error {
			passages, err := ix.Search(context.Background(), query, recall.SearchOptions{})
			found += len(passages)
			return err
		}))
		peer := median(b.timeQueries(list, func(query string) error { return searchFTS5(db, query) }))
		row(fmt.Sprintf("query in process, words: %d", n), "p50 %v, FTS5 %v: %.1f times as long; %.1f passages each", ours, peer,
			ours.Seconds()/peer.Seconds(), float64(found)/float64(len(list)))
	}
	check(errors.Join(ix.Close(), db.Close()))
}

func searchFTS5(db *sql.DB, query string) error {
	rows, err := db.Query("SELECT path, snippet(notes, 1, '', '', '…', 40) FROM notes WHERE notes MATCH ? ORDER BY bm25(notes) LIMIT 5", strings.Join(strings.Fields(query), " OR "))
	if err != nil {
		return err
	}
	for rows.Next() {
	}
	return errors.Join(rows.Err(), rows.Close())
}

// measureMCP searches as another agent does, beside the same searches by the engine's own interface.
func (b *bench) measureMCP(e *engine) {
	token, err := os.ReadFile(filepath.Join(filepath.Dir(b.journalFile()), "token"))
	check(err)
	var list []string
	for range warming + queries {
		list = append(list, b.pickWords(3))
	}
	call := func(method, path string, body []byte) error {
		req, err := http.NewRequest(method, strings.TrimSuffix(e.url, "/vault-mind/status")+path, bytes.NewReader(body))
		check(err)
		req.Header.Set("Authorization", "Bearer "+strings.TrimSpace(string(token)))
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "application/json, text/event-stream")
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		answer, err := io.ReadAll(resp.Body)
		if err == nil && (resp.StatusCode != http.StatusOK || bytes.Contains(answer, []byte(`"isError":true`)) || bytes.Contains(answer, []byte(`"error":`))) {
			err = fmt.Errorf("%s: %s %s", path, resp.Status, answer)
		}
		return err
	}
	before := e.cpu()
	tool := b.timeQueries(list, func(query string) error {
		body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": map[string]any{"name": "search", "arguments": map[string]any{"query": query}}})
		check(err)
		return call(http.MethodPost, "/mcp", body)
	})
	used := e.cpu() - before
	own := b.timeQueries(list, func(query string) error {
		return call(http.MethodGet, "/vault-mind/search?q="+url.QueryEscape(query), nil)
	})
	row("MCP search", "p50 %v, p95 %v, %.1f ms of CPU each; GET /vault-mind/search p50 %v", median(tool), p95(tool), float64(used.Milliseconds())/float64(len(list)), median(own))
}
