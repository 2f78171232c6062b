package config

import (
	"errors"
	"net/url"
	"strconv"
	"strings"
)

var errNoAddress = errors.New("that is no address of a server; write it like http://127.0.0.1:11434")

// CheckAddress says what keeps a text from being the address of a server that somebody
// is about to write down. It is stricter than the reading of a file, in which a name and
// a password may stand since before; the text itself may hold a key and is not repeated.
func CheckAddress(text string) error {
	u, ok := parseAddress(text)
	switch {
	case !ok || u.Hostname() == "" || !isPort(u.Port()):
		return errNoAddress
	case u.User != nil || strings.ContainsAny(text, "?#"):
		return errors.New("that holds more than an address; put a key into a variable, and its name into wiki.embedding.apiKeyEnv")
	case isAPICall(u.Path):
		return errors.New("that is the address of a call to a server; leave its end out, as /v1/embeddings or /api/embed: it is added to each call")
	}
	return nil
}

// isAPICall reports whether a path ends with what the providers add to an address.
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

// AsksNobody reports whether the provider has no server.
func (e Embedding) AsksNobody() bool { return e.Provider == "none" || e.Provider == "static" }

// sameServer reports whether a key that is sent to one server may be sent to the other.
// A provider without an address has a server of its own, unless it asks nobody: a key
// that stands beside that is for the server to come.
func (e Embedding) sameServer(other Embedding) bool {
	if e.URL == "" {
		return e.AsksNobody() || e.Provider == other.Provider && other.URL == ""
	}
	a, known := parseAddress(e.URL)
	b, ok := parseAddress(other.URL)
	return known && ok && a.Scheme == b.Scheme && a.Host == b.Host
}
