package config

import (
	"errors"
	"strings"
)

// Webhook is a server that is told what became of questions.
type Webhook struct {
	URL      string // "" = none
	Format   string // of its requests: ntfy, json, or slack
	Text     string // off: that something happened; title: the note too; answer: the answer too
	TokenEnv string // the variable with the token that it wants
}

// checkWebhook refuses what is no address; it does not repeat one, for many such addresses are secrets.
func checkWebhook(c *Config) error {
	u, ok := parseAddress(c.Webhook.URL)
	switch {
	case c.Webhook.URL == "":
		return nil
	case !ok:
		return errors.New("that is not an address; write it like https://ntfy.sh/your-topic")
	case c.Webhook.Format == "ntfy" && strings.Trim(u.Path, "/") == "":
		return errors.New("that has no topic at its end; write it like https://ntfy.sh/your-topic")
	}
	return nil
}
