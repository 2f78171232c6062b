// Package vaultmind answers the calls of the Obsidian plugin "Vault Mind", which speaks to
// another program that answers notes. [Routes] are for [server.Server.UseCalls]; the plugin's
// scan and dispatch are the server's own.
//
// The plugin's own client shows the content of each call
// (https://github.com/kylebrodeur/obsidian-vault-mind/blob/65dac94/main.js#L3191). Its job is our dispatch, and its
// collection is our vault.
package vaultmind

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"strconv"
	"strings"
	"sync"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/server"
)

// calls is what the routes share.
type calls struct {
	backend api.Backend
	state   *server.Server
	toggle  sync.Mutex // held while the watcher is asked for and switched
}

// Routes are the calls of the plugin. All need the token.
func Routes(backend api.Backend, state *server.Server) []server.Route {
	c := &calls{backend: backend, state: state}
	call := func(method, path string, handle func(server.Call) (any, error)) server.Route {
		return server.Route{Method: method, Path: path, Token: true, Handle: handle}
	}
	return []server.Route{
		call("GET", "/vm/status", c.readStatus),
		call("POST", "/vm/watcher/toggle", c.toggleWatcher),
		call("GET", "/agent/queue", c.listJobs),
		call("POST", "/agent/jobs/{id}/retry", onOne(backend.Retry)),
		call("POST", "/agent/jobs/{id}/cancel", onOne(backend.Cancel)),
		call("POST", "/vm/search", c.search(func(hits Hits) any { return hits })),
		call("POST", "/vm/fts-search", c.search(func(hits Hits) any { return map[string]Hits{"hits": hits} })),
		call("POST", "/vm/graph", c.search(func(hits Hits) any { return map[string]Hits{"results": hits} })),
		call("GET", "/vm/pending", c.listPending),
		call("GET", "/vm/stats", c.listCollections),
		call("POST", "/vm/setup", acceptAnything),
		{Method: "POST", Path: "/vault-mind/context", Token: true, Unread: true, Handle: acceptAnything}, // a selection may be a whole note
	}
}

// Status is the answer of GET /vm/status.
type Status struct {
	Version   string    `json:"version"`
	Watcher   bool      `json:"watcher"`
	Embedding Embedding `json:"embedding"`
	Server    Server    `json:"server"`
}

// Embedding is by what passages are found that say the same in other words.
type Embedding struct {
	Model string `json:"model"`
	Dim   int    `json:"dim"`
}

// Server is where the engine answers.
type Server struct {
	Running bool `json:"running"`
	Port    int  `json:"port"`
}

func (c *calls) readStatus(call server.Call) (any, error) {
	st, err := c.state.State(call.Request.Context())
	if err != nil {
		return nil, err
	}
	port, err := strconv.Atoi(call.Port)
	if err != nil {
		return nil, fmt.Errorf("read our own port: %w", err)
	}
	of := st.Index.Embedding
	return Status{
		Version: st.Version, Watcher: st.Watcher.Running,
		Embedding: Embedding{Model: cmp.Or(of.Model, of.Provider, "none"), Dim: of.Dim},
		Server:    Server{Running: st.Running, Port: port},
	}, nil
}

// Watching is the answer of POST /vm/watcher/toggle.
type Watching struct {
	Watcher bool `json:"watcher"`
}

func (c *calls) toggleWatcher(call server.Call) (any, error) {
	c.toggle.Lock()
	defer c.toggle.Unlock()
	st, err := c.state.State(call.Request.Context())
	if err != nil {
		return nil, err
	}
	w, err := c.backend.SetWatcher(call.Request.Context(), api.WatcherRequest{Running: !st.Watcher.Running})
	return Watching{w.Running}, err
}

// Hits is what a search has found.
type Hits struct {
	Hits []Hit `json:"hits"`
}

// Hit is one passage. The plugin makes a link of its source, and a line of its fact.
type Hit struct {
	Source  string `json:"source"`
	Fact    string `json:"fact"`
	Title   string `json:"title"`
	Path    string `json:"path"`
	Snippet string `json:"snippet"`
}

const (
	maxFact = 300 // characters of a passage that a line shows
	maxHits = 100
)

// search answers a query, or the name of an entity, in the form that its call has. A collection
// that is no vault of ours, such as the plugin's own "main", means all of them.
func (c *calls) search(form func(Hits) any) func(server.Call) (any, error) {
	return func(call server.Call) (any, error) {
		var req struct {
			Collection, Query, Entity string
			Limit                     int
		}
		if err := call.DecodeJSON(&req); err != nil {
			return nil, err
		}
		query := strings.TrimSpace(cmp.Or(req.Query, req.Entity))
		if query == "" {
			return nil, &api.Invalid{Reason: "Say what to search for.", Field: "query"}
		}
		vault, limit := c.vaultNamed(req.Collection), min(max(1, cmp.Or(req.Limit, 10)), maxHits)
		most := limit
		if vault != "" { // the better passages may be those of other vaults
			most = maxHits
		}
		list, err := c.backend.Search(call.Request.Context(), query, most)
		if err != nil {
			return nil, err
		}
		return form(hitsOf(list.Hits, vault, limit)), nil
	}
}

// vaultNamed returns the name if it is that of a vault.
func (c *calls) vaultNamed(name string) string {
	for _, root := range c.backend.Roots() {
		if root.Name == name {
			return name
		}
	}
	return ""
}

// hitsOf are the passages of a vault, or of all, as many at most as the limit says.
func hitsOf(list []api.Hit, vault string, limit int) Hits {
	found := Hits{Hits: []Hit{}}
	for _, h := range list {
		if vault != "" && h.Vault != vault || len(found.Hits) == limit {
			continue
		}
		line := []rune(strings.Join(strings.Fields(h.Text), " "))
		if len(line) > maxFact {
			line = append(line[:maxFact-1], '…')
		}
		source := strings.TrimSuffix(h.Note, path.Ext(h.Note))
		found.Hits = append(found.Hits, Hit{Source: source, Fact: string(line), Title: path.Base(source), Path: h.Note, Snippet: h.Text})
	}
	return found
}

// Collections is the answer of GET /vm/stats.
type Collections struct {
	Collections []Collection `json:"collections"`
}

// Collection is a vault. Its size in bytes is not known, and none of its entries is malformed.
type Collection struct {
	Name      string   `json:"name"`
	Path      string   `json:"path"`
	Count     int      `json:"count"`
	Size      int      `json:"size"`
	Malformed int      `json:"malformed"`
	Schema    []string `json:"schema"`
}

func (c *calls) listCollections(call server.Call) (any, error) {
	st, err := c.state.State(call.Request.Context())
	if err != nil {
		return nil, err
	}
	all := Collections{Collections: []Collection{}}
	for _, v := range st.Vaults {
		all.Collections = append(all.Collections, Collection{Name: v.Name, Path: v.Path, Count: v.Notes,
			Schema: []string{"source", "fact", "title", "path", "snippet"}})
	}
	return all, nil
}

// listPending answers with nothing: what waits for a person is a job here.
func (c *calls) listPending(server.Call) (any, error) {
	return map[string][]string{"pending": {}}, nil
}

// acceptAnything takes what the plugin tells and we have no use for: where the cursor is, which
// comes with each of its moves, and folders of the other program.
func acceptAnything(server.Call) (any, error) { return api.Done{OK: true}, nil }

// onOne answers a call on one dispatch with the job it is then.
func onOne(act func(context.Context, string) (api.Dispatch, error)) func(server.Call) (any, error) {
	return func(call server.Call) (any, error) {
		d, err := act(call.Request.Context(), call.ID)
		return jobOf(d), err
	}
}

// Job is a dispatch as the plugin knows it.
type Job struct {
	ID           string     `json:"id"`
	Role         string     `json:"role"`
	Status       string     `json:"status"` // pending, running, done, failed or cancelled
	Attempts     int        `json:"attempts"`
	FilePath     string     `json:"filePath"`
	Instruction  string     `json:"instruction"`
	LastError    string     `json:"lastError,omitempty"`
	CreatedAt    time.Time  `json:"createdAt"`
	DispatchedAt *time.Time `json:"dispatchedAt,omitempty"`
	CompletedAt  *time.Time `json:"completedAt,omitempty"`
}

func jobOf(d api.Dispatch) Job {
	return Job{
		ID: d.ID, Role: d.Role, Status: jobStatus(d.Status), Attempts: d.Attempts, FilePath: d.File, Instruction: d.Instruction,
		LastError: d.Error, CreatedAt: d.CreatedAt, DispatchedAt: d.StartedAt, CompletedAt: d.FinishedAt,
	}
}
