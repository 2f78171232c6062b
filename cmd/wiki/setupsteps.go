package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"vaultdispatcher/cmd/wiki/command"
	"vaultdispatcher/cmd/wiki/machine"
	"vaultdispatcher/cmd/wiki/printable"
	"vaultdispatcher/cmd/wiki/report"
	"vaultdispatcher/cmd/wiki/texts"
	"vaultdispatcher/cmd/wiki/wizard"
	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/client"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/config/place"
	"vaultdispatcher/engine/config/runners"
	"vaultdispatcher/engine/syserr"
	"vaultdispatcher/engine/wording"
	"vaultdispatcher/installer"
	"vaultdispatcher/installer/doctor"
	"vaultdispatcher/installer/noteplugin"
	"vaultdispatcher/installer/places"
	"vaultdispatcher/installer/proof"
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
	Proof   *api.SetupProof        `json:"proof"`

	Obsidian []noteplugin.Done `json:"obsidian,omitempty"` // our plugin in its vaults
}

// carryOut does what was planned: first it checks everything that could fail, then it
// writes.
func carryOut(ctx context.Context, a *command.App, p plan) error {
	done := setUp{}
	err := p.Check(ctx, setupReports(a, &done))
	if err != nil {
		return refusedSetup(err)
	}
	if done.Written, err = writeConfig(a, p); err != nil {
		return err
	}
	if *p.Choice.Login {
		if done.Service, err = ensureService(ctx, a, done.Changed); err != nil {
			return err
		}
	}
	if done.Tray, err = switchTray(a, p.Choice.Tray); err != nil {
		return err
	}
	program, err := installer.ThisProgram()
	if err != nil {
		return err
	}
	done.Lines = places.Lines(places.ThisMachine(), program)
	tellNoteApp(a, p, &done)
	if err := showFirstAnswer(ctx, a, p, &done); err != nil {
		return err
	}
	if a.JSON {
		return a.Show(done, nil)
	}
	if !done.Proof.Running {
		tellStep(a, "next", "run wiki run and leave it open, so that notes are answered")
		tellStep(a, "then", "write > @agent-Miner and a question into a note, and save; wiki open shows what came of it")
		return a.Stdout.Err()
	}
	tellStep(a, "next", "write > @agent-Miner and a question into a note, and save; wiki open shows what came of it")
	return a.Stdout.Err()
}

// tellNoteApp says how saves are reported: by our plugin, and by the line for note apps where a vault of Obsidian is without it.
func tellNoteApp(a *command.App, p plan, done *setUp) {
	done.Obsidian = noteplugin.PutAll(done.Config.Vaults, p.Obsidian)
	for _, line := range report.Plugins(done.Obsidian, p.Obsidian) {
		tellStep(a, "obsidian", "%s", line)
	}
	isWithout := func(v config.Vault) bool {
		return noteplugin.IsPlace(v.Path) && !slices.ContainsFunc(done.Obsidian, func(one noteplugin.Done) bool { return one.Vault == v.Path && one.Problem == "" })
	}
	if p.Copy || slices.ContainsFunc(done.Config.Vaults, isWithout) {
		tellStep(a, "note app", "can report its saves, which helps on a share; in Obsidian the plugin Shell commands, event \"File content modified\", runs")
		for _, line := range done.Lines {
			tellStep(a, "", "  %s   (%s)", line.Text, line.Shell)
		}
	}
	if p.Copy {
		done.Copied = copyLine(a, done.Lines[0].Text)
	}
}

// setupReports print what the checks find.
func setupReports(a *command.App, done *setUp) installer.Reports {
	return installer.Reports{
		Doubt: func(path string, d places.Doubt) { tellStep(a, "vault", "%s", texts.Doubt(path, d)) },
		Folder: func(f doctor.Finding) {
			found := texts.Findings([]doctor.Finding{f})[0]
			done.Vaults = append(done.Vaults, found)
			tellStep(a, "vault", "%s", found.Text)
		},
		Program: func(path string) { tellStep(a, "agent", "%s", path) },
		LoggedOut: func(program, role string) {
			a.Say("nothing shows that %s is logged in", program)
			a.Hint("%s, then wiki agents test %s", runners.HowToLogIn(program), role)
		},
		NoOllama: func(err error) {
			a.Say("%v", err)
			a.Hint("start Ollama; until then notes are found by their words")
		},
	}
}

func writeConfig(a *command.App, p plan) (installer.Written, error) {
	for _, key := range p.Present.Obsolete {
		a.Say("%s is not imported, because it has no meaning now", key)
	}
	written, err := p.Write()
	if err != nil {
		return written, command.NewFailure(err, unchanged, command.ExitConfig)
	}
	switch {
	case !written.Changed:
		tellStep(a, "config", "%s needs no change", written.File)
	case written.Backup != "":
		tellStep(a, "config", "%s is written; the previous version is kept as %s", written.File, filepath.Base(written.Backup))
	default:
		tellStep(a, "config", "%s is written", written.File)
	}
	if other := installer.RemoteHost(written.Config.Embedding); other != "" {
		tellStep(a, "meaning", "the text of your notes is sent to %s", other)
	}
	if lost := installer.LostKey(p.Present.Config, written.Config); lost != "" {
		tellStep(a, "meaning", "%s", texts.LostKey(lost))
	}
	return written, nil
}

// ensureService installs the login service, or brings it up to date, and starts it. A
// service that needs no change is not disturbed.
func ensureService(ctx context.Context, a *command.App, changed bool) (*installer.ServiceView, error) {
	quiet := *a
	quiet.Stdout, quiet.JSON = &command.Output{W: io.Discard}, false
	l, err := machine.Login(ctx, a)
	if err != nil {
		return nil, err
	}
	v, err := l.View(ctx)
	if err != nil {
		return nil, err
	}
	if changed || !v.IsCurrent() {
		if err := machine.Install(ctx, &quiet, l, false, false); err != nil {
			return nil, err
		}
		if v, err = l.View(ctx); err != nil {
			return nil, err
		}
	}
	tellStep(a, "service", "installed as %s, starts when you log in; wiki service uninstall removes it", texts.ServiceKind(v.Kind))
	tellStep(a, "engine", "runs with pid %d on port %d", v.PID, v.Port)
	return &v, nil
}

// switchTray makes the tray start at login or not, and says whether it does. Without a
// choice nothing changes.
func switchTray(a *command.App, on *bool) (bool, error) {
	if on == nil {
		installed := service.Tray("").Installed()
		if installed {
			tellStep(a, "tray", "starts when you log in, as before; --tray=false turns that off")
		}
		return installed, nil
	}
	if err := installer.SwitchTray(a.ConfigFile, *on); err != nil {
		return !*on, err
	}
	tellStep(a, "tray", "%s", wording.Choose(*on, "starts when you log in; wiki-tray shows it now", "does not start when you log in"))
	return *on, nil
}

// showFirstAnswer shows a first answer.
func showFirstAnswer(ctx context.Context, a *command.App, p plan, done *setUp) error {
	state, err := place.StateDir()
	if err != nil {
		return err
	}
	if p.Choice.Port != 0 {
		client.WaitForPort(ctx, state, done.Config.HTTPPort)
	}
	first, err := proof.FirstAnswer(ctx, state, done.Config, runTemporary, a.Stderr)
	if err != nil {
		hint := "wiki doctor finds the cause"
		if _, ok := errors.AsType[*proof.NotTaken](err); ok {
			hint = "the settings that say so are in " + done.File
		}
		return command.NewFailure(fmt.Errorf("everything is written, but no first answer came: %w", err), hint, command.ExitFailed)
	}
	done.Proof = &first
	tellStep(a, "proof", "%s", texts.Proof(first))
	for line := range strings.Lines(wizard.Wrap(a.Stdout.W, first.Answer, stepIndent+2)) {
		tellStep(a, "", "  %s", strings.TrimRight(line, "\n"))
	}
	return nil
}

// copyLine puts the note app's line on the clipboard and says what came of it. A failed
// copy does not fail setup: the line is on the screen.
func copyLine(a *command.App, text string) string {
	var screen io.Writer
	for _, w := range []io.Writer{a.Stderr, a.Stdout} {
		if command.IsTerminal(w) {
			screen = w
		}
	}
	where, err := installer.Copy(text, screen)
	switch {
	case err != nil:
		tellStep(a, "clipboard", "the line could not be copied: %s", syserr.Plain(err))
	case where == installer.ToTerminal:
		tellStep(a, "clipboard", "your terminal was asked to copy the line; not every terminal does, so check what a paste brings")
	default:
		tellStep(a, "clipboard", "the line is on it")
	}
	return where
}

// stepIndent is where the text of a step begins.
const stepIndent = 11

// tellStep says on the way what was done; with --json all of it comes at the end. A text is broken between its words where the
// terminal ends, a line that belongs to the step above is left as it is.
func tellStep(a *command.App, what, format string, args ...any) {
	var w io.Writer = a.Stdout
	if a.JSON {
		w = a.Stderr
	}
	text := printable.Sprintf("%s", fmt.Sprintf(format, args...))
	if what == "" {
		defer printable.KeepLines(w)()
	} else {
		text = wizard.Wrap(a.Stdout.W, text, stepIndent)
	}
	for line := range strings.SplitSeq(text, "\n") {
		printable.Fprintf(w, "%-*s%s\n", stepIndent, what, line)
		what = ""
	}
}
