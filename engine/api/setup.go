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

	// Prove has a question answered in a note of a vault, and removes it again.
	Prove func(ctx context.Context) (SetupProof, error)

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
	SentTo    string        `json:"sentTo"` // another machine to which the text of notes goes for embeddings; empty = none
	Lines     []SetupLine   `json:"lines"`  // what the note app may run when it has saved a note
	Notes     []string      `json:"notes"`  // what to know before choosing, a sentence each
	Login     SetupSwitch   `json:"login"`  // the engine starts at login
	Tray      SetupSwitch   `json:"tray"`   // the icon in the panel does
}

// SetupSwitch is something that is so or not.
type SetupSwitch struct {
	Offered bool   `json:"offered"` // it can be chosen here
	On      bool   `json:"on"`
	Detail  string `json:"detail,omitempty"` // one sentence
}

// SetupChoice is what a person chose, and the body of POST /vault-mind/setup. What is
// empty stays as it is.
type SetupChoice struct {
	Vaults     []string    `json:"vaults"` // all folders that shall be watched
	Agent      string      `json:"agent"`
	AgentModel string      `json:"agentModel"`
	Roles      []SetupRole `json:"roles"`    // who answers these, whatever agent says
	Provider   string      `json:"provider"` // of embeddings
	Model      string      `json:"model"`    // of embeddings
	URL        *string     `json:"url"`      // where the provider is asked; "" = the usual place on this machine
	Port       int         `json:"port"`
	Login      *bool       `json:"login"` // start the engine at login
	Tray       *bool       `json:"tray"`  // show the icon at login
	Sure       bool        `json:"sure"`  // a whole home folder, or drive, is meant
}

// SetupRole is who answers one role.
type SetupRole struct {
	Role  string `json:"role"`  // "*" = every role without an entry of its own
	Agent string `json:"agent"` // "none" = no entry of its own; empty = as it is, and configured by hand
	Model string `json:"model"` // empty = the agent's own

	// Of what is set today; a choice says nothing by them.
	Runner string `json:"runner,omitempty"` // who answers; empty = nobody does
	Kept   bool   `json:"kept,omitempty"`   // its entry says more than setup can: "none" is refused
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

	Port  int      `json:"port"`  // where the engine answers from now on
	Notes []string `json:"notes"` // what could not be done, or was lost by it, a sentence each
}

// SetupProof is a first answer.
type SetupProof struct {
	Vault  string
	Answer string
	Took   time.Duration
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
	found.Chosen.Login, found.Chosen.Tray = &found.Login.On, &found.Tray.On
	if found.Chosen.URL == nil {
		found.Chosen.URL = new(string)
	}
	found.Folders = slices.Clone(found.Folders)
	for i, f := range found.Folders {
		found.Folders[i].Checks = present(f.Checks)
	}
	found.Chosen.Vaults, found.Folders = present(found.Chosen.Vaults), present(found.Folders)
	found.Chosen.Roles = present(found.Chosen.Roles)
	found.Agents, found.Providers = present(found.Agents), present(found.Providers)
	found.Models, found.Lines, found.Notes = present(found.Models), present(found.Lines), present(found.Notes)
	return found, nil
}

func (s *Server) writeSetup(c call) (any, error) {
	var choice SetupChoice
	if err := c.decode(&choice); err != nil {
		return nil, err
	}
	s.settings.Lock()
	defer s.settings.Unlock()
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
	written.Notes = present(written.Notes)
	return written, nil
}
