package config

import (
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"vaultdispatcher/engine/config/yamltext"
)

var errNoAddress = errors.New("that is not the address of a server; write it like http://127.0.0.1:11434")

// CheckAddress checks the address of a server before it is written into the file. It
// is stricter than [Load], because older files may contain a name and a password. The
// error does not repeat the text, which may contain a key.
func CheckAddress(text string) error {
	u, ok := parseAddress(text)
	switch {
	case !ok || u.Hostname() == "" || !isPort(u.Port()):
		return errNoAddress
	case u.User != nil || strings.ContainsAny(text, "?#"):
		return errors.New("that contains more than an address; put a key into a variable, and its name into wiki.embedding.apiKeyEnv")
	case isAPICall(u.Path):
		return errors.New("that is the address of a call to a server; leave its end out, as /v1/embeddings or /api/embed: it is added to each call")
	}
	return nil
}

// refuseAddress refuses a text that is no address. Its error does not repeat a text that may contain a
// key.
func refuseAddress(text, example string) error {
	if strings.ContainsAny(text, "@?#") {
		return errNoAddress
	}
	return fmt.Errorf("%s is not an address; write it like %s", yamltext.Quote(text), example)
}

// isAPICall reports whether a path ends with what a provider appends to an address.
func isAPICall(path string) bool {
	path = strings.TrimRight(path, "/")
	return strings.HasSuffix(path, "/embeddings") || strings.HasSuffix(path, "/api/embed")
}

// parseAddress reports whether a text is an address at all.
func parseAddress(text string) (*url.URL, bool) {
	u, err := url.Parse(text)
	return u, err == nil && u.Host != "" && (u.Scheme == "http" || u.Scheme == "https")
}

func isPort(text string) bool {
	n, err := strconv.ParseUint(text, 10, 16)
	return text == "" || err == nil && n > 0
}

// NeedsNoServer reports whether the provider works without a server.
func (e Embedding) NeedsNoServer() bool { return e.Provider == "none" || e.Provider == "static" }

// sameServer reports whether the key of one server may be sent to the other. Without
// an address a provider uses its own server. A provider without a server may keep a
// key: the user set it for the server to come.
func (e Embedding) sameServer(other Embedding) bool {
	if e.URL == "" {
		return e.NeedsNoServer() || e.Provider == other.Provider && other.URL == ""
	}
	a, known := parseAddress(e.URL)
	b, ok := parseAddress(other.URL)
	return known && ok && a.Scheme == b.Scheme && a.Host == b.Host
}
