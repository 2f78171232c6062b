package installer

import (
	"errors"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"vaultdispatcher/assets"
	"vaultdispatcher/engine/config"
)

// What is as it was is not touched, and what is wrong is told in a sentence.
func TestDifference(t *testing.T) {
	notes := filepath.Join(t.TempDir(), "Notes")
	url := func(text string) *string { return &text }
	now := config.Default()
	now.Vaults, now.HTTPPort = []config.Vault{{Path: notes}}, 11435
	now.Agents["Miner"] = config.Agent{Runner: "claude", Model: "opus"}
	now.Embedding = config.Embedding{Provider: "ollama", Model: "m", URL: "http://nas"}
	same := Choice{Vaults: []string{notes, notes}, Agent: "claude", AgentModel: "opus", Provider: "ollama", Model: "m"}
	for _, test := range []struct {
		change func(*Choice)
		want   Choice
		wrong  string
	}{
		{func(*Choice) {}, Choice{}, ""},
		{func(c *Choice) { c.Agent, c.AgentModel = "", "" }, Choice{}, ""},
		{func(c *Choice) { c.AgentModel = "" }, Choice{Agent: "claude", Roles: []Role{{Role: "Miner", Agent: "claude"}, {Role: "*", Agent: "claude"}}}, ""},
		{func(c *Choice) { c.Agent, c.AgentModel = "ollama", "qwen3:8b" }, Choice{Agent: "ollama", AgentModel: "qwen3:8b"}, ""},
		{func(c *Choice) { c.Provider, c.Model = "none", "" }, Choice{Provider: "none"}, ""},
		{func(c *Choice) { c.URL = url("http://nas") }, Choice{}, ""},
		{func(c *Choice) { c.URL = url(" http://attic ") }, Choice{URL: url("http://attic")}, ""},
		{func(c *Choice) { c.URL = url("") }, Choice{URL: url("")}, ""},
		{func(c *Choice) { c.Provider, c.URL = "openai", url("http://nas") }, Choice{Provider: "openai", Model: "m", URL: url("http://nas")}, ""},
		{func(c *Choice) { c.Provider = "openai" }, Choice{Provider: "openai", Model: "m"}, ""},
		{func(c *Choice) { c.Provider, c.URL = "static", url("http://nas") }, Choice{Provider: "static", Model: "m"}, ""},
		{func(c *Choice) { c.Port = 11500 }, Choice{Port: 11500}, ""},
		{func(c *Choice) { c.Port = 11435 }, Choice{}, ""},
		{func(c *Choice) { c.Agent = "nobody" }, Choice{}, "no such agent"},
		{func(c *Choice) { c.Agent, c.AgentModel = "ollama", "" }, Choice{}, "needs a model"},
		{func(c *Choice) { c.Vaults = []string{"notes"} }, Choice{}, `"notes" is no whole path`},
		{func(c *Choice) { c.Vaults = []string{"Notes\nmore"} }, Choice{}, `"Notes\nmore" holds a character`},
		{func(c *Choice) { c.AgentModel = "opus\x00" }, Choice{}, "invalid model name"},
		{func(c *Choice) { c.Model = "m\nurl: x" }, Choice{}, "invalid model name"},
		{func(c *Choice) { c.Model = strings.Repeat("m", 60000) }, Choice{}, "invalid model name"},
	} {
		c := same
		test.change(&c)
		got, err := Difference(c, now)
		if test.wrong != "" {
			if err == nil || !strings.Contains(err.Error(), test.wrong) {
				t.Errorf("%+v: %v, want %s", c, err, test.wrong)
			}
			continue
		}
		test.want.Vaults = []string{notes}
		if err != nil || !reflect.DeepEqual(got, test.want) {
			t.Errorf("%+v: %+v, %v, want %+v", c, got, err, test.want)
		}
	}
}

// What a role is answered by already is no choice, and what cannot be is told beside
// its field.
func TestDifferentRoles(t *testing.T) {
	now := config.Default()
	now.Agents["Editor"] = config.Agent{Runner: "claude", Model: "opus"}
	now.Agents["Own"] = config.Agent{Runner: "command", Command: []string{"my-agent"}}
	now.Agents["Far"] = config.Agent{Runner: "acp", Command: []string{"far"}, Model: "m"}
	if got, err := differentRoles(AllRoles(now, assets.Agents()), now); err != nil || got != nil {
		t.Errorf("what is so already: %+v, %v", got, err)
	}
	for _, test := range []struct {
		wanted Role
		want   Role
		field  string
	}{
		{Role{Role: "editor", Agent: "claude"}, Role{Role: "editor", Agent: "claude"}, ""},
		{Role{Role: "Editor", Agent: "none"}, Role{Role: "Editor", Agent: "none"}, ""},
		{Role{Role: "Manager", Agent: "builtin"}, Role{Role: "Manager", Agent: "builtin"}, ""},
		{Role{Role: "Far", Model: "n"}, Role{Role: "Far", Model: "n"}, ""},
		{Role{Role: "*", Agent: "pi", Runner: "claude", Kept: true}, Role{Role: "*", Agent: "pi"}, ""},
		{Role{Role: "2nd"}, Role{}, "role-name"},
		{Role{Agent: "claude"}, Role{}, "role-name"},
		{Role{Role: "Own", Agent: "none"}, Role{}, "role-agent"},
		{Role{Role: "Own", Model: "m"}, Role{}, "role-model"},
		{Role{Role: "Editor", Agent: "chatgpt"}, Role{}, "role-agent"},
		{Role{Role: "Editor", Agent: "ollama"}, Role{}, "role-model"},
	} {
		got, err := differentRoles([]Role{test.wanted}, now)
		if test.field == "" {
			if err != nil || !reflect.DeepEqual(got, []Role{test.want}) {
				t.Errorf("%+v: %+v, %v", test.wanted, got, err)
			}
			continue
		}
		if wrong, ok := errors.AsType[*Refusal](err); !ok || wrong.Field != test.field || wrong.Value != test.wanted.Role {
			t.Errorf("%+v: %+v", test.wanted, wrong)
		}
	}
}

// Those that are defined are offered, spelled as people do.
func TestAllRoles(t *testing.T) {
	var names []string
	for _, r := range AllRoles(config.Default(), assets.Agents()) {
		names = append(names, r.Role)
	}
	if want := []string{"Broadcaster", "Critic", "Editor", "Heavy-Lifter", "Manager", "Miner", "Minutes", "Planner", "Translator", "*"}; !reflect.DeepEqual(names, want) {
		t.Errorf("%q", names)
	}
}

func TestOwnModel(t *testing.T) {
	now := config.Default()
	now.Agents["Miner"] = config.Agent{Runner: "claude", Model: "opus"}
	for agent, want := range map[string]int{"claude": 2, "pi": 0, "": 0} {
		if got := ownModel(Choice{Agent: agent}, Chosen(now)); len(got) != want {
			t.Errorf("%q: %+v", agent, got)
		}
	}
	if got := ownModel(Choice{Agent: "claude", AgentModel: "sonnet"}, Chosen(now)); got != nil {
		t.Errorf("%+v", got)
	}
}

// A folder that is refused is told of in one sentence, which numbers no vaults.
func TestParseFolder(t *testing.T) {
	whole := filepath.VolumeName(t.TempDir()) + string(filepath.Separator)
	for folder, want := range map[string]string{
		whole:           `"` + whole + `" is a whole file system; choose a folder in it`,
		"~nobody/Notes": `"~nobody/Notes": only your own home is known; write ~/... or an absolute path`,
		"Notes":         `"Notes" is no whole path; write it from ~ or the root on`,
		"":              `"" is no whole path; write it from ~ or the root on`,
	} {
		if got, err := ParseFolder(folder); err == nil || err.Error() != want {
			t.Errorf("%q became %q, %v; want %s", folder, got, err, want)
		}
	}
	if got, err := ParseFolder(filepath.Join(whole, "a", "..", "Notes")); err != nil || got != filepath.Join(whole, "Notes") {
		t.Errorf("it became %q, %v", got, err)
	}
}
