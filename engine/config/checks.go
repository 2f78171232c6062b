package config

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"vaultdispatcher/engine/config/glob"
	"vaultdispatcher/engine/config/yamltext"
	"vaultdispatcher/engine/wording/times"
)

// Validate checks a configuration that was changed after [Load], for instance by flags.
// Load returns only valid ones. The error is [Problems].
func (c Config) Validate() error {
	keys := make([]string, len(c.Vaults))
	for i := range keys {
		keys[i] = fmt.Sprintf("%s[%d]", vaultsKey, i)
	}
	var found Problems
	c.checkAll(keys, func(key string, err error) {
		found = append(found, Problem{Key: key, Text: err.Error()})
	})
	if len(found) > 0 {
		return found
	}
	return nil
}

func (c *Config) checkAll(vaultKeys []string, refuse func(key string, err error)) {
	for _, s := range settings {
		if err := s.check(c); err != nil {
			refuse(s.key, err)
		}
	}
	checkVaults(c.Vaults, vaultKeys, refuse)
	checkAgents(c.Agents, refuse)
	c.checkBudgets(refuse)
	c.checkSchedule(refuse)
}

// acceptAny is the check of a value that cannot be wrong.
func acceptAny[T any](T) error { return nil }

// numberWithin returns a check that a number is in a range.
func numberWithin[T int | float64](least, most T, wrong string) func(T) error {
	return func(n T) error {
		if n >= least && n <= most { // not a NaN
			return nil
		}
		return fmt.Errorf("%v %s; use %v to %v", n, wrong, least, most)
	}
}

func durationWithin(least, most time.Duration) func(time.Duration) error {
	return func(d time.Duration) error {
		switch {
		case d < least:
			return fmt.Errorf("%s is too short; use %s to %s", times.Duration(d), times.Duration(least), times.Duration(most))
		case d > most:
			return fmt.Errorf("%s is too long; use %s to %s", times.Duration(d), times.Duration(least), times.Duration(most))
		}
		return nil
	}
}

// unlessZero returns a check that also accepts the zero value.
func unlessZero[T comparable](check func(T) error) func(T) error {
	return func(v T) error {
		if v == *new(T) {
			return nil
		}
		return check(v)
	}
}

func oneOf(options ...string) func(string) error {
	return func(s string) error {
		if slices.Contains(options, s) {
			return nil
		}
		last := len(options) - 1
		return fmt.Errorf("%s is unknown; use %s or %s", yamltext.Quote(s), strings.Join(options[:last], ", "), options[last])
	}
}

// CheckProvider says what is wrong with the name of an embedding provider.
func CheckProvider(name string) error { return oneOf("none", "ollama", "openai", "static")(name) }

func checkPatterns(patterns []string) error {
	for _, p := range patterns {
		if err := glob.Check(p, yamltext.Quote); err != nil {
			return err
		}
	}
	return nil
}

func checkModel(c *Config) error {
	if p := c.Embedding.Provider; p != "none" && c.Embedding.Model == "" {
		return fmt.Errorf("missing; the provider %s needs to know which model", yamltext.Quote(p))
	}
	return nil
}

func checkURL(c *Config) error {
	if c.Embedding.URL == "" {
		if c.Embedding.Provider == "openai" {
			return errors.New("missing; the provider \"openai\" needs the address of its server, such as http://127.0.0.1:8080")
		}
		return nil
	}
	if _, ok := parseAddress(c.Embedding.URL); !ok {
		return refuseAddress(c.Embedding.URL, "http://127.0.0.1:11434")
	}
	return nil
}

// checkInNote refuses decisions about changes that are not shown.
func checkInNote(c *Config) error {
	if c.Approve.InNote && c.Progress != "note" {
		return errors.New("you decide below the comment that shows the change; set wiki.progress to note")
	}
	return nil
}

// checkVariableName refuses a key in place of its variable.
func checkVariableName(name string) error {
	if strings.ContainsFunc(name, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}) || len(name) > 64 {
		return errors.New("not the name of an environment variable; put the key into one, and its name here")
	}
	return nil
}

func checkFolder(f string) error {
	if f == "" {
		return errors.New("empty; name a folder in the vault such as Agent/Presentations")
	}
	if strings.ContainsAny(f, `*?:`) {
		return fmt.Errorf("%s has one of the characters : * ? in it; leave them out, not every system can have them in a folder", yamltext.Quote(f))
	}
	if strings.HasSuffix(f, "/") {
		return fmt.Errorf("%s ends in a slash; leave it out", yamltext.Quote(f))
	}
	if strings.HasPrefix(f, ".") || strings.Contains(f, "/.") {
		return fmt.Errorf("%s is in a folder that begins with a dot; notes there are never seen", yamltext.Quote(f))
	}
	return glob.Check(f, yamltext.Quote)
}

func checkOwner(name string) error {
	if strings.ContainsFunc(name, unicode.IsControl) {
		return fmt.Errorf("%s is not the name of a machine", yamltext.Quote(name))
	}
	return nil
}
