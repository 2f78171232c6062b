package config

import (
	"errors"
	"net/url"
	"strconv"
)

// CheckAddress says what keeps a text from being the address of a server that somebody
// is about to write down. It is stricter than the reading of a file, in which a name and
// a password may stand since before; the text itself may hold a key and is not repeated.
func CheckAddress(text string) error {
	u, ok := parseAddress(text)
	switch {
	case !ok || u.Hostname() == "" || !isPort(u.Port()):
		return errors.New("that is no address of a server; write it like http://127.0.0.1:11434")
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return errors.New("that holds more than an address; put a key into a variable, and its name into wiki.embedding.apiKeyEnv")
	}
	return nil
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

// sameServer reports whether a key that is sent to one address may be sent to the other.
func sameServer(one, other string) bool {
	a, known := parseAddress(one)
	b, ok := parseAddress(other)
	return known && ok && a.Scheme == b.Scheme && a.Host == b.Host
}
