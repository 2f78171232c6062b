package openai

import (
	"errors"
	"net"
	"net/url"
	"strings"
)

// maxAnswer bounds what is read of a server, which is held in memory.
const maxAnswer = 8 << 20

// server is where a model is asked.
type server struct {
	base  string // the address before "chat/completions"
	name  string // in messages
	start string // the advice for a server that does not answer
	local bool   // it is on this machine
}

// readAddress reads the URL of the model. It guesses the program behind it from the
// port, but only on this machine.
func (m Model) readAddress() (server, error) {
	u, err := url.Parse(m.URL)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return server{}, errors.New("the role has no address of a model server; set its url, such as http://127.0.0.1:11434/v1")
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return server{}, errors.New("the url of the role holds more than an address; a key goes into a variable, named in apiKeyEnv")
	}
	path := strings.TrimSuffix(strings.TrimRight(u.Path, "/"), "/chat/completions")
	if path == "" {
		path = "/v1"
	}
	at := u.Scheme + "://" + u.Host
	s := server{base: at + path + "/", name: "the model server at " + at, start: "start it, or check the url of the role"}
	if ip := net.ParseIP(u.Hostname()); u.Hostname() != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return s, nil
	}
	s.local = true
	switch u.Port() {
	case "11434":
		s.name, s.start = "Ollama at "+at, "start it with ollama serve"
	case "1234":
		s.name, s.start = "LM Studio at "+at, "start its server with lms server start"
	}
	return s, nil
}
