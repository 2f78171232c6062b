package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"vaultdispatcher/cmd/wiki/complete"
	"vaultdispatcher/cmd/wiki/printable"
	"vaultdispatcher/cmd/wiki/texts"
	"vaultdispatcher/engine"
	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/client"
	"vaultdispatcher/engine/api/listen"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/config/place"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/syserr"
	"vaultdispatcher/installer"
)

// app is what all commands share.
type app struct {
	stdout     *output
	stderr     io.Writer
	configFile string // --config
	json       bool   // --json
	warned     int    // how many warnings of the configuration were told
	misused    error  // help was asked for a command that is not there
}

// completions is where a shell's offers come from. A person who types reads no warnings.
func (a *app) completions() complete.Source {
	quiet := func() *app { return &app{stdout: a.stdout, stderr: io.Discard, configFile: a.configFile} }
	return complete.Source{
		Config: func() (config.Config, error) { return quiet().loadConfig() },
		Dispatches: func(ctx context.Context, status string) ([]api.Dispatch, error) {
			client, err := quiet().client(ctx)
			if err != nil {
				return nil, err
			}
			return client.Dispatches(ctx, api.Filter{Status: status})
		},
	}
}

// loadConfig reads the configuration and tells its warnings once.
func (a *app) loadConfig() (config.Config, error) {
	cfg, err := config.Load(a.configFile)
	if err != nil {
		return config.Config{}, &failure{err: err, hint: configHint(err), code: exitConfig}
	}
	for ; a.warned < len(cfg.Warnings); a.warned++ {
		printable.Fprintf(a.stderr, "wiki: %s\n", cfg.Warnings[a.warned])
	}
	return cfg, nil
}

// client returns a client of the engine this user runs, wherever it listens.
// Without a token file only the open endpoints answer. A configuration that cannot
// be used does not hide an engine that runs with an earlier one.
func (a *app) client(ctx context.Context) (*client.Client, error) {
	state, err := place.StateDir()
	if err != nil {
		return nil, err
	}
	cfg, problem := a.loadConfig()
	if problem != nil && client.ReadPortFile(state) == 0 {
		return nil, problem
	}
	return client.FindEngine(ctx, state, cfg.HTTPPort)
}

// withClient runs do with a client of the running engine.
func (a *app) withClient(cmd *cobra.Command, do func(context.Context, *client.Client) error) error {
	client, err := a.client(cmd.Context())
	if err != nil {
		return err
	}
	return do(cmd.Context(), client)
}

// show prints v as JSON when that was asked for, else as text.
func (a *app) show(v any, text func(w io.Writer)) error {
	if !a.json {
		text(a.stdout)
		return a.stdout.err
	}
	var encoded bytes.Buffer
	enc := json.NewEncoder(&encoded)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return err
	}
	_, err := a.stdout.Write(printable.JSON(encoded.Bytes()))
	return err
}

// showFound prints what was found out, unless it could not be.
func showFound[T any](a *app, found T, err error, text func(io.Writer, T)) error {
	if err != nil {
		return err
	}
	return a.show(found, func(w io.Writer) { text(w, found) })
}

// explain prints an error as a person wants to read it and returns its status.
func (a *app) explain(ctx context.Context, err error) int {
	if err == nil {
		return exitOK
	}
	if errors.Is(err, errReaderGone) {
		return exitFailed
	}
	f := a.toFailure(ctx, err)
	for line := range strings.Lines(syserr.Plain(f)) {
		printable.Fprintf(a.stderr, "wiki: %s\n", strings.TrimRight(line, "\n"))
	}
	if f.hint != "" {
		printable.Fprintf(a.stderr, "hint: %s\n", f.hint)
	}
	return f.code
}

// startTime is how long a service manager has to say whether it has our service.
const startTime = 2 * time.Second

// startHint says how an engine is started on this machine, as the next step.
func (a *app) startHint(ctx context.Context) string {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), startTime)
	defer cancel()
	l, err := installer.NewLogin(ctx, a.configFile, finalStatuses...)
	if err != nil {
		return "start it with wiki run"
	}
	kept, err := l.Status(ctx)
	switch {
	case l.Problem == nil && len(l.Config.Vaults) == 0:
		return "no vault is configured: run wiki setup, or wiki run --vault and the folder of your notes"
	case err == nil && kept.Installed:
		return "its login service is installed: wiki service start starts it"
	}
	return "start it with wiki run, and leave that open"
}

// toFailure gives every error its hint and its exit status.
func (a *app) toFailure(ctx context.Context, err error) *failure {
	if f, ok := errors.AsType[*failure](err); ok {
		return f
	}
	if taken, ok := errors.AsType[*listen.Taken](err); ok {
		hint := fmt.Sprintf("choose another port: wiki run --port %d", installer.SuggestPort(taken.Port))
		if !taken.Kept {
			hint = "end that program, or " + hint
		}
		return &failure{err, hint, exitPortTaken}
	}
	if other, ok := errors.AsType[*client.OtherState](err); ok {
		return &failure{other, "run it with the XDG_STATE_HOME that the engine was started with; wiki server status says which process that is", exitFailed}
	}
	if status, ok := errors.AsType[*api.StatusError](err); ok {
		return &failure{err, texts.NextStep(status.Code), exitFailed}
	}
	if missing, ok := errors.AsType[*place.NoPlace](err); ok {
		return &failure{err, missing.Hint(), exitFailed}
	}
	if bad, ok := errors.AsType[*config.Unusable](err); ok {
		return &failure{err, configHint(bad), exitConfig}
	}
	switch {
	case errors.Is(err, api.ErrNotRunning):
		return &failure{errors.New("the engine is not running"), a.startHint(ctx), exitNotRunning}
	case errors.Is(err, api.ErrNotOurs):
		return &failure{err, "choose another port: wiki run --port 0 takes a free one, and wiki.httpPort keeps one", exitPortTaken}
	case errors.Is(err, engine.ErrLocked):
		return &failure{err, "stop the other engine first; wiki server status shows where it runs", exitLocked}
	case errors.Is(err, journal.ErrNewer):
		return &failure{err, "use the newer version of this program, or move the state folder away", exitFailed}
	case errors.Is(err, journal.ErrOlder):
		return &failure{err, "move the state folder away, and the next start makes a new journal; notes and settings stay", exitFailed}
	case errors.Is(err, journal.ErrBusy):
		return &failure{err, "end what has that file open, such as a backup or a database browser, and try again", exitFailed}
	case isFullDisk(err):
		return &failure{err, "make room on that disk; wiki doctor shows how much is free", exitFailed}
	case errors.Is(err, context.Canceled):
		return &failure{errors.New("interrupted"), "", exitFailed}
	case errors.Is(err, context.DeadlineExceeded):
		return &failure{errSilent, "it may be busy; try again in a moment, and wiki logs shows what it does", exitFailed}
	case errors.Is(err, fs.ErrPermission):
		return &failure{err, "check who may read and write there", exitFailed}
	}
	return &failure{err: err, code: exitFailed}
}
