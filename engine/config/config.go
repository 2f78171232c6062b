// Package config is what a person may set: its types, its defaults, and the one
// way it is read. Two calls are enough for most: [Load] reads the file and the
// environment over the defaults, [Config.Agent] says who answers a role.
//
// # Where values come from
//
// The file is YAML with one block, `wiki`. A value in the environment wins over
// the file, the file over the default. Every single value has a variable: its
// key in capitals with underscores, so wiki.dispatch.concurrency is
// WIKI_DISPATCH_CONCURRENCY. WIKI_VAULTS is a list of paths, separated as in
// PATH. An empty variable counts as not set, and so does a key without a value.
//
// Keys are compared without regard to case, as everywhere in viper. Names that
// belong to the user (roles, vaults, environment variables of an agent) keep
// their spelling.
//
// # Promises
//
// Load never guesses. A value of the wrong type, out of range or without its
// unit is refused, each problem in one line that names the place, the key and
// the fix, and all problems of a file are told at once. A key nobody knows is
// no error but a warning, so that a file written for a newer version still
// works. Nothing is created or changed on disk, and a vault that is not there
// (an unplugged disk) is no error here.
package config

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"
)

// Config is the whole configuration, as plain values.
type Config struct {
	Vaults    []Vault          // watched folders of notes
	Exclude   []string         // globs of notes that are never scanned; see [Match]
	HTTPPort  int              // of the loopback server
	Debounce  time.Duration    // silence after the last save of a note before it is read
	Settle    time.Duration    // how long a marker's line must stay as it is; 0 = at once
	Context   Context          // lines an agent sees around a marker
	Dispatch  Dispatch         // how tasks run
	Watch     Watch            // how saves are noticed
	Limits    Limits           // where the engine stops and asks
	Untrusted []string         // globs of notes whose first markers are held
	Agents    map[string]Agent // by role, as spelled in the file; look up with [Config.Agent]
	History   History
	Enrich    Enrich
	Embedding Embedding
	Graph     Graph
	Index     Index
	Broadcast Broadcast
	Progress  string // "none", or "note": a running marker shows it in the note
	Notify    bool   // desktop notifications
	Owner     string // the one machine that answers when several share a vault; "" = this one

	File     string   // that was read, or would have been; watch it to reload
	Warnings []string // keys that mean nothing, one sentence each
}

// Vault is one watched folder.
type Vault struct {
	Name   string // unique without regard to case; the folder's name when the user gave none
	Path   string // absolute and clean, ~ expanded; may be missing on disk
	Watch  string // "auto", "fsnotify" or "poll"; "" = as [Watch].Mode, see [Config.WatchMode]
	Paused bool   // known but not watched
}

// Context counts the lines around a marker that go with it.
type Context struct{ Before, After int }

// Dispatch says how tasks run.
type Dispatch struct {
	Mode        string        // "tasks" = side by side, "chain" = a note's groups one after the other
	Concurrency int           // tasks at once, 1 to 3
	Timeout     time.Duration // of one task
}

// Watch says how saves are noticed.
type Watch struct {
	Mode         string        // "auto", "fsnotify" or "poll"
	PollInterval time.Duration // 0 = the watcher decides
}

// Limits are the sizes beyond which the engine holds a marker or cuts an
// answer off; 0 means no limit.
type Limits struct{ PerNote, PerHour, AnswerBytes int }

// Agent says who answers a role and how.
type Agent struct {
	Runner  string            // "builtin", "broadcast", "command" or a preset such as "claude"
	Command []string          // program and arguments; for the runners command and acp
	Answer  string            // where a command's answer is: "stdout", or a JSON path such as ".result"
	Model   string            // "" = the runner's own default
	Tools   string            // "none" or "read"
	Timeout time.Duration     // of one task
	Env     map[string]string // added to the agent's environment
	Session string            // of the agent program, to fork from
	URL     string            // of the model's server; for the runner openai
	KeyEnv  string            // the variable that holds the server's key; "" = none; in the file apiKeyEnv
	Plain   bool              // no related passages go with its tasks; in the file enrich: false
}

// History bounds the project history a fork may see.
type History struct{ Bytes int }

// Enrich says how many related passages of the vault go with a task.
type Enrich struct{ Passages int }

// Embedding names the model behind the vectors of the index, if there is one.
type Embedding struct {
	Provider    string        // "none", "ollama", "openai" or "static"
	Model       string        // its name at the server, or its folder
	URL         string        // of the server; "" = Ollama's usual one on this machine
	APIKeyEnv   string        // the environment variable that holds the key of the server; "" = no key
	Dim         int           // numbers of a vector; 0 = what the model gives
	QueryPrefix string        // put before a query; "" = as the model's makers say, "none" = nothing
	DocPrefix   string        // the same for a passage; {title} stands for its title
	Batch       int           // passages of one request
	Timeout     time.Duration // of one request
	Weight      float64       // of nearness in meaning, where that of words is 2
}

// Graph switches the link graph's part in the ranking.
type Graph struct{ Enabled bool }

// Index says which notes recall does not know.
type Index struct{ Exclude []string }

// Broadcast says where in a vault the Broadcaster puts what it makes.
type Broadcast struct{ Folder string }

// Default returns the configuration of a person who set nothing: no vaults,
// and a Miner that answers from the notes themselves.
func Default() Config {
	return Config{
		Exclude:   []string{"Templates/**"},
		HTTPPort:  11435,
		Debounce:  time.Second,
		Settle:    2500 * time.Millisecond,
		Context:   Context{Before: 30, After: 10},
		Dispatch:  Dispatch{Mode: "tasks", Concurrency: 3, Timeout: 10 * time.Minute},
		Watch:     Watch{Mode: "auto"},
		Limits:    Limits{PerNote: 50, AnswerBytes: 256 << 10},
		Untrusted: []string{"Clippings/**"},
		Agents: map[string]Agent{
			"Miner":       {Runner: "builtin"},
			"Broadcaster": {Runner: "broadcast"},
		},
		History:   History{Bytes: 32 << 10},
		Enrich:    Enrich{Passages: 5},
		Embedding: Embedding{Provider: "none", Batch: 32, Timeout: time.Minute, Weight: 1},
		Graph:     Graph{Enabled: true},
		Broadcast: Broadcast{Folder: "Agent/Presentations"},
		Progress:  "none",
		Notify:    true,
	}
}

// Agent returns who answers a role, compared without regard to case, or else
// the entry "*". Blanks are filled in: an agent always has a timeout, a place
// of its answer and a choice of tools. False means that nobody answers it.
func (c Config) Agent(role string) (Agent, bool) {
	a, ok := c.Agents["*"]
	for name, own := range c.Agents {
		if strings.EqualFold(name, role) {
			a, ok = own, true
		}
	}
	if !ok {
		return Agent{}, false
	}
	if a.Timeout == 0 {
		a.Timeout = c.Dispatch.Timeout
	}
	if a.Answer == "" {
		a.Answer = "stdout"
	}
	if a.Tools == "" {
		a.Tools = "none"
	}
	return a, true
}

// Roles returns the roles somebody answers, as spelled in the configuration,
// in alphabetical order; "*" is one of them when it is set.
func (c Config) Roles() []string {
	return slices.Sorted(maps.Keys(c.Agents))
}

// WatchMode returns how a vault's saves are noticed: its own choice, or else
// the general one.
func (c Config) WatchMode(v Vault) string {
	if v.Watch != "" {
		return v.Watch
	}
	return c.Watch.Mode
}

// Equal reports whether two configurations say the same. Where they were read
// and what was warned about does not count.
func (c Config) Equal(d Config) bool {
	c.File, d.File = "", ""
	c.Warnings, d.Warnings = nil, nil
	return reflect.DeepEqual(c, d)
}
