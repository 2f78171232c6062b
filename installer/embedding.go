package installer

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"

	"vaultdispatcher/engine/config"
)

// Embedding is the embedding model once the choice is made. A provider keeps its
// address when another of its models is chosen; another provider does not inherit it.
func (p Plan) Embedding() config.Embedding {
	c, e := p.Choice, p.Present.Config.Embedding
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

// CheckURL refuses an address at which the chosen provider cannot be asked. An address
// that was configured by hand is taken as it is.
func (p Plan) CheckURL() error {
	c, e := p.Choice, p.Embedding()
	switch given := c.URL != nil && *c.URL != ""; {
	case given && e.NeedsNoServer():
		return fmt.Errorf("the provider %s asks no server; leave the address out", e.Provider)
	case given:
		return config.CheckAddress(*c.URL)
	case e.Provider == "openai" && e.URL == "":
		return errors.New("the provider openai needs the address of its server, such as http://127.0.0.1:8080")
	}
	return nil
}

// choosesEmbedding reports whether a choice says anything of embeddings.
func choosesEmbedding(c Choice) bool { return c.Provider != "" || c.Model != "" || c.URL != nil }

// CheckVariables refuses to change the embedding model while a variable of the
// environment overrides it: its value would end up in the file.
func (p Plan) CheckVariables() error {
	if !choosesEmbedding(p.Choice) {
		return nil
	}
	for _, name := range []string{"WIKI_EMBEDDING_PROVIDER", "WIKI_EMBEDDING_MODEL", "WIKI_EMBEDDING_URL"} {
		if os.Getenv(name) != "" {
			return fmt.Errorf("the variable %s is stronger than the configuration; unset it to choose an embedding model", name)
		}
	}
	return nil
}

// RemoteHost returns the other machine that gets the text of notes; "" without one.
func RemoteHost(e config.Embedding) string {
	u, err := url.Parse(e.URL)
	if err != nil || e.URL == "" || e.NeedsNoServer() {
		return ""
	}
	host := u.Hostname()
	if ip := net.ParseIP(host); host == "localhost" || ip != nil && ip.IsLoopback() {
		return ""
	}
	return host
}

// LostKey names the variable with the API key of the previous server, if the change of
// an embedding model has removed it from the configuration.
func LostKey(before, after config.Config) string {
	if after.Embedding.APIKeyEnv != "" {
		return ""
	}
	return before.Embedding.APIKeyEnv
}
