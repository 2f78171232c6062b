// Package command is what the commands of wiki share: the flags of all of them, where they print,
// the engine they ask, and how they fail.
//
//	func Proposed(a *command.App) *cobra.Command {
//		return &cobra.Command{Use: "proposed", Short: "...", RunE: command.Showing(a, (*client.Client).Proposed, report.PrintProposed)}
//	}
//
// A command is a value: its name, its flags and its run. One without Args takes none, and one without
// a run shows the commands below it ([Complete]).
package command

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"vaultdispatcher/cmd/wiki/printable"
	"vaultdispatcher/engine/api/client"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/config/place"
	"vaultdispatcher/engine/patience"
)

// App is what all commands share. One goroutine uses it.
type App struct {
	Stdout     *Output
	Stderr     io.Writer
	ConfigFile string // --config
	JSON       bool   // --json
	Misused    error  // help was asked for a command that is not there

	warned int // how many warnings of the configuration were told
}

// Quiet returns an App that says nothing.
func (a *App) Quiet() *App {
	return &App{Stdout: &Output{W: io.Discard}, Stderr: io.Discard, ConfigFile: a.ConfigFile}
}

// Config reads the configuration and tells its warnings once.
func (a *App) Config() (config.Config, error) {
	cfg, err := config.Load(a.ConfigFile)
	if err != nil {
		return config.Config{}, BadConfig(err)
	}
	for ; a.warned < len(cfg.Warnings); a.warned++ {
		a.Say("%s", cfg.Warnings[a.warned])
	}
	return cfg, nil
}

// Client returns a client of the engine this user runs, wherever it listens.
// Without a token file only the open endpoints answer. A configuration that cannot
// be used does not hide an engine that runs with an earlier one.
func (a *App) Client(ctx context.Context) (*client.Client, error) {
	state, err := place.StateDir()
	if err != nil {
		return nil, err
	}
	cfg, problem := a.Config()
	if problem != nil && client.ReadPortFile(state) == 0 {
		return nil, problem
	}
	return client.FindEngine(ctx, state, cfg.HTTPPort)
}

// Ask runs do with a client of the running engine.
func (a *App) Ask(ctx context.Context, do func(context.Context, *client.Client) error) error {
	client, err := a.Client(ctx)
	if err != nil {
		return err
	}
	return do(ctx, client)
}

// answerTime is how long a command waits for what the engine has in memory.
const answerTime = 2 * time.Second

// AskSoon is Ask for what the engine can answer at once.
func (a *App) AskSoon(ctx context.Context, do func(context.Context, *client.Client) error) error {
	return a.Ask(ctx, func(ctx context.Context, client *client.Client) error {
		ctx, cancel := context.WithTimeout(ctx, patience.Of(answerTime))
		defer cancel()
		return do(ctx, client)
	})
}

// Run is the run of a cobra command.
type Run = func(cmd *cobra.Command, args []string) error

// Asking is the run of a command that asks the engine about its arguments.
func (a *App) Asking(do func(ctx context.Context, client *client.Client, args []string) error) Run {
	return func(cmd *cobra.Command, args []string) error {
		return a.Ask(cmd.Context(), func(ctx context.Context, client *client.Client) error { return do(ctx, client, args) })
	}
}

// Reading is the run of a command that asks the configuration and no engine.
func (a *App) Reading(do func(ctx context.Context, cfg config.Config, args []string) error) Run {
	return func(cmd *cobra.Command, args []string) error {
		cfg, err := a.Config()
		if err != nil {
			return err
		}
		return do(cmd.Context(), cfg, args)
	}
}

// Showing is the run of a command that asks the engine for one thing and prints it.
func Showing[T any](a *App, ask func(*client.Client, context.Context) (T, error), text func(io.Writer, T)) Run {
	return a.Asking(func(ctx context.Context, client *client.Client, _ []string) error {
		found, err := ask(client, ctx)
		return ShowFound(a, found, err, text)
	})
}

// Show prints v as JSON when that was asked for, else as text.
func (a *App) Show(v any, text func(w io.Writer)) error {
	if !a.JSON {
		text(a.Stdout)
		return a.Stdout.err
	}
	var encoded bytes.Buffer
	enc := json.NewEncoder(&encoded)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return err
	}
	a.Stdout.KeepLines(true)
	_, err := a.Stdout.Write(printable.JSON(encoded.Bytes()))
	return err
}

// ShowFound prints what was found out, unless it could not be.
func ShowFound[T any](a *App, found T, err error, text func(io.Writer, T)) error {
	if err != nil {
		return err
	}
	return a.Show(found, func(w io.Writer) { text(w, found) })
}

// Say prints a line that is not what was asked for.
func (a *App) Say(format string, args ...any) {
	printable.Fprintf(&Output{W: a.Stderr}, "wiki: "+format+"\n", args...)
}

// Complain prints a line of what went wrong.
func (a *App) Complain(line string) {
	w := &Output{W: a.Stderr}
	fmt.Fprintln(w, printable.Paint(w, printable.Red, "wiki:"), printable.Sprintf("%s", line))
}

// Hint prints the next step after what was said.
func (a *App) Hint(format string, args ...any) {
	printable.Fprintf(&Output{W: a.Stderr}, "hint: "+format+"\n", args...)
}

// CanAsk reports whether a person at a terminal can be asked.
func (a *App) CanAsk() bool { return !a.JSON && term.IsTerminal(int(os.Stdin.Fd())) }

// Confirm asks the person at the terminal; no answer is no.
func (a *App) Confirm(ctx context.Context, question string) (bool, error) {
	printable.Fprintf(a.Stderr, "%s [y/N] ", question)
	answer := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(os.Stdin).ReadString('\n')
		answer <- line
	}()
	select {
	case <-ctx.Done():
		return false, ctx.Err()
	case line := <-answer:
		word := strings.ToLower(strings.TrimSpace(line))
		return word == "y" || word == "yes", nil
	}
}
