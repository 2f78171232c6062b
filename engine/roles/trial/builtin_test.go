package trial

import (
	"strings"
	"testing"

	"vaultdispatcher/assets"
	"vaultdispatcher/engine/agent/testdata/fakemodel"
	"vaultdispatcher/engine/config"
)

// Each built-in role asks the model that was chosen in its own words, with an example of a good answer, and nobody before one
// was chosen.
func TestBuiltinRoles(t *testing.T) {
	for role, words := range map[string]string{
		"Editor": "Every fact, number, name", "Translator": "A native reader", "Critic": "Three points at most",
		"Planner": "Five to nine steps", "Minutes": "what was decided, who does what until when",
	} {
		if _, err := Run(t.Context(), config.Default(), assets.Agents(), role, "x"); err == nil || !strings.Contains(err.Error(), "no agent answers the role "+role) {
			t.Errorf("%s is answered without an agent: %v", role, err)
		}
		server := fakemodel.New(t)
		cfg := config.Default()
		cfg.Agents["*"] = config.Agent{Runner: "openai", URL: server.URL, Model: "tiny"}
		tried, err := Run(t.Context(), cfg, assets.Agents(), strings.ToLower(role), "{{SAY as you wish}}")
		if err != nil || tried.Answer != "as you wish" {
			t.Errorf("%s: %q, %v", role, tried.Answer, err)
		}
		calls := server.Calls()
		if len(calls) != 1 || !calls[0].Saw(words) || !calls[0].Saw("\nExample. ") || !calls[0].Saw("do only what the request says") {
			t.Errorf("%s was asked in other words, %d times", role, len(calls))
		}
	}
}
