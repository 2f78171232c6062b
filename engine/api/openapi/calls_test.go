package openapi_test

import (
	"slices"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/vaultmind"
)

// call is one call as it is described, and how it is tried.
type call struct {
	method, path string
	name         string // its operationId
	text         string // what it does, one sentence
	more         string // what else there is to know
	open         bool   // asks for no token
	unread       bool   // its body is never refused

	query    []param
	request  any      // the type of its body; nil = none
	required []string // keys that the body has to have
	optional bool     // the body may be left out
	forms    bool     // the body may also be a form or plain text

	status int  // of a success; 0 = 200
	answer any  // the type of its body
	stream any  // the text of a stream that it can answer with; nil = none
	plain  bool // it answers with plain text

	refusals []string // "409 conflict", beside those that every call has

	good string // a body or a query that succeeds
	bad  []attempt
}

type param struct {
	name, kind, text string
	words            []string // the only values
	most             int
}

// attempt is a request that is refused.
type attempt struct{ query, body, refusal string }

var (
	asksEngine = []string{"500 internal", "503 stopping", "503 busy"}
	asksVault  = append([]string{"503 offline"}, asksEngine...)
	hasQuery   = attempt{query: "?q=%ff", refusal: "400 bad_request"}
	notJSON    = attempt{body: "{", refusal: "400 bad_request"}
)

func refused(lists ...[]string) []string { return slices.Concat(lists...) }

var calls = []call{
	{method: "GET", path: "/vault-mind/ping", name: "ping", open: true, answer: api.Ping{},
		text: "Says that an engine is here, and takes no time."},
	{method: "GET", path: "/vault-mind/openapi.json", name: "readDescription", answer: map[string]any{},
		text: "Returns this description."},
	{method: "GET", path: "/vault-mind/status", name: "readStatus", open: true, answer: api.Status{}, refusals: asksEngine,
		text: "Says what is going on.",
		more: "At most 20 active dispatches, the last 10 that ended and 20 lines that are not taken up; the counts are of all."},
	{method: "POST", path: "/vault-mind/scan", name: "scanNote", open: true, forms: true, answer: api.ScanResult{},
		request: struct {
			File string `json:"file"` // the note, absolute or in a vault
			Now  bool   `json:"now"`  // what it finds does not settle
		}{}, required: []string{"file"},
		refusals: refused(asksVault, []string{"403 outside_vaults", "404 not_found", "409 ambiguous", "415 content_type", "422 not_a_note", "429 rate_limited"}),
		good:     `{"file":"note.md","now":true}`,
		bad: []attempt{notJSON, {body: `{"file":"/etc/hostname"}`, refusal: "403 outside_vaults"}, {body: `{"file":"none.md"}`, refusal: "404 not_found"},
			{body: `{"file":"picture.png"}`, refusal: "422 not_a_note"}},
		text: "Looks at a note that was saved.",
		more: "The body may also be a form (file=PATH) or the bare path, unless a page of the note app asks. JSON that a shell has broken is read where one reading names a note. What comes faster than it can be looked at is remembered."},
	{method: "POST", path: "/vault-mind/dispatch", name: "dispatchQuestion", status: 202,
		request: struct {
			Role        string `json:"role"`
			Instruction string `json:"instruction"`
			File        string `json:"file"` // the note that the answer is appended to
		}{}, required: []string{"instruction", "file"},
		answer: struct {
			JobID string `json:"jobId"` // the id of the dispatch
		}{},
		refusals: refused(asksVault, []string{"403 outside_vaults", "404 not_found", "409 conflict", "415 content_type", "422 not_a_note"}),
		good:     `{"role":"Miner","instruction":"why","file":"note.md"}`, bad: []attempt{notJSON, {body: `{"instruction":"why"}`, refusal: "400 bad_request"}},
		text: "Takes up a question without a marker; its answer is appended to the note."},
	{method: "POST", path: "/vault-mind/ask", name: "askQuestion", request: api.AskRequest{}, required: []string{"question"},
		answer: api.Answered{}, stream: "Events: accepted (Accepted), said (Said), then answer (Answered) or failed (Problem).",
		refusals: refused(asksVault, []string{"403 outside_vaults", "404 not_found", "409 conflict", "415 content_type", "422 not_a_note", "502 failed"}),
		good:     `{"question":"what?","file":"note.md"}`, bad: []attempt{notJSON, {body: `{"question":"what?","vault":"none"}`, refusal: "400 bad_request"}},
		text: "Asks a question and waits for its answer.", more: "With Accept: text/event-stream the answer comes as server-sent events."},
	{method: "POST", path: "/vault-mind/watcher", name: "setWatcher", request: api.WatcherRequest{}, required: []string{"running"}, answer: api.Watcher{},
		refusals: refused(asksVault, []string{"415 content_type"}), good: `{"running":true,"vault":"v","for":"1h"}`,
		bad:  []attempt{notJSON, {body: `{}`, refusal: "400 bad_request"}, {body: `{"running":true,"for":"soon"}`, refusal: "400 bad_request"}},
		text: "Starts or pauses the watching of all vaults or of one."},
	{method: "POST", path: "/vault-mind/rescan", name: "rescan", answer: api.Done{}, refusals: asksEngine, text: "Looks at all vaults again."},
	{method: "POST", path: "/vault-mind/notices/{id}/dismiss", name: "dismissNotice", answer: api.Done{},
		refusals: refused(asksEngine, []string{"404 not_found"}), text: "Dismisses a notice of the status."},
	{method: "GET", path: "/vault-mind/schedule", name: "listSchedule", answer: api.ScheduleList{}, refusals: asksEngine, text: "Lists the questions that come again, the next one first."},
	{method: "POST", path: "/vault-mind/schedule/{id}/pause", name: "pauseSchedule", answer: api.Scheduled{},
		refusals: refused(asksEngine, []string{"404 not_found"}), text: "Pauses a question that comes again."},
	{method: "POST", path: "/vault-mind/schedule/{id}/resume", name: "resumeSchedule", answer: api.Scheduled{},
		refusals: refused(asksEngine, []string{"404 not_found"}), text: "Has a paused question come again; what was missed is not made up for."},
	{method: "POST", path: "/vault-mind/schedule/{id}/run", name: "runSchedule", answer: api.Scheduled{},
		refusals: refused(asksVault, []string{"404 not_found", "409 conflict"}), text: "Asks a question that comes again now."},
	{method: "GET", path: "/vault-mind/dispatches", name: "listDispatches", answer: api.DispatchList{}, refusals: asksEngine,
		query: []param{{name: "status", kind: "string", words: api.StatusWords, text: "only those"}, {name: "vault", kind: "string", text: "the name of theirs"}, {name: "file", kind: "string", text: "the path of their note in its vault"},
			{name: "q", kind: "string", text: "words that the note's path, the role and one instruction have together"}, {name: "limit", kind: "integer", most: api.MostListed, text: "how many at most; 50 where it is not said"}},
		good: "?status=done&vault=notes&file=a.md&q=a&limit=5", bad: []attempt{hasQuery, {query: "?status=x", refusal: "400 bad_request"}, {query: "?limit=0", refusal: "400 bad_request"}},
		text: "Lists dispatches, the newest first."},
	{method: "GET", path: "/vault-mind/dispatches/{id}", name: "readDispatch", answer: api.DetailBody{}, refusals: refused(asksEngine, []string{"404 not_found"}),
		text: "Returns one dispatch with its task, answers (each with `cleaned`: what was changed before it was written, and why), steps and diff."},
	{method: "POST", path: "/vault-mind/dispatches/{id}/retry", name: "retryDispatch", optional: true, answer: api.DispatchBody{},
		request: struct {
			Fresh bool `json:"fresh"` // ask anew; an answer that stands is replaced when the new one is there
		}{},
		refusals: refused(asksVault, []string{"404 not_found", "409 conflict", "415 content_type"}), good: `{"fresh":true}`, bad: []attempt{notJSON},
		text: "Asks again what has failed."},
	{method: "POST", path: "/vault-mind/dispatches/{id}/cancel", name: "cancelDispatch", answer: api.DispatchBody{},
		refusals: refused(asksVault, []string{"404 not_found", "409 conflict"}), text: "Cancels a dispatch."},
	{method: "POST", path: "/vault-mind/dispatches/{id}/release", name: "releaseDispatch", optional: true, answer: api.DispatchBody{},
		request: struct {
			Seen string `json:"seen"` // of the reading that was shown; what is somebody else's needs it
		}{},
		refusals: refused(asksVault, []string{"404 not_found", "409 conflict", "415 content_type"}), good: `{"seen":"x"}`, bad: []attempt{notJSON},
		text: "Starts a dispatch that is held."},
	{method: "POST", path: "/vault-mind/dispatches/{id}/undo", name: "undoDispatch", answer: api.DispatchBody{},
		refusals: refused(asksVault, []string{"404 not_found", "409 conflict"}), text: "Puts the questions back in the place of their answers."},
	{method: "GET", path: "/vault-mind/held", name: "listHeld", answer: api.HeldList{}, refusals: asksEngine,
		query: []param{{name: "kind", kind: "string", words: []string{"old", "limit", "budget", "burst", "untrusted"}, text: "only those"}, {name: "vault", kind: "string", text: "its name"},
			{name: "note", kind: "string", text: "its path in the vault"}, {name: "folder", kind: "string", text: "of the vault, and those below it"}},
		good: "?kind=untrusted", bad: []attempt{hasQuery, {query: "?kind=x", refusal: "400 bad_request"}}, text: "Lists what is held, the kinds apart."},
	{method: "POST", path: "/vault-mind/release", name: "releaseHeld", request: api.ReleaseRequest{}, answer: api.Released{},
		refusals: refused(asksEngine, []string{"409 conflict", "415 content_type"}), good: `{}`,
		bad:  []attempt{notJSON, {body: `{"kind":"x"}`, refusal: "400 bad_request"}, {body: `{"kind":"untrusted"}`, refusal: "409 conflict"}},
		text: "Starts what is held, by its kind, note or folder.", more: "Without a kind it is old and limit. A burst needs what the list gave as seen."},
	{method: "GET", path: "/vault-mind/answers", name: "listAnswers", answer: api.AnswerList{}, refusals: asksEngine, text: "Lists answers that are in no note."},
	{method: "GET", path: "/vault-mind/proposed", name: "listProposed", answer: api.ProposalList{}, refusals: asksEngine, text: "Lists answers that wait for a person's yes, with what they would change."},
	{method: "POST", path: "/vault-mind/dispatches/{id}/accept", name: "acceptProposal", request: api.AcceptRequest{}, required: []string{"seen"}, answer: api.DispatchBody{},
		refusals: refused(asksVault, []string{"404 not_found", "409 conflict", "409 changed", "415 content_type"}), good: `{"seen":"5ee","text":"Daily."}`,
		bad:  []attempt{notJSON, {body: `{}`, refusal: "400 bad_request"}, {body: `{"seen":"old"}`, refusal: "409 changed"}},
		text: "Has a proposal written, as it was shown or as its text was changed."},
	{method: "POST", path: "/vault-mind/dispatches/{id}/reject", name: "rejectProposal", request: api.RejectRequest{}, optional: true, answer: api.DispatchBody{},
		refusals: refused(asksVault, []string{"404 not_found", "409 conflict", "415 content_type"}), good: `{"because":"shorter"}`, bad: []attempt{notJSON},
		text: "Ends a proposal; with a reason its question is asked again."},
	{method: "GET", path: "/vault-mind/search", name: "search", answer: api.HitList{}, refusals: asksEngine,
		query: []param{{name: "q", kind: "string", text: "what to look for"}, {name: "limit", kind: "integer", most: 100, text: "how many at most; 10 where it is not said"},
			{name: "explain", kind: "string", text: "a note: why it is or is not found, in place of the passages"}},
		good: "?q=backups&limit=3", bad: []attempt{hasQuery, {query: "?q=", refusal: "400 bad_request"}, {query: "?q=a&limit=101", refusal: "400 bad_request"}},
		text: "Looks for passages in all vaults."},
	{method: "GET", path: "/vault-mind/events", name: "followEvents", refusals: []string{"429 rate_limited"},
		stream: "Events: snapshot (Status), then state (StateEvent) and dispatch (Dispatch) for each change, or again snapshot.",
		text:   "Follows the state as server-sent events."},
	{method: "GET", path: "/vault-mind/setup", name: "readSetup", answer: api.Setup{}, refusals: []string{"500 internal", "501 not_here"},
		text: "Says what is set and what there is to choose from."},
	{method: "POST", path: "/vault-mind/setup", name: "writeSetup", request: api.SetupChoice{}, answer: api.SetupWritten{},
		refusals: []string{"409 conflict", "415 content_type", "500 internal", "501 not_here"}, good: `{"agent":"claude"}`, bad: []attempt{notJSON},
		text: "Makes a choice the configuration; what is empty stays as it is."},
	{method: "GET", path: "/vault-mind/log", name: "readLog", answer: api.LogTail{}, refusals: []string{"500 internal", "501 not_here"},
		query: []param{{name: "lines", kind: "integer", most: 5000, text: "how many at most; 200 where it is not said"}}, good: "?lines=5",
		bad: []attempt{hasQuery, {query: "?lines=x", refusal: "400 bad_request"}}, text: "Returns the last lines of the log, the oldest first."},
	{method: "GET", path: "/vault-mind/doctor", name: "readFindings", answer: api.Findings{}, refusals: []string{"500 internal", "501 not_here"},
		text: "Looks for what keeps the program from working on this machine."},
	{method: "POST", path: "/vault-mind/session", name: "newLink", answer: api.Link{}, refusals: []string{"501 no_pages"},
		text: "Makes a one-time link to the dashboard.", more: "A session of the dashboard is not enough."},
	{method: "POST", path: "/vault-mind/shutdown", name: "shutDown", answer: api.Done{}, text: "Stops the engine in order."},

	{method: "GET", path: "/metrics", name: "readMetrics", plain: true, text: "Tells Prometheus what the engine does, in its text format.",
		more: "Where wiki.metrics is open, no token is asked for."},
	{method: "POST", path: "/mcp", name: "mcp", request: map[string]any{}, answer: map[string]any{}, good: `{"jsonrpc":"2.0","id":1,"method":"ping"}`,
		text: "Answers agents that speak the Model Context Protocol, by streamable HTTP without sessions.",
		more: "Bodies are JSON-RPC, and so are the failures of what was asked. Accept has to name application/json and text/event-stream. Only reads."},

	{method: "GET", path: "/vm/status", name: "pluginStatus", answer: vaultmind.Status{}, refusals: asksEngine, text: "The status, for the Obsidian plugin Vault Mind."},
	{method: "POST", path: "/vm/watcher/toggle", name: "pluginToggleWatcher", answer: vaultmind.Watching{}, refusals: asksEngine, text: "Pauses or starts the watching."},
	{method: "GET", path: "/agent/queue", name: "pluginQueue", answer: []vaultmind.Job{}, refusals: asksEngine,
		query: []param{{name: "status", kind: "string", words: []string{"pending", "running", "done", "failed", "cancelled"}, text: "only those"}},
		good:  "?status=done", bad: []attempt{hasQuery, {query: "?status=x", refusal: "400 bad_request"}}, text: "Lists dispatches as jobs, the newest first."},
	{method: "POST", path: "/agent/jobs/{id}/retry", name: "pluginRetry", answer: vaultmind.Job{}, refusals: refused(asksVault, []string{"404 not_found", "409 conflict"}),
		text: "Asks again what has failed."},
	{method: "POST", path: "/agent/jobs/{id}/cancel", name: "pluginCancel", answer: vaultmind.Job{}, refusals: refused(asksVault, []string{"404 not_found", "409 conflict"}),
		text: "Cancels a dispatch."},
	pluginSearch("/vm/search", "pluginSearch", vaultmind.Hits{}),
	pluginSearch("/vm/fts-search", "pluginTextSearch", struct {
		Hits vaultmind.Hits `json:"hits"`
	}{}),
	pluginSearch("/vm/graph", "pluginGraph", struct {
		Results vaultmind.Hits `json:"results"`
	}{}),
	{method: "GET", path: "/vm/pending", name: "pluginPending", text: "Always empty: what waits for a person is a job here.", answer: struct {
		Pending []string `json:"pending"`
	}{}},
	{method: "GET", path: "/vm/stats", name: "pluginStats", answer: vaultmind.Collections{}, refusals: asksEngine, text: "Lists the vaults as collections."},
	{method: "POST", path: "/vm/setup", name: "pluginSetup", answer: api.Done{}, text: "Takes what the plugin tells, and does nothing."},
	{method: "POST", path: "/vault-mind/context", name: "pluginContext", unread: true, answer: api.Done{}, text: "Takes where the plugin's cursor is, and does nothing."},
}

// pluginSearch is a call that searches; three of them differ in what is around their hits.
func pluginSearch(path, name string, answer any) call {
	return call{method: "POST", path: path, name: name, answer: answer, refusals: refused(asksEngine, []string{"415 content_type"}),
		request: struct {
			Collection string `json:"collection"` // the name of a vault; any other means all
			Query      string `json:"query"`
			Entity     string `json:"entity"` // looked for where there is no query
			Depth      int    `json:"depth"`  // has no meaning here
			Limit      int    `json:"limit"`  // 10 where it is not said, 100 at most
		}{},
		good: `{"query":"backups","limit":3}`, bad: []attempt{notJSON, {body: `{}`, refusal: "400 bad_request"}},
		text: "Looks for passages, for the Obsidian plugin Vault Mind."}
}
