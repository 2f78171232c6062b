package config

import (
	"maps"
	"slices"
	"strings"
	"time"
)

// setting is one key of the file that is a single value or a list of globs.
type setting struct {
	key   string
	list  bool                           // has no variable
	read  func(c *Config, v value) error // takes the value; the error says what was expected
	check func(c *Config) error          // says what is wrong with the value taken
}

// variable returns the name of the setting in the environment, "" when it has
// none.
func (s setting) variable() string {
	if s.list {
		return ""
	}
	key := strings.TrimPrefix(s.key, "wiki.")
	return "WIKI_" + strings.ToUpper(strings.ReplaceAll(key, ".", "_"))
}

// settings is every key but wiki.vaults and wiki.agents, in the order of the
// documented file.
var settings = []setting{
	globs("wiki.exclude", func(c *Config) *[]string { return &c.Exclude }),
	number("wiki.httpPort", func(c *Config) *int { return &c.HTTPPort }, 1, 65535, "is not a port"),
	duration("wiki.debounce", func(c *Config) *time.Duration { return &c.Debounce }, 0, time.Hour),
	duration("wiki.settle", func(c *Config) *time.Duration { return &c.Settle }, 0, time.Hour),
	number("wiki.context.before", func(c *Config) *int { return &c.Context.Before }, 0, 1000, "is not a number of lines"),
	number("wiki.context.after", func(c *Config) *int { return &c.Context.After }, 0, 1000, "is not a number of lines"),
	choice("wiki.dispatch.mode", func(c *Config) *string { return &c.Dispatch.Mode }, "tasks", "chain"),
	number("wiki.dispatch.concurrency", func(c *Config) *int { return &c.Dispatch.Concurrency }, 1, 3, "tasks at once are not possible"),
	duration("wiki.dispatch.timeout", func(c *Config) *time.Duration { return &c.Dispatch.Timeout }, time.Second, 24*time.Hour),
	choice("wiki.watch.mode", func(c *Config) *string { return &c.Watch.Mode }, watchModes...),
	interval("wiki.watch.pollInterval", func(c *Config) *time.Duration { return &c.Watch.PollInterval }, 100*time.Millisecond, time.Hour),
	number("wiki.limits.perNote", func(c *Config) *int { return &c.Limits.PerNote }, 0, 1_000_000, "is not a number of markers"),
	number("wiki.limits.perHour", func(c *Config) *int { return &c.Limits.PerHour }, 0, 1_000_000, "is not a number of tasks"),
	number("wiki.limits.answerBytes", func(c *Config) *int { return &c.Limits.AnswerBytes }, 0, 64<<20, "is not a size in bytes"),
	globs("wiki.untrusted", func(c *Config) *[]string { return &c.Untrusted }),
	number("wiki.history.bytes", func(c *Config) *int { return &c.History.Bytes }, 0, 1<<20, "is not a size in bytes"),
	number("wiki.enrich.passages", func(c *Config) *int { return &c.Enrich.Passages }, 0, 20, "is not a number of passages"),
	choice("wiki.embedding.provider", func(c *Config) *string { return &c.Embedding.Provider },
		"none", "ollama", "openai", "static"),
	{key: "wiki.embedding.model", check: checkModel,
		read: func(c *Config, v value) error { return v.into(&c.Embedding.Model) }},
	{key: "wiki.embedding.url", check: checkURL,
		read: func(c *Config, v value) error { return v.into(&c.Embedding.URL) }},
	{key: "wiki.embedding.apiKeyEnv", check: checkKeyVariable,
		read: func(c *Config, v value) error { return v.into(&c.Embedding.APIKeyEnv) }},
	number("wiki.embedding.dim", func(c *Config) *int { return &c.Embedding.Dim }, 0, 8192, "is not a number of dimensions"),
	words("wiki.embedding.queryPrefix", func(c *Config) *string { return &c.Embedding.QueryPrefix }),
	words("wiki.embedding.docPrefix", func(c *Config) *string { return &c.Embedding.DocPrefix }),
	number("wiki.embedding.batch", func(c *Config) *int { return &c.Embedding.Batch }, 1, 512, "is not a number of passages"),
	duration("wiki.embedding.timeout", func(c *Config) *time.Duration { return &c.Embedding.Timeout }, time.Second, time.Hour),
	decimal("wiki.embedding.weight", func(c *Config) *float64 { return &c.Embedding.Weight }, 0, 10, "is not a weight"),
	flag("wiki.graph.enabled", func(c *Config) *bool { return &c.Graph.Enabled }),
	globs("wiki.index.exclude", func(c *Config) *[]string { return &c.Index.Exclude }),
	{key: "wiki.broadcast.folder", check: checkFolder,
		read: func(c *Config, v value) error { return v.into(&c.Broadcast.Folder) }},
	choice("wiki.progress", func(c *Config) *string { return &c.Progress }, "none", "note"),
	flag("wiki.notify", func(c *Config) *bool { return &c.Notify }),
	{key: "wiki.owner", check: checkOwner,
		read: func(c *Config, v value) error { return v.into(&c.Owner) }},
}

var watchModes = []string{"auto", "fsnotify", "poll"}

const (
	vaultsKey      = "wiki.vaults"
	agentsKey      = "wiki.agents"
	vaultsVariable = "WIKI_VAULTS"
)

// known maps a key in lower case to its spelling; blocks are those keys that
// only hold others.
var known, blocks = spellings()

// knownKeys is every key, in alphabetical order.
var knownKeys = slices.Sorted(maps.Values(known))

func spellings() (known map[string]string, blocks map[string]bool) {
	known = map[string]string{vaultsKey: vaultsKey, agentsKey: agentsKey}
	blocks = make(map[string]bool)
	for _, s := range settings {
		known[strings.ToLower(s.key)] = s.key
		for block := parent(s.key); block != ""; block = parent(block) {
			known[strings.ToLower(block)] = block
			blocks[block] = true
		}
	}
	return known, blocks
}

// parent returns the block a key is in, "" at the top.
func parent(key string) string {
	return key[:max(0, strings.LastIndexByte(key, '.'))]
}
