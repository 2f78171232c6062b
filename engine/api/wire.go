// Package api is the loopback HTTP interface as data: what is sent and received, the
// errors, the events of the stream, and [Backend], which the engine implements for
// the server. It imports nothing of ours. package server answers the calls, package
// client makes them, package listen opens the port, and package dashboard shows
// pages made of the same data.
package api

import "time"

// The keys of a status and of a record are always there, null or empty without a value. So a client can tell "nothing" from
// "unknown to this version". Only the key of an error is left out if no error exists.

// Status is the answer of GET /vault-mind/status.
type Status struct {
	Running       bool            `json:"running"` // the service is up
	Vaults        []Vault         `json:"vaults"`
	Uptime        string          `json:"uptime"` // "<n>s"
	Dispatches    []Dispatch      `json:"dispatches"`
	Version       string          `json:"version"`
	PID           int             `json:"pid"`
	Port          int             `json:"port"`
	Watcher       Watcher         `json:"watcher"`
	Queue         Queue           `json:"queue"`
	Questions     []QuestionCount `json:"questions"` // of the dispatches of each status; empty for a client that follows the status
	Agents        []Agent         `json:"agents"`
	Index         Index           `json:"index"`
	NotTaken      []Untaken       `json:"notTaken"`      // the first of what was asked and is not taken up
	NotTakenCount int             `json:"notTakenCount"` // how many there are
	LastRefused   *Refused        `json:"lastRefused"`
	Budgets       []Budget        `json:"budgets"`   // of a day, with what is used of them
	Schedule      []Scheduled     `json:"schedule"`  // the next questions that come again
	Dashboard     bool            `json:"dashboard"` // a browser shows a page of it now
	Notices       []Notice        `json:"notices"`   // facts that a person should know
	Endpoints     []string        `json:"endpoints"`
}

// Budget is what agents may use in a day, and have used today.
type Budget struct {
	Role          string    `json:"role"` // empty = all agents that may cost
	Dollars       float64   `json:"dollars"`
	DollarsPerDay float64   `json:"dollarsPerDay"` // 0 = no limit
	Tokens        int64     `json:"tokens"`
	TokensPerDay  int       `json:"tokensPerDay"` // 0 = no limit
	Text          string    `json:"text"`         // the use of the budget, for people
	End           time.Time `json:"until"`        // the day ends
}

// Share is how much of the budget is used: 1 is all.
func (b Budget) Share() (share float64) {
	if b.DollarsPerDay > 0 {
		share = b.Dollars / b.DollarsPerDay
	}
	if b.TokensPerDay > 0 {
		share = max(share, float64(b.Tokens)/float64(b.TokensPerDay))
	}
	return share
}

// Ping is the answer of GET /vault-mind/ping: an engine is here. It says nothing
// of what the engine does, so it takes no time however much that is.
type Ping struct {
	Running bool `json:"running"`
	PID     int  `json:"pid"`
	Port    int  `json:"port"`
}

// Vault is one configured folder of notes.
type Vault struct {
	Name      string     `json:"name"`
	Path      string     `json:"path"`
	State     string     `json:"state"` // indexing, watching, paused, offline or foreign
	Watch     string     `json:"watch"` // fsnotify, rdcw or poll
	Reason    string     `json:"reason"`
	Atomic    bool       `json:"atomic"` // notes are exchanged, never half written
	Notes     int        `json:"notes"`
	LastEvent *time.Time `json:"lastEvent"`

	FoundWithin string     `json:"foundWithin"` // so soon the save of any note is found where it is polled, as "12s"; empty = at once, or not known yet
	PausedUntil *time.Time `json:"pausedUntil"` // when it is watched again by itself
}

// Watcher says whether saves are watched; the HTTP server runs in any case.
type Watcher struct {
	Running bool `json:"running"`

	PausedUntil *time.Time `json:"pausedUntil"` // nothing is watched before, and then something by itself
}

// Queue counts the dispatches by their status. Settling counts markers.
type Queue struct {
	Settling   int `json:"settling"`
	Queued     int `json:"queued"`
	Processing int `json:"processing"`
	Done       int `json:"done"`
	Failed     int `json:"failed"`
	Proposed   int `json:"proposed"`
	Scheduled  int `json:"scheduled"`
	Held       int `json:"held"`
	Parked     int `json:"parked"`
	Cancelled  int `json:"cancelled"`
}

// QuestionCount is how much the dispatches of a status ask.
type QuestionCount struct {
	Status   string `json:"status"`
	Count    int    `json:"count"`
	NoResult int    `json:"noResult"` // those of them that are answered, but nothing was found or made
	More     bool   `json:"more"`     // there are older ones, which are not counted: no list holds them
}

// Agent is one role and what answers it.
type Agent struct {
	Role   string `json:"role"`
	Runner string `json:"runner"`
	Model  string `json:"model,omitempty"` // that was chosen; absent = the runner's own
	Ready  bool   `json:"ready"`
	Detail string `json:"detail"` // why not ready
	Reach  string `json:"reach"`  // the reach of its agent, and what limits it
	Absent bool   `json:"absent"` // this version does not have its runner, so there is nothing to fix

	Writes  string `json:"writes"`  // answer, or section: its answers take the place of parts of notes; empty without a runner
	Approve bool   `json:"approve"` // its answers wait for a person's yes

	ContextTokens int    `json:"contextTokens,omitempty"` // that its model reads at once, as its last task was made; absent = not known
	Cut           string `json:"cut,omitempty"`           // the text that its last task had to leave out for that
}

// Index is the state of the vaults' full-text index.
type Index struct {
	Notes     int    `json:"notes"`
	Chunks    int    `json:"chunks"`
	Pending   int    `json:"pending"` // notes still to be read
	LastError string `json:"lastError,omitempty"`

	Embedding Embedding `json:"embedding"`
}

// Embedding is the state of the vectors by which passages are found that say
// the same in other words.
type Embedding struct {
	Provider  string `json:"provider"` // none, ollama, openai or static
	Model     string `json:"model"`
	Dim       int    `json:"dim"`
	Vectors   int    `json:"vectors"`
	Pending   int    `json:"pending"` // passages that have none yet
	Stale     int    `json:"stale"`   // vectors of texts that no note has now
	LastError string `json:"lastError,omitempty"`
}

// Refused is the last request the guard turned away.
type Refused struct {
	At   time.Time `json:"at"`
	Code string    `json:"code"`
	Text string    `json:"text"`
}

// ScanResult is the answer of POST /vault-mind/scan.
type ScanResult struct {
	Groups  int         `json:"groups"` // found in the note, also those already claimed
	Details []ScanGroup `json:"details"`
	Misses  []Miss      `json:"misses"` // lines that were probably meant to be markers
	File    string      `json:"file"`

	Questions []ScanQuestion `json:"questions,omitempty"` // each marker, from top to bottom

	// Remembered says that the note was not looked at yet: more came than can be at once.
	Remembered bool `json:"remembered,omitempty"`
}

// Miss is a line that looks like a marker and is not one.
type Miss struct {
	Line   int    `json:"line"`
	Text   string `json:"text"`
	Reason string `json:"reason"` // one sentence that fits behind a colon
	Mend   string `json:"mend"`   // as it would be taken up; empty = not known
}

// ScanGroup is one group a scan found.
type ScanGroup struct {
	Role     string `json:"role"`
	TaskID   string `json:"taskId"`
	Key      string `json:"key"`
	Markers  int    `json:"markers"`
	Dispatch string `json:"dispatch"` // id; empty while settling
	Status   string `json:"status"`
	Reason   string `json:"reason,omitempty"` // why nothing starts it, one sentence that fits behind a colon
}

// ScanQuestion is one marker a scan found: with its dispatch, or with what the rules say of it.
type ScanQuestion struct {
	Line     int        `json:"line"`
	Dispatch string     `json:"dispatch,omitempty"`
	Verdict  string     `json:"verdict,omitempty"` // refuse, wait, hold or start
	Rule     string     `json:"rule,omitempty"`    // that decided
	Reason   string     `json:"reason,omitempty"`  // one sentence that fits behind a colon
	Recheck  *time.Time `json:"until,omitempty"`   // when it is judged again by itself
}

// WatcherRequest is the body of POST /vault-mind/watcher.
type WatcherRequest struct {
	Running  bool   `json:"running"`
	Vault    string `json:"vault,omitempty"` // empty = all
	Duration string `json:"for,omitempty"`   // a duration such as "1h"; empty = for good
}

// Length returns for how long the request holds; 0 = for good. The error is an [Invalid].
func (r WatcherRequest) Length() (time.Duration, error) {
	if r.Duration == "" {
		return 0, nil
	}
	d, err := time.ParseDuration(r.Duration)
	if err != nil || d <= 0 {
		return 0, &Invalid{Reason: "\"for\" must be a length of time such as 30m or 1h."}
	}
	return d, nil
}

// Hit is one passage of GET /vault-mind/search.
type Hit struct {
	Vault   string `json:"vault"`
	Note    string `json:"note"`    // path in the vault, with slashes
	Heading string `json:"heading"` // breadcrumb, " › " between levels
	Link    string `json:"link"`    // [[Note#Heading]]
	Text    string `json:"text"`
	Matched int    `json:"matched"` // query terms found
	Terms   int    `json:"terms"`   // query terms asked

	Similarity float64 `json:"near,omitempty"` // similarity in meaning, 1 at most; none where it was not compared

	// Of the matched terms, those that the text lacks.
	InTitle   int `json:"inTitle"`
	InHeading int `json:"inHeading"`
	InTags    int `json:"inTags"`
}

// Problem is the body of every answer that is not a success.
type Problem struct {
	Error string `json:"error"` // the next step, one sentence
	Code  string `json:"code"`

	Diff string `json:"diff,omitempty"` // of changed: what would be written now
	Seen string `json:"seen,omitempty"` // and its proof
}

// HitList is the answer of GET /vault-mind/search.
type HitList struct {
	Hits    []Hit  `json:"hits"`
	Notice  string `json:"notice,omitempty"`  // why less was looked for than configured, one sentence
	Explain string `json:"explain,omitempty"` // why the note asked about with ?explain= is or is not among them
}

// Done is the answer of a call that has nothing else to say.
type Done struct {
	OK bool `json:"ok"`
}

// Link is the answer of POST /vault-mind/session.
type Link struct {
	URL     string    `json:"url"`
	Expires time.Time `json:"expires"`
}

// LogTail is the answer of GET /vault-mind/log.
type LogTail struct {
	Lines []LogLine `json:"lines"` // the oldest first
	More  int       `json:"-"`     // how many to ask for next; 0 when these are all
}

// LogLine is one line of the engine's log.
type LogLine struct {
	Time  time.Time `json:"time"` // zero where the line tells none
	Level string    `json:"level"`
	Text  string    `json:"text"`

	Said  string            `json:"-"` // the text without its facts
	Facts map[string]string `json:"-"`
}

// Findings is the answer of GET /vault-mind/doctor.
type Findings struct {
	Findings []Finding `json:"findings"`
}
