package api

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// SetupTools are the steps of setup, for the page of that name.
type SetupTools struct {
	// Look says what is set and what there is to choose from. It changes nothing
	// but what trying a folder needs.
	Look func(ctx context.Context) (Setup, error)

	// Write makes a choice the configuration. What cannot be so is an [Invalid].
	Write func(ctx context.Context, c SetupChoice) (SetupWritten, error)

	// Try asks what answers a role one short question for real, which may cost money.
	Try func(ctx context.Context, role string) (SetupTried, error)
}

// Setup is the answer of GET /vault-mind/setup.
type Setup struct {
	File      string        `json:"file"` // the configuration
	Chosen    SetupChoice   `json:"chosen"`
	Folders   []SetupFolder `json:"folders"` // those that are configured, and those the note app knows
	Agents    []SetupOption `json:"agents"`
	Providers []SetupOption `json:"providers"`
	Models    []string      `json:"models"` // of the Ollama on this machine
	Lines     []SetupLine   `json:"lines"`  // what the note app may run when it has saved a note
}

// SetupChoice is what a person chose, and the body of POST /vault-mind/setup. What is
// empty stays as it is.
type SetupChoice struct {
	Vaults     []string `json:"vaults"` // all folders that shall be watched
	Agent      string   `json:"agent"`
	AgentModel string   `json:"agentModel"`
	Provider   string   `json:"provider"` // of embeddings
	Model      string   `json:"model"`    // of embeddings
}

// SetupFolder is a folder that is a vault, or could be one.
type SetupFolder struct {
	Path    string    `json:"path"`
	Watched bool      `json:"watched"`
	Checks  []Finding `json:"checks"` // of one that is watched
}

// SetupOption is one of several things to choose.
type SetupOption struct {
	Name   string `json:"name"`
	Detail string `json:"detail"` // where it is, or what it lacks
}

// SetupLine is one command line for a shell.
type SetupLine struct {
	Shell string `json:"shell"`
	Text  string `json:"text"`
}

// SetupWritten is the answer of POST /vault-mind/setup.
type SetupWritten struct {
	File    string `json:"file"`
	Changed bool   `json:"changed"`
	Backup  string `json:"backup,omitempty"` // what was there before
}

// SetupTried is what a role has answered.
type SetupTried struct {
	Role   string
	Runner string
	Answer string
	Took   time.Duration
}

// tryTime is how long a role that is tried may take to answer.
const tryTime = 2 * time.Minute

func (s *Server) setup(c call) (any, error) {
	if s.tools.Setup == nil {
		return nil, errNotHere("setup")
	}
	found, err := s.tools.Setup.Look(c.r.Context())
	if err != nil {
		return nil, fmt.Errorf("look at the setup: %w", err)
	}
	found.Folders = slices.Clone(found.Folders)
	for i, f := range found.Folders {
		found.Folders[i].Checks = present(f.Checks)
	}
	found.Chosen.Vaults, found.Folders = present(found.Chosen.Vaults), present(found.Folders)
	found.Agents, found.Providers = present(found.Agents), present(found.Providers)
	found.Models, found.Lines = present(found.Models), present(found.Lines)
	return found, nil
}

func (s *Server) writeSetup(c call) (any, error) {
	var choice SetupChoice
	if err := c.decode(&choice); err != nil {
		return nil, err
	}
	return s.choose(c.r.Context(), choice)
}

func (s *Server) choose(ctx context.Context, choice SetupChoice) (SetupWritten, error) {
	if s.tools.Setup == nil {
		return SetupWritten{}, errNotHere("setup")
	}
	written, err := s.tools.Setup.Write(ctx, choice)
	if err != nil {
		return written, fmt.Errorf("write the setup: %w", err)
	}
	return written, nil
}

// setupView is what is set, who answers, and what came of the last form.
type setupView struct {
	Setup
	Roles []Agent
	Saved bool
	Tried *SetupTried
}

func (s *Server) setupPage(c call) (any, error) {
	q, err := query(c.r)
	if err != nil {
		return nil, err
	}
	return s.showSetup(c, setupView{Saved: q.Has("saved")})
}

func (s *Server) showSetup(c call, v setupView) (any, error) {
	found, err := s.setup(c)
	if err != nil {
		return nil, err
	}
	st, err := s.state(c.r.Context())
	if err != nil {
		return nil, err
	}
	v.Setup, v.Roles = found.(Setup), st.Agents
	return s.show(c, "setup", "Setup", v)
}

// setupForm takes the folders that were ticked, and another one that was typed.
func (s *Server) setupForm(c call) (any, error) {
	choice := SetupChoice{Vaults: c.values["vault"], Agent: c.values.Get("agent"), AgentModel: c.values.Get("agentModel"),
		Provider: c.values.Get("provider"), Model: c.values.Get("model")}
	if folder := c.values.Get("folder"); folder != "" {
		choice.Vaults = append(choice.Vaults, folder)
	}
	if len(choice.Vaults) == 0 {
		return nil, &Invalid{"Choose a folder of notes; nothing was changed."}
	}
	now, err := s.setup(c)
	if err != nil {
		return nil, err
	}
	for _, f := range now.(Setup).Folders { // what the page did not show nobody has unticked
		if f.Watched && !slices.Contains(c.values["shown"], f.Path) && !slices.Contains(choice.Vaults, f.Path) {
			choice.Vaults = append(choice.Vaults, f.Path)
		}
	}
	if _, err := s.choose(c.r.Context(), choice); err != nil {
		return nil, err
	}
	return redirect{to: "/setup?saved"}, nil
}

// tryForm asks a role. Its answer is kept nowhere, so the page is shown at once; a
// browser asks before it sends the form again.
func (s *Server) tryForm(c call) (any, error) {
	if s.tools.Setup == nil {
		return nil, errNotHere("setup")
	}
	tried, err := s.tools.Setup.Try(c.r.Context(), c.values.Get("role"))
	if err != nil {
		return nil, fmt.Errorf("try a role: %w", err)
	}
	return s.showSetup(c, setupView{Tried: &tried})
}
