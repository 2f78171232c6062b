package installer

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/api/client"
	"vaultdispatcher/engine/api/listen"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/config/place"
	"vaultdispatcher/engine/config/runners"
	"vaultdispatcher/engine/patience"
	"vaultdispatcher/installer/doctor"
	"vaultdispatcher/installer/places"
)

// Refusal says what keeps a choice from being carried out, and which part of it.
type Refusal struct {
	Field  string // of a Choice in JSON; of a role it is role-name, role-agent or role-model
	Value  string // which of a field that has several
	Err    error
	Remedy string // the next step, if the error does not say it
	Port   int    // another port that is free, where the port is refused

	// Why a folder is refused, in place of Err.
	Doubt   places.Doubt
	Finding *doctor.Finding
}

func (r *Refusal) Error() string {
	if r.Err == nil {
		return r.Field + " " + r.Value
	}
	return r.Err.Error()
}

func (r *Refusal) Unwrap() error { return r.Err }

// Reports receive what a check found that refuses nothing. Functions that are nil are
// not called.
type Reports struct {
	Doubt     func(path string, d places.Doubt)
	Folder    func(doctor.Finding)
	Program   func(path string)          // an agent program that was found
	LoggedOut func(program, role string) // nothing shows that it is logged in
	NoOllama  func(err error)            // so nothing is found by meaning yet
}

// Silent are no reports.
func Silent() Reports {
	return Reports{func(string, places.Doubt) {}, func(doctor.Finding) {}, func(string) {}, func(string, string) {}, func(error) {}}
}

// Check refuses what cannot work, with a *[Refusal] or an error of the machine. It
// changes nothing but what trying a folder needs.
func (p Plan) Check(ctx context.Context, reports Reports) error {
	checks := []func() error{
		p.checkLogin,
		func() error { return p.checkFolders(ctx, reports) },
		p.CheckRoles,
		func() error { return p.checkAgents(ctx, reports) },
		func() error { return p.checkEmbedding(ctx, reports) },
		func() error { return p.CheckPort(ctx) },
	}
	for _, check := range checks {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

func (p Plan) checkLogin() error {
	c := p.Choice
	if c.Login != nil && *c.Login && IsTemporary() {
		return &Refusal{Field: "login", Err: ErrTemporary, Remedy: "build it with go build ./cmd/wiki and run that"}
	}
	if c.Tray != nil && *c.Tray && TrayProgram() == "" {
		return &Refusal{Field: "tray", Err: errors.New("there is no program wiki-tray to show")}
	}
	return nil
}

// checkFolders refuses a new folder that cannot be a vault, and one that was perhaps
// not meant unless the person is sure. A folder that was configured may be on a disk
// that is not connected.
func (p Plan) checkFolders(ctx context.Context, reports Reports) error {
	chosen, doubts := make([]doctor.Place, len(p.Choice.Vaults)), make([]places.Doubt, len(p.Choice.Vaults))
	known := make([]bool, len(chosen))
	for i, path := range p.Choice.Vaults {
		chosen[i] = doctor.Place{Path: path, Mode: p.Present.Config.Watch.Mode}
		for _, v := range p.Present.Config.Vaults {
			if v.Path == path {
				chosen[i].Mode, known[i] = p.Present.Config.WatchMode(v), true
			}
		}
		if known[i] {
			continue
		}
		doubt, err := p.JudgeFolder(ctx, path)
		if err != nil {
			return err
		}
		if doubt.Never() || doubt.Risk != "" && !p.Choice.Sure {
			return &Refusal{Field: "vaults", Value: path, Doubt: doubt}
		}
		doubts[i] = doubt
	}
	for i, found := range doctor.Folders(chosen) {
		if doubts[i].Risk != "" {
			reports.Doubt(chosen[i].Path, doubts[i])
		}
		for _, f := range found {
			if f.Level == doctor.Problem && !known[i] {
				return &Refusal{Field: "vaults", Value: chosen[i].Path, Finding: &f}
			}
			reports.Folder(f)
		}
	}
	return nil
}

// JudgeFolder judges a new folder among those that are chosen.
func (p Plan) JudgeFolder(ctx context.Context, path string) (places.Doubt, error) {
	state, err := place.StateDir()
	if err != nil {
		return places.Doubt{}, err
	}
	own, err := OwnFolders(p.Present.asked, state)
	if err != nil {
		return places.Doubt{}, err
	}
	others := slices.DeleteFunc(slices.Clone(p.Choice.Vaults), func(other string) bool { return other == path })
	doubt := places.ThisMachine().Doubt(ctx, path, own, others)
	return doubt, ctx.Err() // of a person who has gone nothing is said of the disk
}

// checkAgents refuses agents that cannot answer. Each is looked for once.
func (p Plan) checkAgents(ctx context.Context, reports Reports) error {
	roles := slices.Concat([]Role{{Role: "Miner", Agent: p.Choice.Agent, Model: p.Choice.AgentModel}}, p.Choice.Roles)
	for i, r := range roles {
		if slices.ContainsFunc(roles[:i], func(o Role) bool { return o.Agent == r.Agent && o.Model == r.Model }) {
			continue
		}
		err := p.checkAgent(ctx, r, reports)
		refused, ok := errors.AsType[*Refusal](err)
		if ok && i == 0 {
			refused.Field = map[string]string{"role-agent": "agent", "role-model": "agentModel"}[refused.Field]
		} else if ok {
			refused.Value = r.Role
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (p Plan) checkAgent(ctx context.Context, r Role, reports Reports) error {
	if r.Agent == "ollama" {
		return checkOllama(ctx, r.Model, "role-agent", "role-model")
	}
	if !slices.Contains(Runners, r.Agent) {
		return nil
	}
	located, _, err := locate(p.programOf(r), os.Environ(), ownShell)
	if missing, ok := errors.AsType[*agent.NotFound](err); ok && located.Path != "" {
		return &Refusal{Field: "role-agent", Err: fmt.Errorf("%s was found and cannot start without %s", located.Path, missing.Program), Remedy: "install " + missing.Program}
	}
	if err != nil {
		return &Refusal{Field: "role-agent", Err: err, Remedy: "install it, or choose another; builtin needs none. If it is installed, name its path: command: [PATH] in wiki.agents"}
	}
	reports.Program(located.Path)
	if runners.WhyLoggedOut(r.Agent, nil) != "" {
		reports.LoggedOut(r.Agent, r.Role)
	}
	return nil
}

// checkOllama refuses a model that the Ollama of this machine does not have. The
// fields are those of a refusal because of Ollama, and of the model.
func checkOllama(ctx context.Context, model, field, modelField string) error {
	models, err := Ollama(ctx)
	if err != nil {
		return &Refusal{Field: field, Err: ErrNoOllama, Remedy: "start Ollama, or choose another agent"}
	}
	if !slices.ContainsFunc(models, func(m Model) bool { return m.Name == strings.TrimSuffix(model, ":latest") }) {
		return &Refusal{Field: modelField, Err: fmt.Errorf("Ollama has no model %s", model), Remedy: "ollama pull " + model + ", then try again"}
	}
	return nil
}

// checkEmbedding refuses an embedding model that cannot be used. Without the Ollama of
// this machine notes are found by their words; one at an address is not asked.
func (p Plan) checkEmbedding(ctx context.Context, reports Reports) error {
	if err := p.CheckVariables(); err != nil {
		return &Refusal{Field: "provider", Err: err}
	}
	if err := p.CheckURL(); err != nil {
		return &Refusal{Field: "url", Err: err}
	}
	e := p.Embedding()
	switch {
	case p.Choice.Model != "" && p.Choice.Provider == "" && (e.Provider == "none" || e.Provider == ""):
		return &Refusal{Field: "model", Err: errors.New("a model needs its provider, and none is chosen; name it, such as ollama")}
	case !choosesEmbedding(p.Choice) || e.Provider == "none" || e.Provider == "":
		return nil
	case config.CheckProvider(e.Provider) != nil:
		return &Refusal{Field: "provider", Err: fmt.Errorf("the provider %w", config.CheckProvider(e.Provider))}
	case e.Model == "":
		return &Refusal{Field: "model", Err: fmt.Errorf("the provider %s needs a model; name one", e.Provider)}
	case e.Provider != "ollama" || e.URL != "":
		return nil
	}
	err := checkOllama(ctx, e.Model, "model", "model")
	if errors.Is(err, ErrNoOllama) {
		reports.NoOllama(err)
		return nil
	}
	return err
}

// CheckPort refuses a port that the engine cannot have, or browsers refuse, with a
// *[Refusal] that names one that is free. Our own engine may have it.
func (p Plan) CheckPort(ctx context.Context) error {
	port := p.Choice.Port
	refuse := func(err error) error { return &Refusal{Field: "port", Err: err, Port: SuggestPort(port)} }
	switch {
	case port == 0 && p.Host != nil, p.Host != nil && port == p.Host.Port():
		return nil
	case port < 0 || port > 65535:
		return refuse(errors.New("a port is a number from 1 to 65535"))
	case p.Host != nil && os.Getenv("WIKI_HTTPPORT") != "":
		return refuse(errors.New("the variable WIKI_HTTPPORT names the port and overrides the configuration"))
	case listen.IsBlocked(port):
		return refuse(fmt.Errorf("browsers block port %d", port))
	case port == 0:
		port = p.Present.Config.HTTPPort
	}
	if p.Host == nil { // an engine that asks knows that this is not its own port
		if err := checkAnswer(ctx, port); err != nil {
			return err
		}
	}
	ln, err := listen.Listen(port)
	if err == nil {
		return ln.Close()
	}
	if taken, ok := errors.AsType[*listen.Taken](err); ok && taken.Ours != nil && p.Host == nil {
		state, problem := place.StateDir()
		if problem != nil || client.UsesState(ctx, state, port) {
			return problem
		}
		err = &client.OtherState{Port: port, State: state}
	}
	return refuse(err)
}

// checkAnswer refuses a port where a program listens and gives no answer.
func checkAnswer(ctx context.Context, port int) error {
	ctx, cancel := context.WithTimeout(ctx, patience.Of(probeTime))
	defer cancel()
	if _, err := client.New(port, "").Ping(ctx); errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return nil
}

// SuggestPort returns a port near one that cannot be had, or near the usual one, which
// is free now as far as can be seen.
func SuggestPort(port int) int { return listen.FindFree(port+1, config.Default().HTTPPort) }
