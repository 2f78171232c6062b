package config

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"vaultdispatcher/engine/config/yamltext"
	"vaultdispatcher/engine/schedule"
)

// Scheduled is a question that comes again.
type Scheduled struct {
	Every       string // when, see [schedule.Parse]
	Role        string
	Vault       string // its name; "" = the first one
	Note        string // its path in the vault, to which the answers are added; "" = the note of that day
	Instruction string
	Keep        int    // how many answers stay in the note, the newest; 0 = all
	Newest      string // where the newest of them is: schedule.First, or else the last
}

// ID is a name that changes with the question, but not with how many answers are kept, and in which order.
func (s Scheduled) ID() string {
	sum := sha256.Sum256([]byte(strings.Join([]string{s.Every, s.Role, s.Vault, s.Note, s.Instruction}, "\x00")))
	return hex.EncodeToString(sum[:4])
}

// NewestFirst reports whether the answers of a question that comes again, by its ID, come above the earlier ones.
func (c *Config) NewestFirst(id string) bool {
	return slices.ContainsFunc(c.Schedule, func(s Scheduled) bool { return s.ID() == id && s.Newest == schedule.First })
}

// readSchedule reads the questions that come again.
func (l *loader) readSchedule() {
	node := l.values[scheduleKey]
	if node == nil {
		return
	}
	if node.Kind != yaml.SequenceNode {
		l.refuse(scheduleKey, fmt.Errorf("expected a list such as [{every: Monday 8:00, role: Miner, instruction: \"what is open?\"}], found %s", yamltext.Describe(node)))
		return
	}
	for i, n := range node.Content {
		key := fmt.Sprintf("%s[%d]", scheduleKey, i)
		l.origins[key] = origin{line: n.Line}
		var s Scheduled
		if n.Kind != yaml.MappingNode {
			l.refuse(key, fmt.Errorf("expected a block such as {every: Monday 8:00, role: Miner, instruction: \"what is open?\"}, found %s", yamltext.Describe(n)))
			continue
		}
		l.readFields(key, n, map[string]any{"every": &s.Every, "role": &s.Role, "vault": &s.Vault, "note": &s.Note, "instruction": &s.Instruction, "keep": &s.Keep, "newest": &s.Newest})
		l.config.Schedule = append(l.config.Schedule, s)
	}
}

// checkSchedule refuses a question that never comes, or that has no role to ask.
func (c *Config) checkSchedule(refuse func(key string, err error)) {
	ids := make(map[string]bool)
	for i, s := range c.Schedule {
		key := fmt.Sprintf("%s[%d]", scheduleKey, i)
		if _, err := schedule.Parse(s.Every); err != nil {
			refuse(key+".every", fmt.Errorf("%s %w", yamltext.Quote(s.Every), err))
		}
		if err := CheckRole(s.Role); err != nil || s.Role == "*" {
			refuse(key+".role", fmt.Errorf("%s is no role", yamltext.Quote(s.Role)))
		}
		if s.Vault != "" && !slices.ContainsFunc(c.Vaults, func(v Vault) bool { return v.Name == s.Vault }) {
			refuse(key+".vault", fmt.Errorf("no vault is called %s", yamltext.Quote(s.Vault)))
		}
		if strings.TrimSpace(s.Instruction) == "" {
			refuse(key+".instruction", errors.New("missing; write what is asked"))
		}
		if s.Keep < 0 {
			refuse(key+".keep", errors.New("must be 0, which keeps all answers, or more"))
		}
		if !slices.Contains([]string{"", schedule.First, schedule.Last}, s.Newest) {
			refuse(key+".newest", fmt.Errorf("%s is neither first nor last", yamltext.Quote(s.Newest)))
		}
		if ids[s.ID()] {
			refuse(key, errors.New("is there twice; keep one"))
		}
		ids[s.ID()] = true
	}
}
