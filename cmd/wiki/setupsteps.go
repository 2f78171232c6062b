package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"vaultdispatcher/cmd/wiki/printable"
	"vaultdispatcher/cmd/wiki/report"
	"vaultdispatcher/cmd/wiki/texts"
	"vaultdispatcher/cmd/wiki/wizard"
	"vaultdispatcher/engine/api/client"
	"vaultdispatcher/engine/config/place"
	"vaultdispatcher/engine/config/runners"
	"vaultdispatcher/engine/syserr"
	"vaultdispatcher/engine/wording"
	"vaultdispatcher/installer"
	"vaultdispatcher/installer/doctor"
	"vaultdispatcher/installer/noteplugin"
	"vaultdispatcher/installer/places"
	"vaultdispatcher/service"
)

// plan is what setup will do.
type plan struct {
	installer.Plan
	wizard.Given
}

// setUp is what setup prints with --json.
type setUp struct {
	installer.Written
	Vaults  []texts.Finding        `json:"vaults"`
	Service *installer.ServiceView `json:"service"` // null with --no-service
	Tray    bool                   `json:"tray"`    // it starts at login
	Lines   []places.Line          `json:"lines"`   // for the note app
	Copied  string                 `json:"copied"`  // where the first of them was put: clipboard, terminal, or nowhere
	Proof   *installer.Proof       `json:"proof"`

	Obsidian []noteplugin.Done `json:"obsidian,omitempty"` // our plugin in its vaults
}

// carryOut does what was planned: first it checks everything that could fail, then it
// writes.
func (a *app) carryOut(ctx context.Context, p plan) error {
	done := setUp{}
	err := p.Check(ctx, a.setupReports(&done))
	if err != nil {
		return refusedSetup(err)
	}
	if done.Written, err = a.writeConfig(p); err != nil {
		return err
	}
	if *p.Choice.Login {
		if done.Service, err = a.ensureService(ctx, done.Changed); err != nil {
			return err
		}
	}
	if done.Tray, err = a.switchTray(p.Choice.Tray); err != nil {
		return err
	}
	program, err := installer.ThisProgram()
	if err != nil {
		return err
	}
	done.Lines = places.Lines(places.ThisMachine(), program)
	a.tellStep("note app", "can report its saves; in Obsidian the plugin Shell commands, event \"File content modified\", runs")
	for _, line := range done.Lines {
		a.tellStep("", "  %s   (%s)", line.Text, line.Shell)
	}
	if p.Copy {
		done.Copied = a.copyLine(done.Lines[0].Text)
	}
	done.Obsidian = noteplugin.PutAll(done.Config.Vaults, p.Obsidian)
	for _, line := range report.Plugins(done.Obsidian, p.Obsidian) {
		a.tellStep("obsidian", "%s", line)
	}
	if err := a.showFirstAnswer(ctx, p, &done); err != nil {
		return err
	}
	if a.json {
		return a.show(done, nil)
	}
	if !done.Proof.Running {
		a.tellStep("next", "run wiki run and leave it open, so that notes are answered")
		a.tellStep("then", "write > @agent-Miner and a question into a note, and save")
		return a.stdout.err
	}
	a.tellStep("next", "write > @agent-Miner and a question into a note, and save")
	return a.stdout.err
}

// setupReports print what the checks find.
func (a *app) setupReports(done *setUp) installer.Reports {
	return installer.Reports{
		Doubt: func(path string, d places.Doubt) { a.tellStep("vault", "%s", texts.Doubt(path, d)) },
		Folder: func(f doctor.Finding) {
			found := texts.Findings([]doctor.Finding{f})[0]
			done.Vaults = append(done.Vaults, found)
			a.tellStep("vault", "%s", found.Text)
		},
		Program: func(path string) { a.tellStep("agent", "%s", path) },
		LoggedOut: func(program, role string) {
			printable.Fprintf(a.stderr, "wiki: nothing shows that %s is logged in\nhint: %s, then wiki agents test %s\n", program, runners.HowToLogIn(program), role)
		},
		NoOllama: func(err error) {
			printable.Fprintf(a.stderr, "wiki: %v\nhint: start Ollama; until then notes are found by their words\n", err)
		},
	}
}

func (a *app) writeConfig(p plan) (installer.Written, error) {
	for _, key := range p.Now.Left {
		printable.Fprintf(a.stderr, "wiki: %s is not imported, because it has no meaning now\n", key)
	}
	written, err := p.Write()
	if err != nil {
		return written, &failure{err: err, hint: unchanged, code: exitConfig}
	}
	switch {
	case !written.Changed:
		a.tellStep("config", "%s needs no change", written.File)
	case written.Backup != "":
		a.tellStep("config", "%s is written; the previous version is kept as %s", written.File, filepath.Base(written.Backup))
	default:
		a.tellStep("config", "%s is written", written.File)
	}
	if other := installer.RemoteHost(written.Config.Embedding); other != "" {
		a.tellStep("meaning", "the text of your notes is sent to %s", other)
	}
	if lost := installer.LostKey(p.Now.Config, written.Config); lost != "" {
		a.tellStep("meaning", "%s", texts.LostKey(lost))
	}
	return written, nil
}

// ensureService installs the login service, or brings it up to date, and starts it. A
// service that needs no change is not disturbed.
func (a *app) ensureService(ctx context.Context, changed bool) (*installer.ServiceView, error) {
	quiet := *a
	quiet.stdout, quiet.json = &output{w: io.Discard}, false
	l, err := a.login(ctx)
	if err != nil {
		return nil, err
	}
	v, err := l.View(ctx)
	if err != nil {
		return nil, err
	}
	if changed || !v.IsCurrent() {
		if err := quiet.installService(ctx, l, false, false); err != nil {
			return nil, err
		}
		if v, err = l.View(ctx); err != nil {
			return nil, err
		}
	}
	a.tellStep("service", "installed as %s, starts when you log in; wiki service uninstall removes it", texts.ServiceKind(v.Kind))
	a.tellStep("engine", "runs with pid %d on port %d", v.PID, v.Port)
	return &v, nil
}

// switchTray makes the tray start at login or not, and says whether it does. Without a
// choice nothing changes.
func (a *app) switchTray(on *bool) (bool, error) {
	if on == nil {
		installed := service.Tray("").Installed()
		if installed {
			a.tellStep("tray", "starts when you log in, as before; --tray=false turns that off")
		}
		return installed, nil
	}
	if err := installer.SwitchTray(a.configFile, *on); err != nil {
		return !*on, err
	}
	a.tellStep("tray", "%s", wording.Choose(*on, "starts when you log in; wiki-tray shows it now", "does not start when you log in"))
	return *on, nil
}

// showFirstAnswer shows a first answer.
func (a *app) showFirstAnswer(ctx context.Context, p plan, done *setUp) error {
	state, err := place.StateDir()
	if err != nil {
		return err
	}
	if p.Choice.Port != 0 {
		client.WaitForPort(ctx, state, done.Config.HTTPPort)
	}
	proof, err := installer.FirstAnswer(ctx, state, done.Config, runTemporary, a.stderr)
	if err != nil {
		hint := "wiki doctor finds the cause"
		if _, ok := errors.AsType[*installer.NotTaken](err); ok {
			hint = "the settings that say so are in " + done.File
		}
		return &failure{fmt.Errorf("everything is written, but no first answer came: %w", err), hint, exitFailed}
	}
	done.Proof = &proof
	a.tellStep("proof", "%s", texts.Proof(proof))
	for line := range strings.Lines(wizard.Wrap(a.stdout, proof.Answer, 13)) { // behind the name of the step
		a.tellStep("", "  %s", strings.TrimRight(line, "\n"))
	}
	return nil
}

// copyLine puts the note app's line on the clipboard and says what came of it. A failed
// copy does not fail setup: the line is on the screen.
func (a *app) copyLine(text string) string {
	var screen io.Writer
	for _, w := range []io.Writer{a.stderr, a.stdout} {
		if isTerminal(w) {
			screen = w
		}
	}
	where, err := installer.Copy(text, screen)
	switch {
	case err != nil:
		a.tellStep("clipboard", "the line could not be copied: %s", syserr.Plain(err))
	case where == installer.ToTerminal:
		a.tellStep("clipboard", "your terminal was asked to copy the line; not every terminal does, so check what a paste brings")
	default:
		a.tellStep("clipboard", "the line is on it")
	}
	return where
}

// tellStep says on the way what was done; with --json all of it comes at the end.
func (a *app) tellStep(what, format string, args ...any) {
	var w io.Writer = a.stdout
	if a.json {
		w = a.stderr
	}
	printable.Fprintf(w, "%-9s  %s\n", what, fmt.Sprintf(format, args...))
}
