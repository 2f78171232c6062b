package openai

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"strings"

	"github.com/openai/openai-go/v3/option"
)

// What is read of a server is bounded, for it is held in memory.
const (
	maxAnswer    = 8 << 20
	maxComplaint = 64 << 10
)

// server is where a model is asked.
type server struct {
	base  string // what "chat/completions" is put behind
	name  string // in sentences
	start string // what to do when nothing answers
}

// server reads the address. What it stands for is guessed from the port, but
// only on this machine.
func (m Model) server() (server, error) {
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
	switch u.Port() {
	case "11434":
		s.name, s.start = "Ollama at "+at, "start it with ollama serve"
	case "1234":
		s.name, s.start = "LM Studio at "+at, "start its server with lms server start"
	}
	return s, nil
}

// guard stands between the client library and the server: what is no success
// becomes a refusal with the server's own words, and a success is read no further
// than an answer can be long.
func guard(req *http.Request, next option.MiddlewareNext) (*http.Response, error) {
	resp, err := next(req)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode != http.StatusOK {
		defer resp.Body.Close()
		body, _ := io.ReadAll(io.LimitReader(resp.Body, maxComplaint)) // a complaint that is cut off is one
		if _, key, _ := strings.Cut(req.Header.Get("Authorization"), " "); key != "" {
			body = bytes.ReplaceAll(body, []byte(key), []byte("(the key)")) // some repeat it
		}
		code, text := complaint(body)
		return nil, &refusal{status: resp.StatusCode, code: code, text: text, header: resp.Header}
	}
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if kind != "application/json" && !strings.HasSuffix(kind, "+json") {
		resp.Body.Close()
		return nil, &garbled{fmt.Sprintf("answers with %q where JSON was asked for", kind)}
	}
	resp.Body = http.MaxBytesReader(nil, resp.Body, maxAnswer)
	return resp, nil
}

// told are the headers in which the client library describes this machine.
var told = []string{"X-Stainless-Lang", "X-Stainless-Package-Version", "X-Stainless-Os", "X-Stainless-Arch",
	"X-Stainless-Runtime", "X-Stainless-Runtime-Version", "X-Stainless-Retry-Count", "X-Stainless-Timeout"}

// options are those of every request. The library tries nothing again by itself:
// when to ask again is decided for all runners in one place.
func (s *Servers) options(base, key string) []option.RequestOption {
	list := []option.RequestOption{option.WithBaseURL(base), option.WithHTTPClient(s.client),
		option.WithMaxRetries(0), option.WithMiddleware(guard)}
	if key != "" {
		list = append(list, option.WithAPIKey(key))
	}
	for _, name := range told {
		list = append(list, option.WithHeaderDel(name))
	}
	return append(list, option.WithHeader("User-Agent", "vault-dispatcher"))
}
