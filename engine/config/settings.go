package config

import (
	"maps"
	"slices"
	"strings"
	"time"
)

// setting is one key of the file that is a single value or a list of patterns.
type setting struct {
	key   string
	field func(c *Config) any   // a pointer to the value
	check func(c *Config) error // an error if the value is wrong
}

// valueOf returns the setting of a field whose check needs no other field.
func valueOf[T any](key string, field func(*Config) *T, check func(T) error) setting {
	return setting{key,
		func(c *Config) any { return field(c) },
		func(c *Config) error { return check(*field(c)) }}
}

// variableName returns the setting's name in the environment, "" for a list, which has
// none.
func (s setting) variableName() string {
	if _, isList := s.field(new(Config)).(*[]string); isList {
		return ""
	}
	key := strings.TrimPrefix(s.key, "wiki.")
	return "WIKI_" + strings.ToUpper(strings.ReplaceAll(key, ".", "_"))
}

// settings lists every key but wiki.vaults and wiki.agents, in the order of the
// documented file.
var settings = []setting{
	valueOf("wiki.exclude", func(c *Config) *[]string { return &c.Exclude }, checkPatterns),
	valueOf("wiki.httpPort", func(c *Config) *int { return &c.HTTPPort }, numberWithin(1, 65535, "is not a port")),
	valueOf("wiki.debounce", func(c *Config) *time.Duration { return &c.Debounce }, durationWithin(0, time.Hour)),
	valueOf("wiki.settle", func(c *Config) *time.Duration { return &c.Settle }, durationWithin(0, time.Hour)),
	valueOf("wiki.context.before", func(c *Config) *int { return &c.Context.LinesAbove }, numberWithin(0, 1000, "is not a number of lines")),
	valueOf("wiki.context.after", func(c *Config) *int { return &c.Context.LinesBelow }, numberWithin(0, 1000, "is not a number of lines")),
	valueOf("wiki.context.bytes", func(c *Config) *int { return &c.Context.Bytes }, unlessZero(numberWithin(1<<10, 16<<20, "is not a size in bytes"))),
	valueOf("wiki.context.comments", func(c *Config) *bool { return &c.Context.Comments }, acceptAny),
	valueOf("wiki.dispatch.mode", func(c *Config) *string { return &c.Dispatch.Mode }, oneOf("tasks", "chain")),
	valueOf("wiki.dispatch.concurrency", func(c *Config) *int { return &c.Dispatch.Concurrency }, numberWithin(1, 3, "tasks at once are not possible")),
	valueOf("wiki.dispatch.timeout", func(c *Config) *time.Duration { return &c.Dispatch.Timeout }, durationWithin(time.Second, 24*time.Hour)),
	valueOf("wiki.watch.mode", func(c *Config) *string { return &c.Watch.Mode }, oneOf(watchModes...)),
	valueOf("wiki.watch.pollInterval", func(c *Config) *time.Duration { return &c.Watch.PollInterval },
		unlessZero(durationWithin(100*time.Millisecond, time.Hour))),
	valueOf("wiki.limits.perNote", func(c *Config) *int { return &c.Limits.PerNote }, numberWithin(0, 1_000_000, "is not a number of markers")),
	valueOf("wiki.limits.perHour", func(c *Config) *int { return &c.Limits.PerHour }, numberWithin(0, 1_000_000, "is not a number of tasks")),
	valueOf("wiki.limits.perDay", func(c *Config) *int { return &c.Limits.PerDay }, numberWithin(0, 1_000_000, "is not a number of tasks")),
	valueOf("wiki.limits.dollarsPerDay", func(c *Config) *float64 { return &c.Limits.DollarsPerDay }, checkDollars),
	valueOf("wiki.limits.tokensPerDay", func(c *Config) *int { return &c.Limits.TokensPerDay }, checkTokens),
	valueOf("wiki.limits.burst", func(c *Config) *int { return &c.Limits.Burst }, numberWithin(0, 1_000_000, "is not a number of markers")),
	valueOf("wiki.limits.answerBytes", func(c *Config) *int { return &c.Limits.AnswerBytes }, numberWithin(0, 64<<20, "is not a size in bytes")),
	valueOf("wiki.untrusted", func(c *Config) *[]string { return &c.Untrusted }, checkPatterns),
	valueOf("wiki.private", func(c *Config) *[]string { return &c.Private }, checkPatterns),
	valueOf("wiki.history.scope", func(c *Config) *string { return &c.History.Scope }, checkScope),
	valueOf("wiki.history.bytes", func(c *Config) *int { return &c.History.Bytes }, checkHistoryBytes),
	valueOf("wiki.enrich.passages", func(c *Config) *int { return &c.Enrich.Passages }, numberWithin(0, 20, "is not a number of passages")),
	valueOf("wiki.embedding.provider", func(c *Config) *string { return &c.Embedding.Provider },
		CheckProvider),
	{"wiki.embedding.model", func(c *Config) any { return &c.Embedding.Model }, checkModel},
	{"wiki.embedding.url", func(c *Config) any { return &c.Embedding.URL }, checkURL},
	valueOf("wiki.embedding.apiKeyEnv", func(c *Config) *string { return &c.Embedding.APIKeyEnv }, checkVariableName),
	valueOf("wiki.embedding.dim", func(c *Config) *int { return &c.Embedding.Dim }, numberWithin(0, 8192, "is not a number of dimensions")),
	valueOf("wiki.embedding.queryPrefix", func(c *Config) *string { return &c.Embedding.QueryPrefix }, acceptAny),
	valueOf("wiki.embedding.docPrefix", func(c *Config) *string { return &c.Embedding.DocPrefix }, acceptAny),
	valueOf("wiki.embedding.batch", func(c *Config) *int { return &c.Embedding.Batch }, numberWithin(1, 512, "is not a number of passages")),
	valueOf("wiki.embedding.timeout", func(c *Config) *time.Duration { return &c.Embedding.Timeout }, durationWithin(time.Second, time.Hour)),
	valueOf("wiki.embedding.weight", func(c *Config) *float64 { return &c.Embedding.Weight }, numberWithin(0.0, 10, "is not a weight")),
	valueOf("wiki.graph.enabled", func(c *Config) *bool { return &c.Graph.Enabled }, acceptAny),
	valueOf("wiki.index.exclude", func(c *Config) *[]string { return &c.Index.Exclude }, checkPatterns),
	valueOf("wiki.broadcast.folder", func(c *Config) *string { return &c.Broadcast.Folder }, checkFolder),
	valueOf("wiki.broadcast.speech.engine", func(c *Config) *string { return &c.Broadcast.Engine }, oneOf("auto", "espeak-ng", "say", "sapi", "command", "server", "none")),
	valueOf("wiki.broadcast.speech.command", func(c *Config) *[]string { return &c.Broadcast.Command }, acceptAny),
	valueOf("wiki.broadcast.speech.url", func(c *Config) *string { return &c.Broadcast.URL }, acceptAny),
	valueOf("wiki.broadcast.speech.model", func(c *Config) *string { return &c.Broadcast.Model }, acceptAny),
	valueOf("wiki.broadcast.speech.apiKeyEnv", func(c *Config) *string { return &c.Broadcast.APIKeyEnv }, checkVariableName),
	valueOf("wiki.broadcast.speech.voices", func(c *Config) *[]string { return &c.Broadcast.Voices }, acceptAny),
	valueOf("wiki.approve.by", func(c *Config) *string { return &c.Approve.Rule }, oneOf("roles", "all")),
	{"wiki.approve.inNote", func(c *Config) any { return &c.Approve.InNote }, checkInNote},
	valueOf("wiki.progress", func(c *Config) *string { return &c.Progress }, oneOf("none", "note")),
	valueOf("wiki.notify", func(c *Config) *bool { return &c.Notify }, acceptAny),
	{"wiki.webhook.url", func(c *Config) any { return &c.Webhook.URL }, checkWebhook},
	valueOf("wiki.webhook.format", func(c *Config) *string { return &c.Webhook.Format }, oneOf("ntfy", "json", "slack")),
	valueOf("wiki.webhook.text", func(c *Config) *string { return &c.Webhook.Text }, oneOf("off", "title", "answer")),
	valueOf("wiki.webhook.tokenEnv", func(c *Config) *string { return &c.Webhook.TokenEnv }, checkVariableName),
	{"wiki.webhook.replyTopic", func(c *Config) any { return &c.Webhook.ReplyTopic }, checkReplyTopic},
	valueOf("wiki.hub.listen", func(c *Config) *string { return &c.Queue.Hub }, acceptAny),
	valueOf("wiki.queue.url", func(c *Config) *string { return &c.Queue.URL }, acceptAny),
	valueOf("wiki.queue.credentials", func(c *Config) *string { return &c.Queue.Credentials }, acceptAny),
	valueOf("wiki.queue.name", func(c *Config) *string { return &c.Queue.Name }, checkOwner),
	valueOf("wiki.owner", func(c *Config) *string { return &c.Owner }, checkOwner),
	valueOf("wiki.metrics", func(c *Config) *string { return &c.Metrics }, oneOf("token", "open")),
}

var (
	checkScope        = oneOf(HistoryNone, HistoryThread, HistoryNote, HistoryVault)
	checkHistoryBytes = numberWithin(0, 1<<20, "is not a size in bytes")
)

var watchModes = []string{"auto", "fsnotify", "poll"}

const (
	vaultsKey      = "wiki.vaults"
	agentsKey      = "wiki.agents"
	scheduleKey    = "wiki.schedule"
	vaultsVariable = "WIKI_VAULTS"
)

// known maps a key in lower case to its spelling; blocks are the keys that only contain
// others.
var known, blocks = collectKeys()

// knownKeys lists every key in alphabetical order.
var knownKeys = slices.Sorted(maps.Values(known))

func collectKeys() (known map[string]string, blocks map[string]bool) {
	known = map[string]string{vaultsKey: vaultsKey, agentsKey: agentsKey, scheduleKey: scheduleKey}
	blocks = make(map[string]bool)
	for _, s := range settings {
		known[strings.ToLower(s.key)] = s.key
		for block := parentKey(s.key); block != ""; block = parentKey(block) {
			known[strings.ToLower(block)] = block
			blocks[block] = true
		}
	}
	return known, blocks
}

// parentKey returns the block of a key, "" at the top.
func parentKey(key string) string {
	return key[:max(0, strings.LastIndexByte(key, '.'))]
}
