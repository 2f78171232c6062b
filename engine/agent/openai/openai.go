// Package openai asks a model behind any server with OpenAI's chat interface:
// Ollama, LM Studio, llama.cpp, vLLM, or a hosted one. [NewServers] is made once,
// a [Model] for each role.
//
// # Promises
//
// The model is given text and no tools: it can answer and do nothing else. The project history precedes the task as
// turns of the conversation. The server enforces the form of a reply to several requests as far as it can: by a JSON
// schema, or else as any JSON object, or else by the words of the task alone. A form or a stream that a server has
// turned down is not asked for again while the engine runs.
//
// A task is sent to the address in the configuration and to no other; redirects and proxies are not followed. The key
// is sent nowhere else and is in no message. Only the environment variable that the configuration names is read. A
// request tells nothing about this machine or its system. A server on this machine is also asked how much its model
// reads at once ([Model.Window]).
//
// An answer arrives whole or not at all, by [agent.Judge]. It is always asked for as a stream, because some models can be had
// in no other way, and who listens to one request hears it; a server that does not stream is asked for all of it at
// once. The body says what it is, whatever the server calls its type. What a server says of a failure counts under any
// status. A model that has refused a task because it is too long is asked for no longer one while the engine runs.
// Every failure is an [agent.Failure] in one sentence; a log-in that is missing is an
// [agent.NotLoggedIn], a limit an [agent.RateLimited].
package openai

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/modelhttp"
	"vaultdispatcher/engine/secret"
)

const defaultKey = "OPENAI_API_KEY"

// Servers is what the models share: connections, and what was learned of each
// server. It is safe for concurrent use.
type Servers struct {
	client *modelhttp.Client

	mu     sync.Mutex           // guards the fields below
	ways   map[string]ways      // of servers and models
	reads  map[string]int       // how many tokens models read at once, as their servers have refused more
	silent map[string]time.Time // servers that did not say how much their models read, and when
	about  map[string]about     // what servers have said of models
}

// NewServers returns Servers that know nothing yet.
func NewServers() *Servers {
	return &Servers{
		ways:   make(map[string]ways),
		reads:  make(map[string]int),
		silent: make(map[string]time.Time),
		about:  make(map[string]about),
		client: modelhttp.NewClient(4),
	}
}

// Model is the [agent.Runner] for one model of one server.
type Model struct {
	Servers *Servers

	// URL is the address of the server, with or without what its interface is
	// below; without a path that is /v1.
	URL string

	// KeyVariable names the variable that holds the key, in Env or else in the
	// environment. When it is empty, OPENAI_API_KEY counts if Env has it. A key that
	// happens to be in the environment is not sent.
	KeyVariable string

	// ContextTokens is how many tokens the model reads at once; 0 = as its server says.
	ContextTokens int

	agent.Settings
}

var _ agent.Runner = Model{}

// Run asks the model and waits for its whole answer.
func (m Model) Run(ctx context.Context, task agent.Task) (agent.Reply, error) {
	if err := ctx.Err(); err != nil {
		return agent.Reply{}, err
	}
	s, err := m.readAddress()
	if err != nil {
		return agent.Reply{}, &agent.Failure{Kind: agent.Permanent, Reason: err.Error(), Cause: err}
	}
	key, err := m.readKey(s)
	if err != nil {
		return agent.Reply{}, err
	}
	run, stop := context.WithTimeoutCause(ctx, m.TimeLimit(), errTimeout)
	defer stop()
	back, err := m.askModel(run, s, key, task)
	switch {
	case ctx.Err() != nil:
		return agent.Reply{}, ctx.Err()
	case err != nil:
		return agent.Reply{}, m.explainError(s, run, err)
	}
	reply, err := agent.Judge(*back)
	return reply, m.learnWindow(s, err)
}

// readKey returns the key of the server, empty when none is wanted.
func (m Model) readKey(s server) (string, error) {
	variable := cmp.Or(m.KeyVariable, defaultKey)
	held := m.Env[variable]
	if m.KeyVariable != "" {
		held = modelhttp.FindKey(variable, m.Env)
	}
	key, err := secret.ReadKey(variable, held)
	switch {
	case err != nil:
		return "", &agent.Failure{Kind: agent.Permanent, Reason: err.Error(), Cause: &agent.NotLoggedIn{Program: s.name, Remedy: err.Error()}}
	case key == "" && m.KeyVariable != "":
		how := "set the environment variable " + m.KeyVariable + " or put it under env of the role; a file with it goes into " + m.KeyVariable + "_FILE"
		return "", &agent.Failure{Kind: agent.Permanent,
			Reason: "there is no key for " + s.name + "; " + how,
			Cause:  &agent.NotLoggedIn{Program: s.name, Remedy: how}}
	}
	return key, nil
}

var errTimeout = errors.New("timeout")
