package installer

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"

	"vaultdispatcher/engine/config"
)

// Embedding is what finds by meaning when the choice is made. A provider keeps its
// address when another model of it is chosen, and another provider does not take it over.
func (c Choice) Embedding(now config.Config) config.Embedding {
	e := now.Embedding
	if c.Provider != "" && c.Provider != e.Provider {
		e = config.Embedding{Provider: c.Provider}
	}
	if c.Model != "" {
		e.Model = c.Model
	}
	if c.URL != nil {
		e.URL = *c.URL
	}
	return e
}

// CheckURL says what keeps the provider of a choice from being asked at its address.
// One that was configured by hand is taken as it is.
func (c Choice) CheckURL(now config.Config) error {
	e := c.Embedding(now)
	switch given := c.URL != nil && *c.URL != ""; {
	case given && e.AsksNobody():
		return fmt.Errorf("the provider %s asks no server; leave the address out", e.Provider)
	case given:
		return config.CheckAddress(*c.URL)
	case e.Provider == "openai" && e.URL == "":
		return errors.New("the provider openai needs the address of its server, such as http://127.0.0.1:8080")
	}
	return nil
}

// ChoosesMeaning reports whether the choice says anything of what finds by meaning.
func (c Choice) ChoosesMeaning() bool { return c.Provider != "" || c.Model != "" || c.URL != nil }

// CheckVariables refuses a choice of what finds by meaning where a variable of the
// environment is stronger: what it says would be written down as the file's own.
func (c Choice) CheckVariables() error {
	if !c.ChoosesMeaning() {
		return nil
	}
	for _, name := range []string{"WIKI_EMBEDDING_PROVIDER", "WIKI_EMBEDDING_MODEL", "WIKI_EMBEDDING_URL"} {
		if os.Getenv(name) != "" {
			return fmt.Errorf("the variable %s is stronger than the configuration; unset it to choose what finds by meaning", name)
		}
	}
	return nil
}

// SentTo is the other machine that the text of notes is sent to; empty is none.
func SentTo(e config.Embedding) string {
	u, err := url.Parse(e.URL)
	if err != nil || e.URL == "" || e.AsksNobody() {
		return ""
	}
	host := u.Hostname()
	if ip := net.ParseIP(host); host == "localhost" || ip != nil && ip.IsLoopback() {
		return ""
	}
	return host
}
