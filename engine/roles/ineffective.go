package roles

import (
	"fmt"

	"vaultdispatcher/engine/config"
)

// Ineffective returns one sentence for each setting that was changed from its
// default and does nothing in this version, so that no user relies on it.
func Ineffective(cfg config.Config) []string {
	var sentences []string
	for _, role := range cfg.Roles() {
		a := cfg.Agents[role]
		plain := a.Runner == "builtin" || a.Runner == "worker" || a.Runner == "command" || a.Runner == "broadcast"
		unconfined := plain || a.Runner == "openai"
		model := a.Runner == "openai" || a.Runner == "acp" || a.Runner == "pi-subagents"
		if unconfined && a.Trust {
			sentences = append(sentences, fmt.Sprintf("wiki.agents.%s: trust has no effect on the runner %s", role, a.Runner))
		}
		if a.Author != "" && a.Runner != "broadcast" {
			sentences = append(sentences, fmt.Sprintf("wiki.agents.%s: agent has no effect on the runner %s", role, a.Runner))
		}
		if a.ContextTokens > 0 && a.Runner != "openai" {
			sentences = append(sentences, fmt.Sprintf("wiki.agents.%s: contextTokens has no effect on the runner %s", role, a.Runner))
		}
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
