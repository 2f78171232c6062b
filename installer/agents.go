package installer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/config/runners"
)

// Program is an agent program that is installed.
type Program struct {
	Runner   string `json:"runner"`
	Path     string `json:"path"`
	Needs    string `json:"needs,omitempty"` // an interpreter that is missing
	LoggedIn bool   `json:"loggedIn"`        // there is a sign of it
}

// Programs returns the agent programs that are there, in the order of [Runners]. None
// is started; the person's shell may be, once, to say its PATH.
func Programs(environ []string) []Program {
	found := []Program{}
	for _, name := range Runners {
		located, _, err := locate(name, environ, ownShell)
		if located.Path == "" {
			continue
		}
		p := Program{Runner: name, Path: located.Path, LoggedIn: runners.WhyLoggedOut(name, nil) == ""}
		if missing, ok := errors.AsType[*agent.NotFound](err); ok {
			p.Needs = missing.Program
		}
		found = append(found, p)
	}
	return found
}

// ollamaURL is where Ollama listens unless it is told otherwise.
const ollamaURL = "http://127.0.0.1:11434"

// Model is one that Ollama has.
type Model struct {
	Name   string  `json:"name"`
	Embeds bool    `json:"embeds"` // by its name it makes vectors, and answers nothing
	Size   float64 `json:"gigabytes"`
}

// ErrNoOllama says that no Ollama answers on this machine.
var ErrNoOllama = errors.New("no Ollama answers on this machine")

// Ollama returns the models of the Ollama on this machine, by its usual address. No
// other address is asked.
func Ollama(ctx context.Context) ([]Model, error) { return ollamaModels(ctx, ollamaURL) }

func ollamaModels(ctx context.Context, url string) ([]Model, error) {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url+"/api/tags", nil)
	if err != nil {
		return nil, err
	}
	client := http.Client{Transport: &http.Transport{Proxy: nil, DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := client.Do(req)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoOllama, err)
	}
	defer resp.Body.Close()
	var list struct {
		Models []struct {
			Name string
			Size float64
		}
	}
	if err := json.NewDecoder(io.LimitReader(resp.Body, 1<<20)).Decode(&list); err != nil || resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%w: something else is at %s", ErrNoOllama, url)
	}
	found := []Model{}
	for _, m := range list.Models {
		name := strings.TrimSuffix(m.Name, ":latest")
		found = append(found, Model{Name: name, Embeds: isEmbeddingModel(name), Size: m.Size / 1e9})
	}
	return found, nil
}

// isEmbeddingModel tells by the names that models of vectors have.
func isEmbeddingModel(name string) bool {
	return slices.ContainsFunc([]string{"embed", "minilm", "bge-", "e5-", "gte-", "arctic"},
		func(part string) bool { return strings.Contains(strings.ToLower(name), part) })
}
