package engine

import (
	"errors"
	"io/fs"
	"log/slog"
	"net"
	"slices"
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
	"vaultdispatcher/engine/webhook"
	"vaultdispatcher/engine/writer"
)

// ErrLocked says that another engine uses the same state folder.
var ErrLocked = errors.New("another engine uses this state folder")

// Switch is how a person has set the watching of a vault, against or with the
// configuration.
type Switch = vault.Switch

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
	// Started is when the first one started, zero for now, Switches is the result of [front.Front.Switches]
	// of the last one, and Sessions are the browsers that see the dashboard, nil for those of one
	// engine alone.
	Started  time.Time
	Switches map[string]Switch
	Sessions *dashboard.Sessions
}

// Engine is the background process. Its methods are safe for concurrent use.
type Engine struct {
	config     config.Config
	state      string // folder of the journal
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
	stop       chan struct{} // holds one token when Shutdown was called
	grace      time.Duration // for running agents when the engine ends
	recorder   *recorder.Recorder
	writer     *writer.Writer
	sound      *speech.Desk
	starts     *starts
	reports    *reports
	asker      *asker
	schedule   *runs.Desk
	webhook    *webhook.Sender // nil where none is configured
	meaning    *recall.Meaning // nil where no embedding is configured

	notices notices.Board
	untaken board.Board // questions that are not taken up
	fits    fit.Fits    // how tasks fit into their models
	asking  asking.Waiters
	steps   asking.Progress
}

// isPrivate reports whether a note is private now: no agent that leaves this machine may see it.
func (e *Engine) isPrivate(rel string) bool { return e.roles.Rules.IsPrivate(rel) }

// Backend is the engine as its server sees it.
func (e *Engine) Backend() *front.Front { return e.front }

// end has Run end soon.
func (e *Engine) end() {
	select {
	case e.stop <- struct{}{}:
	default:
	}
}

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
	e.notices.StatusChanged()
	n := news.OfProgress(d, progress)
	n.Vault = e.vaults.NameOf(d.Vault)
	e.news(n)
}

// reports tell a person what of notes is not taken up, and what the writer could not do. Vaults and the writer ask them.
type reports struct {
	config  config.Config
	roles   *roles.Roles
	vaults  *vault.Set
	writer  *writer.Writer
	untaken *board.Board // questions that are not taken up
	notices *notices.Board
	news    func(news.Item)
}

// AddFacts adds to the facts about a note which agents answer its questions, and which may not be told
// them.
func (r *reports) AddFacts(f *rules.Facts, name func() string) {
	unanswered := rules.Each(func(m note.Marker) untaken.Row {
		if _, _, err := r.roles.Find(m.Role); err != nil {
			return untaken.Unanswered(syserr.Plain(err), m, r.config.Roles())
		}
		return untaken.Row{}
	})
	f.Unanswered, f.Private = unanswered, rules.Each(func(m note.Marker) string {
		if unanswered(m).Kind != "" {
			return "" // no agent is told
		}
		return r.roles.Rules.WhyNotAsked(m.Role, name())
	})
}

// KeepUntaken remembers what of a note is not taken up, as a save has it that was noticed first, and
// tells what is new. It returns when there will be more.
func (r *reports) KeepUntaken(root, rel string, rows []untaken.Row, first time.Time) time.Time {
	fresh, next := r.untaken.Keep(root, rel, rows, first, time.Now(), max(r.config.Debounce, r.config.Settle))
	r.writer.Looked(root, rel, len(rows) > 0)
	for _, row := range fresh {
		if row.IsNews() {
			r.news(news.OfUntaken(r.vaults.NameOf(root), row))
		}
	}
	return next
}

// MissedIn returns the lines of a note that may have a comment below them because they are not taken
// up. It leaves out lines for another machine, and lines that are left unsaid on purpose.
func (r *reports) MissedIn(root, rel string, page *note.Page) (lines []writer.Missed, known bool) {
	v := r.vaults.At(root)
	if v == nil || v.Condition.WhyIdle() != "" {
		return nil, false
	}
	doc := page.Doc()
	rows := untaken.Find(page.Text, doc, r.config.Roles())
	var facts rules.Facts
	r.AddFacts(&facts, func() string { return rel })
	rows = append(rows, rules.JudgeAll(doc.Markers, &facts).Rows()...)
	told := r.untaken.Unasked(root, rel)
	for _, row := range rows {
		say := slices.ContainsFunc(told, row.IsSame)
		if !row.Hidden && row.Text != "" { // an answer without an end has none
			lines = append(lines, writer.Missed{Line: row.Line, Reason: row.Reason, Say: say})
		}
	}
	return lines, true
}

// UndoFailed tells that an undo which had begun could not be done.
func (r *reports) UndoFailed(d journal.Dispatch, reason string) {
	r.notices.AddNotice(api.NoticeUndo, "dispatch", d.ID, "file", d.File, "reason", reason)
}

// BothKept tells where the other version of a note is.
func (r *reports) BothKept(file, copy string) {
	r.notices.AddNotice(api.NoticeBothKept, "file", file, "copy", copy)
}
