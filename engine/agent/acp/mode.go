package acp

import (
	"context"
	"fmt"
	"strings"

	sdk "github.com/coder/acp-go-sdk"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/wording"
)

// askingModes are the modes, the better one first, in which an agent asks leave before it acts or cannot act at all;
// the client refuses. Measured with claude-agent-acp 0.101, Qwen Code 0.24 and gemini 0.61 (default), and codex-acp
// 2.6 (read-only). A mode that only plans is not on the list: it reads without asking
// (https://code.claude.com/docs/en/permission-modes).
var askingModes = []string{"read-only", "default"}

// isAgent reports whether an agent has a name in its command or calls itself so.
func isAgent(name string, command []string, info *sdk.Implementation) bool {
	names := strings.Join(command, " ")
	if info != nil {
		names += " " + info.Name
	}
	return strings.Contains(strings.ToLower(names), name)
}

// Reads says, in a few words, what the agent can read without the sandbox of the kernel: what it does not ask leave
// for is not ours to refuse. Measured with codex-acp 2.6, whose mode read-only lets its shell read whatever its user
// may, and with claude-agent-acp 0.101 and gemini 0.61, which read in the folder that they are started in.
func (a Agent) Reads() string {
	switch {
	case isAgent("codex", a.Command, nil):
		return "whatever you may"
	case a.Tools == agent.ToolsRead:
		return "the vault, its hidden files too, and what else it reads without asking"
	}
	return "what it reads without asking"
}

// Refuse returns why the agent is given no task as its role has it, or nil. Qwen Code takes commands in its shell for
// harmless when they only read, and does not ask (measured with 0.24: cat of a file outside of the vault was run and shown).
func (a Agent) Refuse() error { return a.refuseReader(nil) }

// refuseReader is Refuse for an agent that has said who it is.
func (a Agent) refuseReader(info *sdk.Implementation) error {
	if a.Tools != agent.ToolsRead || a.Trust || !isAgent("qwen", a.Command, info) {
		return nil
	}
	return permanentFailure(a.programName() + " runs commands that only read without asking, also outside of the vault; " +
		"give the role tools: none or the runner qwen, or set trust: true for it to let it do what it likes")
}

// choice is the place where a session's mode or model is chosen: an option of the
// configuration, or one of the modes or models.
type choice struct {
	option  sdk.SessionConfigId // "" = the session's modes or models
	current string
	values  []string
}

// findOption returns the option of a configuration that has a category; false if no option has it.
func findOption(category sdk.SessionConfigOptionCategory, options []sdk.SessionConfigOption) (choice, bool) {
	for _, o := range options {
		if o.Select == nil || o.Select.Category == nil || *o.Select.Category != category {
			continue
		}
		c := choice{option: o.Select.Id, current: string(o.Select.CurrentValue)}
		if list := o.Select.Options.Ungrouped; list != nil {
			for _, value := range *list {
				c.values = append(c.values, string(value.Value))
			}
		}
		if groups := o.Select.Options.Grouped; groups != nil {
			for _, group := range *groups {
				for _, value := range group.Options {
					c.values = append(c.values, string(value.Value))
				}
			}
		}
		return c, true
	}
	return choice{}, false
}

// findChoice returns where the mode of a session is chosen; false when nowhere.
func findChoice(modes *sdk.SessionModeState, options []sdk.SessionConfigOption) (choice, bool) {
	if c, ok := findOption(sdk.SessionConfigOptionCategoryMode, options); ok || modes == nil {
		return c, ok
	}
	c := choice{current: string(modes.CurrentModeId)}
	for _, m := range modes.AvailableModes {
		c.values = append(c.values, string(m.Id))
	}
	return c, true
}

// findAsking is the best of the modes that ask, or nothing.
func (c choice) findAsking() string {
	for _, wanted := range askingModes {
		for _, has := range c.values {
			if has == wanted {
				return wanted
			}
		}
	}
	return ""
}

// chooseMode puts the session into a mode that asks, and has the client watch that it keeps the mode. An agent
// without such a mode is refused, unless the role trusts it.
func (s *session) chooseMode(ctx context.Context, begun sdk.NewSessionResponse) error {
	c, _ := findChoice(begun.Modes, begun.ConfigOptions)
	wanted := c.findAsking()
	if wanted == "" {
		if s.agent.Trust {
			return nil
		}
		return permanentFailure(s.explainUnasking(c.values))
	}
	if c.current != wanted || s.agent.Model != "" { // another model may have brought another mode
		now, err := s.setMode(ctx, begun.SessionId, c, wanted)
		if err != nil {
			return s.findCause(ctx, err)
		}
		if now != wanted {
			return permanentFailure(fmt.Sprintf("%s was told to work in its mode %q and is in %q", s.agent.programName(), wanted, wording.Clip(now)))
		}
	}
	s.client.watchMode(wanted)
	return nil
}

func (s *session) explainUnasking(modes []string) string {
	has := "it has no modes"
	if len(modes) > 0 {
		has = "its modes are " + strings.Join(modes, ", ")
	}
	return wording.Clip(fmt.Sprintf("%s has no mode that is known to ask before it acts (%s); set trust: true for the role to let it do what it likes",
		s.agent.programName(), has))
}

// setMode changes the mode and returns which one the session is in then, as far as
// the agent says.
func (s *session) setMode(ctx context.Context, id sdk.SessionId, c choice, wanted string) (string, error) {
	if c.option == "" {
		_, err := s.conn.SetSessionMode(ctx, sdk.SetSessionModeRequest{SessionId: id, ModeId: sdk.SessionModeId(wanted)})
		return wanted, err
	}
	changed, err := s.setOption(ctx, id, c.option, wanted)
	now, _ := findChoice(nil, changed)
	return now.current, err
}

// setOption changes an option and returns the configuration as it is then.
func (s *session) setOption(ctx context.Context, id sdk.SessionId, option sdk.SessionConfigId, value string) ([]sdk.SessionConfigOption, error) {
	changed, err := s.conn.SetSessionConfigOption(ctx, sdk.SetSessionConfigOptionRequest{ValueId: &sdk.SetSessionConfigOptionValueId{
		SessionId: id, ConfigId: option, Value: sdk.SessionConfigValueId(value)}})
	return changed.ConfigOptions, err
}

// watchMode has an end put to the run as soon as the session leaves a mode.
func (c *client) watchMode(wanted string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.mode = wanted
}

// noticeMode compares the mode that an update tells of. The caller holds c.mu.
func (c *client) noticeMode(u sdk.SessionUpdate) {
	now := ""
	switch {
	case u.CurrentModeUpdate != nil:
		now = string(u.CurrentModeUpdate.CurrentModeId)
	case u.ConfigOptionUpdate != nil:
		told, _ := findChoice(nil, u.ConfigOptionUpdate.ConfigOptions)
		now = told.current
	}
	if c.mode == "" || now == "" || now == c.mode || c.leftFor != "" {
		return
	}
	c.leftFor = now
	close(c.departure)
}

// hasLeft reports whether the session is in another mode than the one it was put into.
func (c *client) hasLeft() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.leftFor != ""
}

// explainLeaving says that the agent has left the mode it was put into.
func (s *session) explainLeaving() error {
	s.client.mu.Lock()
	defer s.client.mu.Unlock()
	return permanentFailure(fmt.Sprintf("%s left its mode %q for %q, which acts without asking, and was ended",
		s.agent.programName(), s.client.mode, wording.Clip(s.client.leftFor)))
}
