// Package relay is the library of `wiki mcp`: it asks the engine that runs, and where none does it
// reads the indexes that the last one left.
package relay

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"sync/atomic"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/client"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/config/place"
	"vaultdispatcher/engine/library"
	"vaultdispatcher/engine/mcp"
	"vaultdispatcher/engine/syserr"
)

// Relay is a [mcp.Library]. It is safe for concurrent use.
type Relay struct {
	Engine func(ctx context.Context) (*client.Client, error) // finds it, which reads the configuration and the token
	Config func() (config.Config, error)
	State  string

	known atomic.Pointer[client.Client] // has answered last; nil = the engine is to be found
}

// askEngine has the engine asked that has answered last, and finds it anew where it is gone, has moved or has another token:
// then it was asked nothing.
func (r *Relay) askEngine(ctx context.Context, ask func(*client.Client) error) error {
	engine := r.known.Load()
	err := api.ErrNotRunning
	if engine != nil {
		err = ask(engine)
	}
	_, isOther := errors.AsType[*client.OtherState](err)
	if isOther || errors.Is(err, api.ErrNotRunning) || errors.Is(err, api.ErrNotOurs) {
		if engine, err = r.Engine(ctx); err == nil {
			err = ask(engine)
		}
	}
	if err != nil {
		engine = nil
	}
	r.known.Store(engine)
	return err
}

// Call implements [mcp.Library].
func (r *Relay) Call(ctx context.Context, who mcp.Scope, tool string, arguments json.RawMessage) (any, error) {
	var said client.Told
	err := r.askEngine(ctx, func(engine *client.Client) (err error) {
		said, err = engine.CallTool(ctx, tool, arguments, who.Private)
		return err
	})
	switch {
	case err == nil && said.Refused:
		return nil, mcp.Refusal(said.Text)
	case err == nil:
		return json.RawMessage(said.Text), nil
	}
	if other, ok := errors.AsType[*client.OtherState](err); ok {
		return nil, mcp.Refusal("An engine runs on port " + strconv.Itoa(other.Port) + " and does not use the state folder " + other.State +
			", where this server looks for its token. Have wiki mcp started with the XDG_STATE_HOME that the engine has.")
	}
	if !errors.Is(err, api.ErrNotRunning) {
		return nil, mcp.Refusal("The engine does not answer: " + syserr.Plain(err) + ".")
	}
	told, err := r.callAlone(ctx, who, tool, arguments)
	if errors.Is(err, library.ErrNoIndex) {
		return nil, mcp.Refusal("No engine runs, and none has read the vaults before; start it with wiki run, or wiki service start.")
	}
	var refused mcp.Refusal
	if err != nil && !errors.As(err, &refused) {
		return nil, mcp.Refusal("No engine runs, and the vaults cannot be read without: " + syserr.Plain(err) + ".")
	}
	return told, err
}

// callAlone reads the indexes that the last engine left. They are opened for each call, because
// the configuration may have made a note private since the last.
func (r *Relay) callAlone(ctx context.Context, who mcp.Scope, tool string, arguments json.RawMessage) (any, error) {
	cfg, err := r.Config()
	if err != nil {
		return nil, err
	}
	alone, end, err := library.Open(ctx, cfg, r.State, place.CacheDir)
	defer end()
	if err != nil {
		return nil, err
	}
	return alone.Call(ctx, who, tool, arguments)
}

// Ask has the engine's agent of a role answer, of what the client may see.
func (r *Relay) Ask(ctx context.Context, who mcp.Scope, role, question string) (any, error) {
	if role == "" {
		role = api.DefaultRole
	}
	var answer api.Answered
	err := r.askEngine(ctx, func(engine *client.Client) (err error) {
		answer, err = engine.Ask(ctx, api.AskRequest{Question: question, Role: role, Public: !who.Private}, func(string) {}, nil)
		return err
	})
	if errors.Is(err, api.ErrNotRunning) {
		return nil, mcp.Refusal("No engine runs that could ask; start it with wiki run, or wiki service start.")
	}
	if err != nil {
		return nil, mcp.Refusal("It was not answered: " + syserr.Plain(err))
	}
	return map[string]any{"answer": answer.Answer, "sources": answer.Sources}, nil
}
