package engine

import (
	"errors"
	"io/fs"
	"log/slog"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/server"
	"vaultdispatcher/engine/asking"
	"vaultdispatcher/engine/broadcast/speech"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/dashboard"
	"vaultdispatcher/engine/dispatch"
	"vaultdispatcher/engine/files"
	"vaultdispatcher/engine/fit"
	"vaultdispatcher/engine/front"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/journal/recorder"
	"vaultdispatcher/engine/metrics"
	"vaultdispatcher/engine/news"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/notices"
	"vaultdispatcher/engine/recall"
	"vaultdispatcher/engine/roles"
	"vaultdispatcher/engine/schedule/runs"
	"vaultdispatcher/engine/syserr"
	"vaultdispatcher/engine/untaken"
	"vaultdispatcher/engine/untaken/board"
	"vaultdispatcher/engine/vault"
	"vaultdispatcher/engine/vault/rules"
	"vaultdispatcher/engine/vault/toggle"
	"vaultdispatcher/engine/webhook"
	"vaultdispatcher/engine/writer"
)

// ErrLocked says that another engine uses the same state folder.
var ErrLocked = errors.New("another engine uses this state folder")

// Switch is how a person has set the watching of a vault, against or with the
// configuration.
type Switch = toggle.Switch

// Options are what an Engine is made of.
type Options struct {
	Config   config.Config
	State    string                            // folder of journal, token and lock; it must exist
	Agents   fs.FS                             // built-in definitions of roles; nil = none
	Web      fs.FS                             // pages of the dashboard; nil = none
	Tools    api.Tools                         // additional data of its pages
	Cache    func(root string) (string, error) // folder for what can be made again, for a vault
	Listener net.Listener                      // of the HTTP server; Run closes it
	Token    string                            // required from callers of a protected endpoint
	Version  string
	Grace    time.Duration // for running agents when the engine ends; 0 = 5 s
	Log      *slog.Logger

	miner agent.Runner // for tests; nil is the built-in one

	// OldMarkers is told once how many markers of a vault are held because they were there before it
	// was first watched; it may be nil.
	OldMarkers func(vault string, markers int)

	// Waits is told once why the start waits: another program holds the journal locked. nil = the log is.
	Waits func(error)

	// News is told what becomes of each question. It must not wait for anything; it may be nil.
	News func(news.Item)

	// An engine may continue after another one of the same process, with another configuration:
	// Started is when the first one started, zero for now, Switches is the result of [Engine.Switches]
	// of the last one, and Sessions are the browsers that see the dashboard, nil for those of one
	// engine alone.
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
	front      *front.Front
	server     *server.Server
	metrics    *metrics.Metrics
	listener   net.Listener
	oldMarkers func(vault string, markers int) // nil = not reported
	stop       chan struct{}                   // holds one token when Shutdown was called
	grace      time.Duration                   // for running agents when the engine ends
	recorder   *recorder.Recorder
	writer     *writer.Writer
	sound      *speech.Desk
	starts     *starts
	asker      *asker
	schedule   *runs.Desk
	webhook    *webhook.Sender // nil where none is configured
	meaning    *recall.Meaning // nil where no embedding is configured

	notices notices.Board
	untaken board.Board // questions that are not taken up
	fits    fit.Fits    // how tasks fit into their models
	asking  asking.Waiters
	steps   asking.Progress
	changes atomic.Uint64 // of what Status tells

	mu      sync.Mutex         // guards the field below
	orphans []journal.Dispatch // unfinished ones of vaults that are not open yet
}

// StatusChanged tells the followers of the events that the status has changed. Every part that changes
// the status calls it: the journal after every write, watchers, indexes and switches, and a look at a
// note. It never waits.
func (e *Engine) StatusChanged() {
	e.changes.Add(1)
	if e.server != nil { // else there are no followers yet
		e.server.Changed()
	}
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

// Backend is the engine as its server sees it.
func (e *Engine) Backend() *front.Front { return e.front }

// end has Run end soon.
func (e *Engine) end() {
	select {
	case e.stop <- struct{}{}:
	default:
	}
}

// Port returns the port of the HTTP server.
func (e *Engine) Port() int { return e.port }

// Switches returns the switches that were set by hand, by the vault's configured path. If no vault is
// watched any more, the entry of the empty path is for vaults that are added later. An engine leaves
// only this to the next one of the same process; the rest is in the journal.
func (e *Engine) Switches() map[string]Switch {
	set, off := make(map[string]Switch), 0
	for _, v := range e.vaults {
		s, ok := v.Watching.ByHand(time.Now())
		if ok {
			set[v.Alias] = s
		}
		if ok && !s.Active {
			off, set[""] = off+1, s
		}
	}
	if off < len(e.vaults) {
		delete(set, "")
	}
	return set
}

// Working reports whether an agent is at work or its answer is being written.
func (e *Engine) Working() bool { return e.dispatcher.Running()+e.writer.Writing() > 0 }

// tellStep tells of a step of a dispatch.
func (e *Engine) tellStep(step string, d journal.Dispatch) {
	e.asking.Wake(d.ID)
	e.metrics.CountStep(step, d)
	if d.Status == journal.Scheduled || d.Status == journal.Done && d.Trigger == journal.TriggerSchedule {
		e.schedule.LookAgain()
	}
	if n, ok := news.OfStep(step, d); ok {
		n.Vault = e.vaults.NameOf(d.Vault)
		e.news(n)
		e.webhook.Tell(n, d)
	}
}

// tellProgress tells how far the agent of a dispatch is.
func (e *Engine) tellProgress(d journal.Dispatch, progress string) {
	if !e.steps.Tell(d.ID, progress) {
		return
	}
	e.StatusChanged()
	n := news.OfProgress(d, progress)
	n.Vault = e.vaults.NameOf(d.Vault)
	e.news(n)
}

// Say has the status show one sentence of our starter's, until the next one; an
// empty one ends it.
func (e *Engine) Say(sentence string) {
	e.notices.End(func(n api.Notice) bool { return n.Code == api.NoticeStarter })
	if sentence != "" {
		e.AddNotice(api.NoticeStarter, "text", sentence)
	}
	e.StatusChanged()
}

// AddFacts adds to the facts about a note which agents answer its questions, and which may not be told
// them.
func (e *Engine) AddFacts(f *rules.Facts, name func() string) {
	unanswered := rules.Each(func(m note.Marker) untaken.Row {
		if _, _, err := e.roles.Find(m.Role); err != nil {
			return untaken.Unanswered(syserr.Plain(err), m, e.config.Roles())
		}
		return untaken.Row{}
	})
	f.Unanswered, f.Private = unanswered, rules.Each(func(m note.Marker) string {
		if unanswered(m).Kind != "" {
			return "" // no agent is told
		}
		return e.roles.Rules.WhyNotAsked(m.Role, name())
	})
}

// KeepUntaken remembers what of a note is not taken up, as a save has it that was noticed first, and
// tells what is new. It returns when there will be more.
func (e *Engine) KeepUntaken(root, rel string, rows []untaken.Row, first time.Time) time.Time {
	fresh, next := e.untaken.Keep(root, rel, rows, first, time.Now(), max(e.config.Debounce, e.config.Settle))
	e.writer.Looked(root, rel, len(rows) > 0)
	for _, row := range fresh {
		if row.IsNews() {
			e.news(news.OfUntaken(e.vaults.NameOf(root), row))
		}
	}
	return next
}

// MissedIn returns the lines of a note that may have a comment below them because they are not taken
// up. It leaves out lines for another machine, and lines that are left unsaid on purpose.
func (e *Engine) MissedIn(root, rel string, text []byte) (lines []writer.Missed, known bool) {
	v := e.vaults.At(root)
	if v == nil || v.Condition.WhyIdle() != "" {
		return nil, false
	}
	doc := note.Parse(text)
	rows := untaken.Find(text, doc, e.config.Roles())
	var facts rules.Facts
	e.AddFacts(&facts, func() string { return rel })
	rows = append(rows, rules.JudgeAll(doc.Markers, &facts).Rows()...)
	told := e.untaken.Unasked(root, rel)
	for _, row := range rows {
		say := slices.ContainsFunc(told, row.IsSame)
		if !row.Hidden && row.Text != "" { // an answer without an end has none
			lines = append(lines, writer.Missed{Line: row.Line, Reason: row.Reason, Say: say})
		}
	}
	return lines, true
}
