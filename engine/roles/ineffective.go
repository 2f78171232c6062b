package roles

import (
	"fmt"

	"vaultdispatcher/engine/config"
)

// Ineffective returns one sentence for each setting that was changed from its
// default and does nothing in this version, so that no user relies on it.
func Ineffective(cfg config.Config) []string {
	usual := config.Default()
	var sentences []string
	for _, s := range []struct {
		key     string
		changed bool
	}{
		{"wiki.broadcast", cfg.Broadcast != usual.Broadcast},
	} {
		if s.changed {
			sentences = append(sentences, s.key+" has no effect in this version")
		}
	}
	return append(sentences, ineffectiveAgents(cfg)...)
}

// ineffectiveAgents is Ineffective for the settings of single roles.
func ineffectiveAgents(cfg config.Config) []string {
	var sentences []string
	for _, role := range cfg.Roles() {
		a := cfg.Agents[role]
		plain := a.Runner == "builtin" || a.Runner == "command" || a.Runner == "broadcast"
		model := a.Runner == "openai" || a.Runner == "acp" || a.Runner == "pi-subagents"
		switch {
		case model && a.Session != "":
			sentences = append(sentences, fmt.Sprintf("wiki.agents.%s: session has no effect on the runner %s", role, a.Runner))
		case !plain:
		case a.Tools == "read" || a.Session != "" || a.Model != "":
			sentences = append(sentences, fmt.Sprintf("wiki.agents.%s: model, tools and session have no effect on the runner %s", role, a.Runner))
		}
	}
	return sentences
}
