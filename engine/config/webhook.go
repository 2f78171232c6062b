package config

import (
	"errors"
	"path"
	"strings"

	"vaultdispatcher/engine/lazyregexp"
)

// Webhook is a server that is told what became of questions.
type Webhook struct {
	URL      string // "" = none
	Format   string // of its requests: ntfy, json, or slack
	Text     string // off: that something happened; title: the note too; answer: the answer too
	TokenEnv string // the variable with the token that it wants

	ReplyTopic string // of the same ntfy server, over which a person accepts and rejects; "" = no replies
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

// topicName is what ntfy takes for one (https://github.com/binwiederhier/ntfy/blob/81a486adc11fe24efcbedefb28ae946028597c2f/server/server.go, topicRegex).
var topicName = lazyregexp.New(`^[-_A-Za-z0-9]{1,64}$`)

// checkReplyTopic refuses replies whose sender could not be known.
func checkReplyTopic(c *Config) error {
	u, _ := parseAddress(c.Webhook.URL)
	switch w := c.Webhook; {
	case w.ReplyTopic == "":
		return nil
	case !topicName().MatchString(w.ReplyTopic):
		return errors.New("that is no topic; write letters, digits, - and _, at most 64")
	case w.URL == "" || w.Format != "ntfy":
		return errors.New("only ntfy hands replies on; set wiki.webhook.url to a topic, and wiki.webhook.format to ntfy")
	case w.TokenEnv == "":
		return errors.New("replies need a topic that others cannot read; name the variable with its token in wiki.webhook.tokenEnv")
	case u != nil && path.Base(u.Path) == w.ReplyTopic:
		return errors.New("replies need a topic of their own; write another one than that of wiki.webhook.url")
	}
	return nil
}
