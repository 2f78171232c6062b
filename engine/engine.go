// Package engine watches vaults and sees to it that every marker is answered,
// exactly once, in its place.
//
// [New] only opens; [Engine.Run] takes up where the last engine stopped, and watches,
// dispatches and serves until its context ends. pipeline.go describes the way of one
// save.
//
// # Who owns which goroutine
//
// Run starts one goroutine for the dispatcher, one for the writer, one for the HTTP
// server, one for what is held until a time, one for questions that come again, one that tells a webhook, one for what is read aloud, one for the queue of other
// machines, one that forgets what is old, one that counts for the metrics, one that waits for Shutdown, and one for
// each vault with eight of its own (watch, debounce, catch up, wake, index, probe, facts, embed). All have ended when it
// returns, but for those that wait for a disk that does not respond. Agents run in
// goroutines of the dispatcher.
//
// Before a vault is open, only its goroutines and the writer's recovery touch its disk.
// Status and start wait for no vault's disk; stop waits for one a bounded time.
package engine

import (
	"errors"
	"io/fs"
	"log/slog"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/server"
	"vaultdispatcher/engine/asking"
	"vaultdispatcher/engine/broadcast/speech"
	"vaultdispatcher/engine/budget"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/dashboard"
	"vaultdispatcher/engine/dispatch"
	"vaultdispatcher/engine/files"
	"vaultdispatcher/engine/fit"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/journal/recorder"
	"vaultdispatcher/engine/library"
	"vaultdispatcher/engine/mcp"
	"vaultdispatcher/engine/metrics"
	"vaultdispatcher/engine/news"
	"vaultdispatcher/engine/notices"
	"vaultdispatcher/engine/recall"
	"vaultdispatcher/engine/roles"
	"vaultdispatcher/engine/schedule/runs"
	"vaultdispatcher/engine/syserr"
	"vaultdispatcher/engine/tally"
	"vaultdispatcher/engine/untaken/board"
	"vaultdispatcher/engine/vault"
	"vaultdispatcher/engine/vault/toggle"
	"vaultdispatcher/engine/webhook"
	"vaultdispatcher/engine/writer"
)

// ErrLocked says that another engine uses the same state folder.
var ErrLocked = errors.New("another engine uses this state folder")

// Switch is how a person has set the watching of a vault, against or with the
// configuration.
type Switch = toggle.Switch

// records are what a status has of the journal, as long as nothing changes.
type records struct {
	mu     sync.Mutex // guards the fields below; one reader at a time
	of     uint64     // the changes there were before they were read
	read   time.Time
	counts map[journal.Status]int
	recent []api.Dispatch
}

// Options are what an Engine is made of.
type Options struct {
	Config   config.Config
	State    string                            // folder of journal, token and lock; it must exist
	Agents   fs.FS                             // built-in definitions of roles; nil = none
	Web      fs.FS                             // pages of the dashboard; nil = none
	Tools    api.Tools                         // what its pages tell beyond the engine
	Cache    func(root string) (string, error) // folder for what can be made again, for a vault
	Listener net.Listener                      // of the HTTP server; Run closes it
	Token    string                            // what a caller of a protected endpoint must know
	Version  string
	Grace    time.Duration // for running agents when the engine ends; 0 = 5 s
	Log      *slog.Logger

	miner agent.Runner // for tests; nil is the built-in one

	// OldMarkers is told once how many markers of a vault are held because they
	// stood there before it was first watched; it may be nil.
	OldMarkers func(vault string, markers int)

	// Waits is told once why the start waits: another program holds the journal locked. nil = the log is.
	Waits func(error)

	// News is told what becomes of each question. It must not wait for anything; it may be nil.
	News func(news.Item)

	// An engine may go on where another one of the same process ended, with another
	// configuration: Started is when the first one started, zero for now, Switches
	// what [Engine.Switches] of the last one returned, Sessions the browsers that see
	// the dashboard, nil for those of one engine alone.
	Started  time.Time
	Switches map[string]Switch
	Sessions *dashboard.Sessions
}

// Engine is the background process. Its methods are safe for concurrent use.
type Engine struct {
	config     config.Config
	id         string // presence.IDOf it
	version    string
	news       func(news.Item)
	port       int
	log        *slog.Logger
	started    time.Time
	lock       *files.Lock // held while the state folder is in use
	journal    *journal.Journal
	dispatcher *dispatch.Dispatcher
	roles      *roles.Roles
	vaults     vault.Set
	server     *server.Server
	library    *library.Library
	desk       *mcp.Desk
	metrics    *metrics.Metrics
	listener   net.Listener
	oldMarkers func(vault string, markers int) // nil = nobody is told
	stop       chan struct{}                   // holds one token when Shutdown was called
	grace      time.Duration                   // for running agents when the engine ends
	recorder   *recorder.Recorder
	writer     *writer.Writer
	sound      *speech.Desk
	ceiling    *roles.Ceiling
	budgets    *budget.Ledger
	usage      *tally.Room
	schedule   *runs.Desk
	webhook    *webhook.Sender // nil where none is configured
	releaser   *roles.Releaser
	meaning    *recall.Meaning // nil where no embedding is configured

	notices notices.Board
	untaken board.Board // what was asked and is not taken up
	fits    fit.Fits    // how tasks fit into their models
	asking  asking.Waiters
	steps   asking.Progress
	records records
	changes atomic.Uint64 // of what Status tells

	mu   sync.Mutex         // guards the field below
	left []journal.Dispatch // unfinished ones of vaults that are not open yet
}

// StatusChanged has those who follow the events told what is new. Whoever changes what
// Status tells calls it: the journal after every write, watchers, indexes and
// switches, and a look at a note. It never waits.
func (e *Engine) StatusChanged() {
	e.changes.Add(1)
	e.server.Changed()
}

// optionalTime is nil for the zero time.
func optionalTime(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

// isPrivate reports whether a note is private now: no agent that leaves this machine may see it.
func (e *Engine) isPrivate(rel string) bool { return e.roles.Rules.IsPrivate(rel) }

// switchFor returns how a vault's watching was set before, if it was.
func switchFor(switches map[string]Switch, path string) (Switch, bool) {
	s, ok := switches[path]
	if !ok {
		s, ok = switches[""]
	}
	return s, ok
}

// AddNotice adds a notice; the arguments are those of [api.NewNotice].
func (e *Engine) AddNotice(code string, args ...any) {
	for i, arg := range args {
		if err, ok := arg.(error); ok {
			args[i] = syserr.Plain(err)
		}
	}
	e.notices.Tell(api.NewNotice(code, args...))
	e.StatusChanged()
}
