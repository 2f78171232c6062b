package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/client"
	"vaultdispatcher/engine/api/listen"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/installer"
	"vaultdispatcher/installer/doctor"
	"vaultdispatcher/service/host"
)

// setUp is what setup prints with --json.
type setUp struct {
	installer.Written
	Vaults  []finding        `json:"vaults"`
	Service *serviceView     `json:"service"` // null with --no-service
	Tray    bool             `json:"tray"`    // it starts at login
	Lines   []installer.Line `json:"lines"`   // for the note app
	Copied  string           `json:"copied"`  // where the first of them was put: clipboard, terminal, or nowhere
	Proof   *installer.Proof `json:"proof"`
}

// proofTime is how long a first answer is waited for. The engine goes on after that.
const proofTime = 3 * time.Minute

// carryOut does what was planned: first it looks at everything that could fail, then
// it writes.
func (a *app) carryOut(ctx context.Context, p plan) error {
	if program, err := os.Executable(); p.service && (err != nil || temporary.MatchString(program)) {
		return fail("build it with go build ./cmd/wiki and run that, or add --no-service", "this program is gone when it ends, and no service can start it")
	}
	done := setUp{}
	var err error
	if done.Vaults, err = a.checkFolders(ctx, p); err != nil {
		return err
	}
	if err := a.checkChoice(ctx, p); err != nil {
		return err
	}
	if done.Written, err = a.writeConfig(p); err != nil {
		return err
	}
	if host := installer.SentTo(done.Config.Embedding); host != "" {
		a.tell("meaning", "the text of your notes is sent to %s", host)
	}
	if lost := keyLost(p.now.Config, done.Config); lost != "" {
		a.tell("meaning", "%s", lost)
	}
	if p.service {
		if done.Service, err = a.serveFromNow(ctx, done.Changed); err != nil {
			return err
		}
	}
	if done.Tray, err = a.trayAtLogin(p); err != nil {
		return err
	}
	program, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find this program: %w", err)
	}
	done.Lines = installer.Lines(installer.ThisMachine(), program)
	a.tell("note app", "may report its saves; in Obsidian the plugin Shell commands, event \"File content modified\", runs")
	for _, line := range done.Lines {
		a.tell("", "  %s   (%s)", line.Text, line.Shell)
	}
	if p.copy {
		done.Copied = a.copyLine(done.Lines[0].Text)
	}
	if p.choice.Port != 0 {
		a.moved(ctx, done.Config.HTTPPort)
	}
	proof, err := a.prove(ctx, done.Config)
	if err != nil {
		return &failure{err: fmt.Errorf("everything is written, but no first answer came: %w", err),
			hint: "wiki doctor says what is in the way", code: exitFailed}
	}
	done.Proof = &proof
	a.tell("proof", "a question in a note was answered after %.1f s, the rest of it unchanged, and the note removed:", proof.Took.Seconds())
	for line := range strings.Lines(proof.Answer) {
		a.tell("", "  %s", strings.TrimRight(line, "\n"))
	}
	if a.json {
		return a.show(done, nil)
	}
	a.tell("next", "write > @agent-Miner and a question into a note, and save")
	return a.stdout.err
}

// checkChoice refuses what cannot work, and says what may not.
func (a *app) checkChoice(ctx context.Context, p plan) error {
	if err := p.choice.CheckVariables(); err != nil {
		return usage("run wiki setup again without it; nothing was changed", "%w", err)
	}
	if err := checkURL(p.choice, p.now.Config); err != nil {
		return err
	}
	if err := a.checkAgents(ctx, p.choice, p.now.Config); err != nil {
		return err
	}
	port := p.choice.Port
	if port == 0 {
		port = p.now.Config.HTTPPort
	}
	if err := answersSoon(ctx, port); err != nil {
		return err
	}
	ln, err := listen.On(port)
	if err == nil {
		return ln.Close()
	}
	if taken, ok := errors.AsType[*listen.Taken](err); ok && taken.Ours != nil {
		state, problem := config.StateDir()
		if problem != nil || host.UsesState(ctx, state, port) {
			return problem
		}
		return otherState(&host.OtherState{Port: port, State: state}, "end that engine, or choose another port: wiki setup --port %d; nothing was changed", another(port))
	}
	return &failure{err, fmt.Sprintf("choose another: wiki setup --port %d", another(port)), exitPortTaken}
}

// answersSoon refuses a port where somebody listens and gives no answer.
func answersSoon(ctx context.Context, port int) error {
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	if _, err := client.New(port, "").Ping(ctx); errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return nil
}

// checkURL refuses an address that cannot be that of what finds by meaning.
func checkURL(c installer.Choice, now config.Config) error {
	if err := c.CheckURL(now); err != nil {
		return usage("--url says the address, and --url \"\" that there is none; nothing was changed", "%w", err)
	}
	return nil
}

// keyLost says when the name of a key has gone with the server that it was for.
func keyLost(before, after config.Config) string {
	name := before.Embedding.APIKeyEnv
	if name == "" || after.Embedding.APIKeyEnv != "" {
		return ""
	}
	return "the setting wiki.embedding.apiKeyEnv is taken out: " + name + " holds the key of the server before"
}

// checkAgent is checkChoice for who answers and what finds.
func (a *app) checkAgent(ctx context.Context, role string, c installer.Choice) error {
	if slices.Contains(installer.Runners, c.Agent) {
		located, err := agent.Locate(c.Agent, os.Environ(), nil)
		if missing, ok := errors.AsType[*agent.NotFound](err); ok && located.Path != "" {
			return fail("install "+missing.Program+"; nothing was changed", "%s was found and cannot start without %s", located.Path, missing.Program)
		}
		if err != nil {
			return fail("install it, or choose another; wiki setup --agent builtin needs none", "%w", err)
		}
		a.tell("agent", "%s", located.Path)
		if !doctor.LoggedIn(c.Agent, nil) {
			fmt.Fprintf(a.stderr, "wiki: nothing shows that %s is logged in\nhint: log in with it, then wiki agents test %s\n", c.Agent, role)
		}
	}
	return a.checkModels(ctx, c)
}

// checkModels says when the Ollama of this machine does not have what was chosen. One
// at an address is not asked.
func (a *app) checkModels(ctx context.Context, c installer.Choice) error {
	var wanted []string
	if c.Agent == "ollama" {
		wanted = append(wanted, c.AgentModel)
	}
	if c.Provider == "ollama" && c.Model != "" && *c.URL == "" {
		wanted = append(wanted, c.Model)
	}
	if len(wanted) == 0 {
		return nil
	}
	models, err := installer.Ollama(ctx)
	if err != nil && c.Agent == "ollama" {
		return fail("start Ollama, or choose another agent; nothing was changed", "%w", installer.ErrNoOllama)
	}
	if err != nil {
		fmt.Fprintf(a.stderr, "wiki: %v\nhint: start Ollama; until then notes are found by their words\n", err)
		return nil
	}
	for _, name := range wanted {
		if !slices.ContainsFunc(models, func(m installer.Model) bool { return m.Name == strings.TrimSuffix(name, ":latest") }) {
			return fail("ollama pull "+name+", then wiki setup again; nothing was changed", "Ollama has no model %s", name)
		}
	}
	return nil
}

func (a *app) writeConfig(p plan) (installer.Written, error) {
	for _, key := range p.now.Left {
		fmt.Fprintf(a.stderr, "wiki: %s is not taken over, it means nothing now\n", key)
	}
	written, err := installer.Write(p.now, p.choice.Change(p.now.Config))
	if err != nil {
		return written, &failure{err: err, hint: "nothing was changed", code: exitConfig}
	}
	switch {
	case !written.Changed:
		a.tell("config", "%s says so already", written.File)
	case written.Backup != "":
		a.tell("config", "%s is written; what was there is kept as %s", written.File, filepath.Base(written.Backup))
	default:
		a.tell("config", "%s is written", written.File)
	}
	return written, nil
}

// serveFromNow installs the login service, or brings it up to date, and starts it.
// One that is as it should be is not disturbed.
func (a *app) serveFromNow(ctx context.Context, changed bool) (*serviceView, error) {
	quiet := *a
	quiet.stdout, quiet.json = &output{w: io.Discard}, false
	l, err := a.login(ctx)
	if err != nil {
		return nil, err
	}
	v, err := l.view(ctx)
	if err != nil {
		return nil, err
	}
	if changed || !v.Installed || !v.Current || !v.Active || !v.Running || v.Path != os.Getenv("PATH") {
		if err := quiet.installService(ctx, l, false, false); err != nil {
			return nil, err
		}
		if v, err = l.view(ctx); err != nil {
			return nil, err
		}
	}
	a.tell("service", "installed as %s, starts when you log in; wiki service uninstall takes it away", kindName(v.Kind))
	a.tell("engine", "runs with pid %d on port %d", v.PID, v.Port)
	return &v, nil
}

// prove has a first question answered, by the engine that runs or by one for this
// purpose, in a folder of its own.
func (a *app) prove(ctx context.Context, cfg config.Config) (installer.Proof, error) {
	ctx, cancel := context.WithTimeout(ctx, proofTime)
	defer cancel()
	client, err := a.client(ctx)
	if err != nil {
		return installer.Proof{}, err
	}
	if _, err := client.Status(ctx); errors.Is(err, api.ErrNotRunning) {
		return a.rehearse(ctx, cfg)
	}
	for _, v := range cfg.Vaults {
		there, _ := doctor.Await(func() bool { _, err := os.Stat(v.Path); return err == nil })
		if there && !v.Paused {
			miner, _ := cfg.Agent("Miner")
			return installer.Prove(ctx, client, v.Path, miner.Runner)
		}
	}
	return installer.Proof{}, errors.New("none of the folders is there and watched")
}

// moveTime is how long an engine that runs at another port is given to move to the one
// of the configuration. One that was started with --port stays, and one with agents at
// work moves later.
const moveTime = 10 * time.Second

// moved waits until no engine of ours is at another port than this one.
func (a *app) moved(ctx context.Context, port int) {
	state, err := config.StateDir()
	if err != nil {
		return // who asks next says why
	}
	for until := time.Now().Add(moveTime); host.FindPort(ctx, state, port) != port && time.Now().Before(until) && pauseFor(ctx, 200*time.Millisecond); {
	}
}

// pauseFor reports whether the time has passed before ctx ended.
func pauseFor(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}
