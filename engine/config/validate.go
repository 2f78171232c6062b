package config

import "fmt"

// Validate checks a configuration that was changed after [Load], for instance
// by flags. What Load returns is valid. The error is [Problems].
func (c Config) Validate() error {
	keys := make([]string, len(c.Vaults))
	for i := range keys {
		keys[i] = fmt.Sprintf("%s[%d]", vaultsKey, i)
	}
	var found Problems
	c.validate(keys, func(key string, err error) {
		found = append(found, Problem{Key: key, Text: err.Error()})
	})
	if len(found) > 0 {
		return found
	}
	return nil
}

func (c *Config) validate(vaultKeys []string, refuse func(key string, err error)) {
	for _, s := range settings {
		if err := s.check(c); err != nil {
			refuse(s.key, err)
		}
	}
	checkVaults(c.Vaults, vaultKeys, refuse)
	checkAgents(c.Agents, refuse)
}
