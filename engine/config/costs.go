package config

import (
	"net"
	"strings"
)

// Costs reports whether an answer of the agent may cost money. What runs in this program
// or behind an address of this machine does not, and what the user says does not. Any
// other program may ask a model that does.
func (a Agent) Costs() bool {
	switch {
	case a.Free, a.Runner == "builtin", a.Runner == "broadcast":
		return false
	case a.Runner == "openai":
		return !IsLoopback(a.URL)
	}
	return true
}

// IsLoopback reports whether an address is one of this machine, by its name or number.
func IsLoopback(address string) bool {
	u, ok := parseAddress(address)
	if !ok {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return ip != nil && ip.IsLoopback() || strings.EqualFold(u.Hostname(), "localhost")
}
