// Package config holds the settings: their types, their defaults, and the one way to
// read them. Most callers need two calls: [Load] reads the file and the environment
// over the defaults, [Config.Agent] returns the agent of a role.
//
// # Where values come from
//
// The file is YAML with one block, `wiki`. A value in the environment wins over
// the file, the file over the default. Every single value has a variable: its
// key in capitals with underscores, so wiki.dispatch.concurrency is
// WIKI_DISPATCH_CONCURRENCY. WIKI_VAULTS is a list of paths, separated as in
// PATH. An empty variable counts as unset, and so does a key without a value.
//
// Keys are compared without regard to case. Names that the user chooses (roles, vaults,
// environment variables of an agent) keep their spelling.
//
// # Promises
//
// Load never guesses. It refuses a value of the wrong type, out of range or without
// its unit. It reports all problems of a file at once, each in one line that names
// the place, the key and the fix. An unknown key is a warning and not an error, so
// that a file written for a newer version still works. Load changes nothing on disk
// and does not look at the vaults: a missing one (an unplugged disk) is no error.
package config

import (
	"cmp"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"vaultdispatcher/engine/config/glob"
)

// Config is the whole configuration as plain values.
type Config struct {
	Vaults    []Vault          // watched folders of notes
	Exclude   []string         // globs of notes that are never scanned; see [glob.Match]
	HTTPPort  int              // of the loopback server
	Debounce  time.Duration    // silence after the last save of a note before it is read
	Settle    time.Duration    // how long a marker's line must be unchanged; 0 = at once
	Context   Context          // lines an agent sees around a marker
	Dispatch  Dispatch         // how tasks run
	Watch     Watch            // how saves are noticed
	Limits    Limits           // where the engine stops and asks
	Untrusted []string         // globs of notes whose first markers are held
	Private   []string         // globs of notes that are told to no program that leaves the machine
	Agents    map[string]Agent // by role, as spelled in the file; look up with [Config.Agent]
	History   History
	Approve   struct {
		Rule   string // "roles": each by its own key, or "all"
		InNote bool   // a line in the note decides too
	}
	Enrich    struct{ Passages int } // related passages of the vault that a task gets
	Embedding Embedding
	Graph     struct{ Enabled bool }     // the link graph's part in the ranking
	Index     struct{ Exclude []string } // notes that recall leaves out
	Broadcast Broadcast
	Progress  string                                       // "none", or "note": a running marker shows it in the note
	Notify    bool                                         // desktop notifications
	Queue     struct{ URL, Credentials, Name, Hub string } // where workers are asked, empty = the hub of this user on this machine; Hub: where that listens
	Webhook   Webhook                                      // the address for news about questions
	Schedule  []Scheduled                                  // questions that come again
	Owner     string                                       // the one machine that answers when several share a vault; "" = this one
	Metrics   string                                       // the readers of GET /metrics: "token", or "open" for every program of this machine

	File     string   // the file that was read, or its place when it is missing; watch it to reload
	Warnings []string // one sentence for each unknown key
}

// Vault is one watched folder.
type Vault struct {
	Name   string // unique without regard to case; the folder's name when the user gave none
	Path   string // absolute and clean, ~ expanded; may be missing on disk
	Watch  string // "auto", "fsnotify" or "poll"; "" = as [Watch].Mode, see [Config.WatchMode]
	Paused bool   // known but not watched
}

// Context is what an agent sees around a marker.
type Context struct {
	LinesAbove, LinesBelow int  // lines
	Bytes                  int  // of one window of them at most; 0 = no bound
	Comments               bool // comments go with it
}

// Dispatch configures how tasks run.
type Dispatch struct {
	Mode        string        // "tasks" = side by side, "chain" = a note's groups one after the other
	Concurrency int           // tasks at once, 1 to 3
	Timeout     time.Duration // of one task
}

// Watch configures how saves are noticed.
type Watch struct {
	Mode         string        // "auto", "fsnotify" or "poll"
	PollInterval time.Duration // 0 = the watcher decides
}

// Limits are the sizes beyond which the engine holds a marker or truncates an
// answer; 0 means no limit.
type Limits struct {
	PerNote         int // markers
	PerHour, PerDay int // starts of agents that cost, see [Agent.Costs]
	Burst           int // markers that come at once with notes that no person typed here
	AnswerBytes     int
	Budget          // of all agents that cost together
}

// Agent configures how a role is answered.
type Agent struct {
	Runner        string            // "builtin", "broadcast", "command" or a preset such as "claude"
	Command       []string          // program and arguments, for the runners command and acp; where the program is, for those that know it
	Answer        string            // where a command's answer is: "stdout", or a JSON path such as ".result"
	Model         string            // "" = the runner's own default
	Tools         string            // "none" or "read"
	Timeout       time.Duration     // of one task
	Env           map[string]string // added to the agent's environment
	Session       string            // of the agent program, to fork from
	URL           string            // of the model's server; for the runner openai
	KeyEnv        string            // the variable that holds the server's key; "" = none; in the file apiKeyEnv
	Trust         bool              // its program may run where nothing is known to confine it
	Plain         bool              // its tasks get no related passages; in the file enrich: false
	Free          bool              // its answers cost no money; in the file costs: false
	Author        string            // whose agent writes for the runner broadcast; "" = that of "*", "none" = no agent; in the file agent
	Comments      *bool             // comments of the note go with its questions; nil = as [Config].Context; in the file context: {comments: true}
	History       *History          // history for its forks; nil = as [Config].History
	Approve       *bool             // its answers wait for a person's yes; nil = where they take the place of parts of notes
	Writes        string            // "answer" or "section"; "" = as its definition says
	Local         bool              // its prompts do not leave this machine, whatever its runner
	Private       bool              // its questions and answers are told to no program that leaves the machine
	Label         string            // whom the runner worker asks: every machine with it; "" = those that answer the role
	Price         Price             // of its model, where its program does not tell what it costs
	Limits        Budget            // of the role alone
	ContextTokens int               // how much its model reads at once; 0 = as its server says
}

// The scopes of a history.
const (
	HistoryNone   = "none"
	HistoryThread = "thread" // earlier questions to the same role and TaskID
	HistoryNote   = "note"   // earlier questions in the same note
	HistoryVault  = "vault"  // both, then questions with common words
)

// History bounds the project history a fork may see.
type History struct {
	Scope string
	Bytes int
}

// Embedding configures the model that makes the vectors of the index, if any.
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

// Broadcast names the folder of a vault for the Broadcaster's files, and in the block speech what reads aloud.
type Broadcast struct {
	Folder                        string
	Engine, URL, Model, APIKeyEnv string
	Command, Voices               []string
}

// IsUnindexed reports whether recall leaves a note out: as the file says, or as the Broadcaster's own.
func (c Config) IsUnindexed(rel string) bool {
	return glob.Match(c.Index.Exclude, rel) || strings.HasPrefix(rel, c.Broadcast.Folder+"/")
}

// Default returns the configuration without any setting: no vaults, and a Miner that
// answers from the notes themselves.
func Default() Config {
	return Config{
		Exclude:   []string{"Templates/**"},
		HTTPPort:  11435,
		Debounce:  time.Second,
		Settle:    2500 * time.Millisecond,
		Context:   Context{LinesAbove: 30, LinesBelow: 10, Bytes: 64 << 10},
		Dispatch:  Dispatch{Mode: "tasks", Concurrency: 3, Timeout: 10 * time.Minute},
		Watch:     Watch{Mode: "auto"},
		Limits:    Limits{PerNote: 50, PerHour: 60, PerDay: 300, Burst: 10, AnswerBytes: 256 << 10},
		Untrusted: []string{"**/Clippings/**"},
		Agents: map[string]Agent{
			"Miner":       {Runner: "builtin"},
			"Broadcaster": {Runner: "broadcast"},
		},
		History:   History{Scope: HistoryVault, Bytes: 8 << 10},
		Enrich:    struct{ Passages int }{5},
		Embedding: Embedding{Provider: "none", Batch: 32, Timeout: time.Minute, Weight: 1},
		Graph:     struct{ Enabled bool }{true},
		Broadcast: Broadcast{Folder: "Agent/Presentations", Engine: "auto"},
		Progress:  "none",
		Approve: struct {
			Rule   string
			InNote bool
		}{Rule: "roles"},
		Notify:  true,
		Webhook: Webhook{Format: "ntfy", Text: "title"},
		Metrics: "token",
	}
}

// Agent returns the agent of a role, compared without regard to case, or else that of
// "*". It fills in blanks: a returned agent always has a timeout, a place of its answer
// and a choice of tools. False means that the role has no agent.
func (c Config) Agent(role string) (Agent, bool) {
	a, ok := c.Agents[c.EntryOf(role)]
	if !ok {
		return Agent{}, false
	}
	a.Timeout = cmp.Or(a.Timeout, c.Dispatch.Timeout)
	a.Answer = cmp.Or(a.Answer, "stdout")
	a.Tools = cmp.Or(a.Tools, "none")
	return a, true
}

// EntryOf returns the name under which what answers a role is configured.
func (c Config) EntryOf(role string) string {
	for name := range c.Agents {
		if strings.EqualFold(name, role) {
			return name
		}
	}
	if strings.EqualFold(role, "podcast") {
		return c.EntryOf("Broadcaster") // its other name
	}
	return "*"
}

// ContextOf returns what the agent of a role sees around a marker.
func (c Config) ContextOf(role string) Context {
	around := c.Context
	if a, _ := c.Agent(role); a.Comments != nil {
		around.Comments = *a.Comments
	}
	return around
}

// HistoryOf returns what the forks of a role may see.
func (c Config) HistoryOf(role string) History {
	if a, _ := c.Agent(role); a.History != nil {
		return *a.History
	}
	return c.History
}

// MustApprove reports whether a person has to approve the answers of a role.
func (c Config) MustApprove(role string) bool {
	a, _ := c.Agent(role)
	return a.Approve != nil && *a.Approve || c.Approve.Rule == "all"
}

// WritesAtOnce reports whether a role says that not even an edit of a note waits for a person.
func (c Config) WritesAtOnce(role string) bool {
	a, _ := c.Agent(role)
	return a.Approve != nil && !*a.Approve
}

// Roles returns the roles with an agent, as spelled in the configuration, in
// alphabetical order; "*" is one of them when it is set.
func (c Config) Roles() []string {
	return slices.Sorted(maps.Keys(c.Agents))
}

// WatchMode returns how a vault's saves are noticed: its own mode, or else the
// general one.
func (c Config) WatchMode(v Vault) string {
	return cmp.Or(v.Watch, c.Watch.Mode)
}

// HasSameSettings reports whether two configurations have the same settings. It ignores File
// and Warnings.
func (c Config) HasSameSettings(d Config) bool {
	c.File, d.File = "", ""
	c.Warnings, d.Warnings = nil, nil
	return reflect.DeepEqual(c, d)
}
