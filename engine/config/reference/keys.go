package reference

import (
	"strings"

	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/config/runners"
	"vaultdispatcher/engine/config/yamltext"
)

// text is the part of a key's description that the schema does not have: an example in the form in
// which `wiki config get` shows it, a sentence, and the value that counts while the key is not set.
type text struct{ example, text, unset string }

// texts describes each key of [Keys].
var texts = map[string]text{
	"wiki.vaults": {"[~/Notes, {path: ~/Team, name: Our team, watch: poll, paused: true}]",
		"the folders of notes; each may have a `name`, how it is watched (`watch`: `auto`, `fsnotify` or `poll`), and `paused`", "none"},
	"wiki.exclude":              {`["Templates/**", "Archive/**"]`, "notes in which nothing is asked, as patterns of paths in the vault", ""},
	"wiki.httpPort":             {"11500", "the port of the loopback server, on 127.0.0.1", ""},
	"wiki.debounce":             {"500ms", "how long a note rests after a save before it is read", ""},
	"wiki.settle":               {"4s", "how long the line of a question must stay as it is before it is taken up; 0 for at once", ""},
	"wiki.context.before":       {"50", "the lines above a question that go with it", ""},
	"wiki.context.after":        {"20", "the lines below a question that go with it", ""},
	"wiki.context.bytes":        {"32768", "how much of them, in bytes: the lines furthest from the question are left out first; 0 for no limit", ""},
	"wiki.context.comments":     {"true", "whether comments of the note (`<!-- -->`, `%% %%`) go with it too", ""},
	"wiki.dispatch.mode":        {"chain", "`tasks`: the groups of a note side by side; `chain`: one after the other, and each sees the answer before it", ""},
	"wiki.dispatch.concurrency": {"2", "agents at work at once, 1 to 3", ""},
	"wiki.dispatch.timeout":     {"20m", "how long an agent may take", ""},
	"wiki.watch.mode":           {"poll", "how saves are noticed: `auto`, `fsnotify` (notifications of the system) or `poll`", ""},
	"wiki.watch.pollInterval":   {"5s", "how often a folder is polled where the system tells nothing", "the watcher decides"},
	"wiki.limits.perNote":       {"20", "more questions than this in a note wait for you; 0 for no limit", ""},
	"wiki.limits.perHour":       {"30", "calls in an hour of agents that may cost money, second tries too; 0 for no limit", ""},
	"wiki.limits.perDay":        {"100", "calls in a day of agents that may cost money, second tries too; 0 for no limit", ""},
	"wiki.limits.dollarsPerDay": {"2.5", "dollars in a day for agents that may cost money; what comes then waits until midnight; 0 for no limit", ""},
	"wiki.limits.tokensPerDay":  {"2000000", "tokens in a day of agents that may cost money, read and written; 0 for no limit", ""},
	"wiki.limits.burst":         {"25", "more questions than this that come at once with new notes wait for you; 0 for never", ""},
	"wiki.limits.answerBytes":   {"65536", "the longest answer, in bytes; 0 for no limit", ""},
	"wiki.untrusted":            {`["**/Clippings/**", "Inbox/**"]`, "notes whose first questions wait until you release them", ""},
	"wiki.private":              {`["Diary/**", "**/Health.md"]`, "notes of which nothing leaves the machine", "nothing"},
	"wiki.history.scope":        {"thread", "the earlier questions and answers an agent sees: `none`, `thread`, `note` or `vault`", ""},
	"wiki.history.bytes":        {"4096", "how much of them, in bytes", ""},
	"wiki.enrich.passages":      {"3", "passages of other notes that go with a question, 0 to 20", ""},
	"wiki.embedding.provider":   {"ollama", "who makes vectors of texts: `none`, `ollama`, `openai` (any server with `/v1/embeddings`) or `static` (a folder); set the model first", ""},
	"wiki.embedding.model":      {"embeddinggemma", "the name of the model at its server, or its folder", ""},
	"wiki.embedding.url":        {"http://127.0.0.1:11434", "the address of the server; the text of your notes goes there", "Ollama's on this machine"},
	"wiki.embedding.apiKeyEnv":  {"EMBEDDING_KEY", "the name of the environment variable that holds the key of the server", "no key"},
	"wiki.embedding.dim":        {"256", "numbers of a vector", "what the model gives"},
	"wiki.embedding.queryPrefix": {`"search_query: "`, "what the model wants in front of a query; `none` for nothing",
		"as its makers say"},
	"wiki.embedding.docPrefix": {`"title: {title} | text: "`, "what the model wants in front of a passage, whose title `{title}` stands for; `none` for nothing",
		"as its makers say"},
	"wiki.embedding.batch":            {"8", "passages of one request", ""},
	"wiki.embedding.timeout":          {"30s", "how long a request may take", ""},
	"wiki.embedding.weight":           {"1.5", "how much meaning counts in a search, where words have 2", ""},
	"wiki.graph.enabled":              {"false", "whether links between notes count in a search", ""},
	"wiki.index.exclude":              {`["Archive/**"]`, "notes that are not searched", "nothing"},
	"wiki.broadcast.folder":           {"Media/Made", "the folder of a vault for what the Broadcaster makes", ""},
	"wiki.broadcast.speech.engine":    {"espeak-ng", "what reads aloud: `auto`, `espeak-ng`, `say`, `sapi`, `command`, `server` or `none`", ""},
	"wiki.broadcast.speech.command":   {`[my-voice, "{voice}", "{lang}"]`, "the program of the engine `command`: a text on its input, a WAV file on its output", ""},
	"wiki.broadcast.speech.url":       {"http://127.0.0.1:8880/v1", "the address of the engine `server`", ""},
	"wiki.broadcast.speech.model":     {"kokoro", "the model of the engine `server`", ""},
	"wiki.broadcast.speech.apiKeyEnv": {"SPEECH_KEY", "the name of the environment variable that holds the key of the engine `server`", "no key"},
	"wiki.broadcast.speech.voices":    {"[af_bella, am_adam]", "who speaks where the question names nobody", ""},
	"wiki.approve.by":                 {"all", "whose answers wait for your yes before they are written: `roles`, each by its own `approve`, or `all`", ""},
	"wiki.approve.inNote":             {"true", "whether `yes` or `no` to its role, typed below a question, decides about its answer; needs `progress: note`", ""},
	"wiki.progress":                   {"note", "where a running question shows its progress in the note: `none`, or `note` for a comment", ""},
	"wiki.notify":                     {"false", "notifications of the desktop", ""},
	"wiki.hub.listen":                 {"0.0.0.0:11437", "where `wiki hub` listens for workers", "127.0.0.1:11437"},
	"wiki.queue.url":                  {"tls://nats.example.org:4222", "a NATS cluster of yours that has the queue", "the hub on this machine"},
	"wiki.queue.credentials":          {"~/team.creds", "the file that opens the queue, a hub's or NATS's own", "that of the hub on this machine"},
	"wiki.queue.name":                 {"laptop", "the name of this engine in the queue", "as the credentials say"},
	"wiki.owner":                      {"desk", "the host name of the one machine that answers where several share a vault", "this one"},
	"wiki.metrics":                    {"open", "who may read `GET /metrics`: `token`, or `open` for every program of this machine", ""},
	"wiki.agents":                     {"{Broadcaster: {runner: broadcast}, Editor: {runner: claude, tools: read}, Miner: {runner: builtin}}", "who answers each role; `\"*\"` is every role without an entry", ""},
	"wiki.agents.ROLE":                {"{runner: claude, model: opus, tools: read, timeout: 5m}", "who answers a role, with the keys below", ""},
	"wiki.agents.ROLE.runner":         {"claude", runnerNames(), ""},
	"wiki.agents.ROLE.command":        {"[my-agent, --json]", "program and arguments of the runners `command` and `acp`; for an agent program the path alone, where it is not found by its name", ""},
	"wiki.agents.ROLE.answer":         {".result", "where the answer of a `command` is: `stdout`, or a path into its JSON", "stdout"},
	"wiki.agents.ROLE.model":          {"opus", "the model that the program or server is asked for", "the runner's own"},
	"wiki.agents.ROLE.tools":          {"read", "`none`, or `read`: it reads the notes of the vault", "none"},
	"wiki.agents.ROLE.timeout":        {"5m", "how long one task may take", "`wiki.dispatch.timeout`"},
	"wiki.agents.ROLE.env":            {"{HTTPS_PROXY: \"http://127.0.0.1:3128\"}", "variables that are added to the agent's environment", ""},
	"wiki.agents.ROLE.session":        {"my-session", "a session of the program that every task is forked from", ""},
	"wiki.agents.ROLE.url":            {"http://127.0.0.1:11434/v1", "the address of the model's server, for the runner `openai`", ""},
	"wiki.agents.ROLE.apiKeyEnv":      {"MODELS_KEY", "the name of the environment variable that holds the server's key", "no key"},
	"wiki.agents.ROLE.approve":        {"true", "whether its answers wait for your yes before they are written; `false` lets even its edits of a note go without", "`true` for edits, else `false`"},
	"wiki.agents.ROLE.writes":         {"section", "`answer`, or `section`: its answer takes the place of the text above the question", "as its file says, or `answer`"},
	"wiki.agents.ROLE.trust":          {"true", "its program may run where nothing is known to confine it", ""},
	"wiki.agents.ROLE.enrich":         {"false", "whether its tasks get passages of other notes", ""},
	"wiki.agents.ROLE.costs":          {"false", "whether its answers may cost money, and so count for the limits", ""},
	"wiki.agents.ROLE.agent":          {"none", "for the runner `broadcast`: the role whose agent writes, `none` for nobody's", "that of `\"*\"`"},
	"wiki.agents.ROLE.history":        {"{scope: note, bytes: 4096}", "what it sees of earlier questions, where that is not `wiki.history`", "`wiki.history`"},
	"wiki.agents.ROLE.context":        {"{comments: true}", "whether comments go with its questions, where that is not as in `wiki.context`", "`wiki.context`"},
	"wiki.agents.ROLE.local":          {"true", "what it is told stays on this machine, whatever its runner", ""},
	"wiki.agents.ROLE.private":        {"true", "what it was asked and answered goes to no program that leaves the machine", ""},
	"wiki.agents.ROLE.label":          {"gpu", "for the runner `worker`: it asks machines with this label", "those that answer the role"},
	"wiki.agents.ROLE.price":          {"{in: 3, out: 15}", "dollars for a million tokens read and written, where its program does not tell what it costs", ""},
	"wiki.agents.ROLE.limits":         {"{tokensPerDay: 500000}", "`dollarsPerDay` and `tokensPerDay` of this role alone", ""},
	"wiki.agents.ROLE.contextTokens":  {"32768", "how much its model reads at once", "as its server says"},

	"wiki.webhook.url":        {"https://ntfy.sh/your-topic", "the address, with the topic for ntfy; one that is a secret belongs in the variable", "nobody is told"},
	"wiki.webhook.format":     {"slack", "what the server reads: `ntfy`, `json` or `slack`", ""},
	"wiki.webhook.text":       {"answer", "what it is told: `off` (that something happened), `title` (with the note's name and the role) or `answer`", ""},
	"wiki.webhook.tokenEnv":   {"NTFY_TOKEN", "the name of the environment variable that holds the server's token", "no token"},
	"wiki.webhook.replyTopic": {"your-replies", "the ntfy topic over which you accept and reject from the phone", "nobody does"},

	"wiki.schedule": {"[{every: \"Monday 8:00\", role: Miner, note: Open.md, instruction: \"what is open?\"}]",
		"questions that come again: `every` such as `Monday 8:00`, `day 18:30`, `2 hours` or `0 8 * * 1`, `role`, `instruction`, `note` (the note of the day without one), `keep` (how many answers stay, 0 = all), `newest` (`last`, or `first`: where the newest answer is) and `vault`", "none"},
}

// runnerNames names the runners there are.
func runnerNames() string {
	names := runners.Names()
	last := len(names) - 1
	return "`" + strings.Join(names[:last], "`, `") + "` or `" + names[last] + "`"
}

// agentField is one key of a role.
type agentField struct {
	name  string
	value func(a config.Agent) any
}

// agentFields lists them in the order in which they are written.
var agentFields = []agentField{
	{"runner", func(a config.Agent) any { return a.Runner }},
	{"command", func(a config.Agent) any { return a.Command }},
	{"answer", func(a config.Agent) any { return a.Answer }},
	{"model", func(a config.Agent) any { return a.Model }},
	{"tools", func(a config.Agent) any { return a.Tools }},
	{"timeout", func(a config.Agent) any { return a.Timeout }},
	{"env", func(a config.Agent) any { return a.Env }},
	{"session", func(a config.Agent) any { return a.Session }},
	{"url", func(a config.Agent) any { return a.URL }},
	{"apiKeyEnv", func(a config.Agent) any { return a.KeyEnv }},
	{"approve", func(a config.Agent) any { return a.Approve != nil && *a.Approve }},
	{"writes", func(a config.Agent) any { return a.Writes }},
	{"trust", func(a config.Agent) any { return a.Trust }},
	{"enrich", func(a config.Agent) any { return !a.Plain }},
	{"costs", func(a config.Agent) any { return !a.Free }},
	{"agent", func(a config.Agent) any { return a.Author }},
	{"history", historyOf},
	{"context", contextOf},
	{"local", func(a config.Agent) any { return a.Local }},
	{"private", func(a config.Agent) any { return a.Private }},
	{"label", func(a config.Agent) any { return a.Label }},
	{"price", func(a config.Agent) any { return pairsSet("in", a.Price.Input, "out", a.Price.Output) }},
	{"limits", func(a config.Agent) any {
		return pairsSet("dollarsPerDay", a.Limits.DollarsPerDay, "tokensPerDay", a.Limits.TokensPerDay)
	}},
	{"contextTokens", func(a config.Agent) any { return a.ContextTokens }},
}

// scheduleOf is the list of the questions that come again.
func scheduleOf(all []config.Scheduled) []any {
	list := []any{}
	for _, s := range all {
		pairs := yamltext.Pairs{}
		for _, p := range []yamltext.Pair{{Key: "every", Value: s.Every}, {Key: "role", Value: s.Role}, {Key: "vault", Value: s.Vault}, {Key: "note", Value: s.Note}, {Key: "instruction", Value: s.Instruction}, {Key: "keep", Value: s.Keep}} {
			if p.Value != "" && p.Value != 0 {
				pairs = append(pairs, p)
			}
		}
		list = append(list, pairs)
	}
	return list
}

// pairsSet is a block of two numbers without those that are 0.
func pairsSet[A, B int | float64](a string, first A, b string, second B) yamltext.Pairs {
	all := yamltext.Pairs{}
	if first != 0 {
		all = append(all, yamltext.Pair{Key: a, Value: first})
	}
	if second != 0 {
		all = append(all, yamltext.Pair{Key: b, Value: second})
	}
	return all
}

func contextOf(a config.Agent) any {
	if a.Comments == nil {
		return yamltext.Pairs{}
	}
	return yamltext.Pairs{{Key: "comments", Value: *a.Comments}}
}

func historyOf(a config.Agent) any {
	if a.History == nil {
		return yamltext.Pairs{}
	}
	return yamltext.Pairs{{Key: "scope", Value: a.History.Scope}, {Key: "bytes", Value: a.History.Bytes}}
}
