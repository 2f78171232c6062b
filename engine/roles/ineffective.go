package roles

import (
	"fmt"

	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/config/runners"
)

// Ineffective returns one sentence for each setting that was changed from its
// default and does nothing in this version, so that no user relies on it.
func Ineffective(cfg config.Config) []string {
	var sentences []string
	for _, role := range cfg.Roles() {
		a := cfg.Agents[role]
		runner, _ := runners.Find(a.Runner)
		for _, setting := range []struct {
			key   string
			isSet bool
		}{{"command", len(a.Command) > 0}, {"trust", a.Trust}, {"agent", a.Author != ""}, {"contextTokens", a.ContextTokens > 0}} {
			if setting.isSet && runner.Ignores(setting.key) {
				sentences = append(sentences, fmt.Sprintf("wiki.agents.%s: %s has no effect on the runner %s", role, setting.key, a.Runner))
			}
		}
		switch {
		case runner.Ignores("model") && (a.Tools == "read" || a.Session != "" || a.Model != ""):
			sentences = append(sentences, fmt.Sprintf("wiki.agents.%s: model, tools and session have no effect on the runner %s", role, a.Runner))
		case !runner.Ignores("model") && runner.Ignores("session") && a.Session != "":
			sentences = append(sentences, fmt.Sprintf("wiki.agents.%s: session has no effect on the runner %s", role, a.Runner))
		}
	}
	return sentences
}
