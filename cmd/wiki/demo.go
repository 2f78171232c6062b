package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"

	"vaultdispatcher/assets"
	"vaultdispatcher/engine"
	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/config"
)

// demoTime is how long the demonstration waits for its answers.
const demoTime = time.Minute

// demoCommand shows the product at work, on a vault of its own and with a
// configuration, state, port and lock of its own.
func (a *app) demoCommand() *cobra.Command {
	var keep bool
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "See a sample vault answered before your eyes",
		Long:  "Unpacks a sample vault into a temporary folder, runs the engine on it, saves a\nnote with questions and shows the answers. Nothing of yours is touched.",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return a.demo(cmd.Context(), keep) },
	}
	cmd.Flags().BoolVar(&keep, "keep", false, "leave the folder and the engine running, to try it yourself")
	return cmd
}

func (a *app) demo(ctx context.Context, keep bool) (err error) {
	dir, err := os.MkdirTemp("", "wiki-demo-")
	if err != nil {
		return fmt.Errorf("make a folder for the demonstration: %w", err)
	}
	if !keep {
		defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	}
	d := &demonstration{app: a, dir: dir, vault: filepath.Join(dir, "vault"), begun: time.Now()}
	if err := os.CopyFS(d.vault, assets.Vault()); err != nil {
		return fmt.Errorf("unpack the sample vault: %w", err)
	}
	e, client, err := d.start(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	running, end := context.WithCancel(ctx)
	defer end()
	ended := make(chan error, 1)
	go func() { ended <- e.Run(running) }()
	err = d.play(ctx, client)
	if err == nil && keep {
		d.invite(e)
		return errors.Join(<-ended, context.Cause(ctx))
	}
	end()
	return errors.Join(err, <-ended)
}

// demonstration is one run of the demo.
type demonstration struct {
	app        *app
	dir, vault string
	begun      time.Time
	shown      map[string]int // steps already told, by dispatch
}

// start returns an engine for the sample vault that shares nothing with one the
// user may be running.
func (d *demonstration) start(ctx context.Context) (*engine.Engine, *api.Client, error) {
	cfg := config.Default()
	vaults, err := config.NewVaults(d.vault)
	if err != nil {
		return nil, nil, err
	}
	cfg.Vaults = vaults
	ln, err := api.Listen(0)
	if err != nil {
		return nil, nil, err
	}
	state := filepath.Join(d.dir, "state")
	cache := func(string) (string, error) { return filepath.Join(d.dir, "cache"), nil }
	log := slog.New(slog.NewTextHandler(d.app.stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	e, err := start(ctx, cfg, ln, state, cache, log)
	if err != nil {
		return nil, nil, errors.Join(err, ln.Close())
	}
	token, err := api.LoadToken(filepath.Join(state, "token"))
	if err != nil {
		return nil, nil, errors.Join(err, ln.Close(), e.Close())
	}
	return e, api.NewClient(e.Port(), token), nil
}

// play saves the note with the questions, tells what happens to them and prints
// the note before and after.
func (d *demonstration) play(ctx context.Context, client *api.Client) error {
	ctx, cancel := context.WithTimeout(ctx, demoTime)
	defer cancel()
	name, before := assets.DemoNote()
	path := filepath.Join(d.vault, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("make the demonstration's note: %w", err)
	}
	d.say("a vault of %d notes is watched: %s", d.notes(ctx, client), d.vault)
	if err := os.WriteFile(path, before, 0o644); err != nil {
		return fmt.Errorf("save the demonstration's note: %w", err)
	}
	d.say("saved %q with its questions; each waits until its line has settled", name)
	if err := d.follow(ctx, client); err != nil {
		return err
	}
	after, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("read the demonstration's note: %w", err)
	}
	d.say("answered; this is what changed in the note:")
	if !d.app.json {
		fmt.Fprintln(d.app.stdout)
		d.print(diff.Diff("before/"+name, before, "after/"+name, after))
	}
	return nil
}

// notes waits until the vault has been read and counts its notes.
func (d *demonstration) notes(ctx context.Context, client *api.Client) int {
	n := 0
	d.poll(ctx, func() bool {
		s, err := client.Status(ctx)
		if err != nil || len(s.Vaults) == 0 || busy(s.Vaults) {
			return false
		}
		n = s.Vaults[0].Notes
		return true
	})
	return n
}

// follow tells every step of every dispatch until all have ended.
func (d *demonstration) follow(ctx context.Context, client *api.Client) error {
	d.shown = make(map[string]int)
	var failed error
	err := d.poll(ctx, func() bool {
		s, err := client.Status(ctx)
		if err != nil {
			return false
		}
		var news []event
		for _, r := range s.Dispatches {
			detail, err := client.Dispatch(ctx, r.ID)
			if err != nil {
				return false
			}
			news = append(news, d.news(detail)...)
			if r.Status == "failed" {
				failed = fmt.Errorf("%s: %s", r.Key, r.Error)
			}
		}
		slices.SortStableFunc(news, func(a, b event) int { return a.at.Compare(b.at) })
		for _, e := range news {
			d.sayAt(e.at, "%s", e.text)
		}
		q := s.Queue
		return len(s.Dispatches) > 0 && q.Settling+q.Queued+q.Processing == 0
	})
	return errors.Join(failed, err)
}

// event is one line of the demonstration.
type event struct {
	at   time.Time
	text string
}

// news returns the steps of a dispatch that have not been told yet.
func (d *demonstration) news(detail api.Detail) (events []event) {
	for _, step := range detail.Steps[d.shown[detail.ID]:] {
		lines := strings.Trim(strings.ReplaceAll(fmt.Sprint(detail.Lines), " ", ", "), "[]")
		events = append(events, event{step.At, fmt.Sprintf("%-10s %s, line %s", step.Step, detail.Key, lines)})
	}
	d.shown[detail.ID] = len(detail.Steps)
	return events
}

// poll calls done until it is true.
func (d *demonstration) poll(ctx context.Context, done func() bool) error {
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for !done() {
		select {
		case <-ctx.Done():
			return fmt.Errorf("the demonstration did not come to its end: %w", ctx.Err())
		case <-tick.C:
		}
	}
	return nil
}

func (d *demonstration) say(format string, args ...any) { d.sayAt(time.Now(), format, args...) }

// sayAt prints one event with the seconds since the start.
func (d *demonstration) sayAt(at time.Time, format string, args ...any) {
	seconds, text := max(at.Sub(d.begun).Seconds(), 0), fmt.Sprintf(format, args...)
	_ = d.app.show(map[string]any{"seconds": seconds, "event": text}, func(w io.Writer) {
		fmt.Fprintf(w, "%6.2f s  %s\n", seconds, text)
	})
}

// print writes a diff, coloured on a terminal.
func (d *demonstration) print(text []byte) {
	colour := hasColour(d.app.stdout)
	for line := range strings.Lines(string(text)) {
		switch {
		case colour && strings.HasPrefix(line, "+"):
			line = "\x1b[32m" + strings.TrimSuffix(line, "\n") + "\x1b[0m\n"
		case colour && strings.HasPrefix(line, "-"):
			line = "\x1b[31m" + strings.TrimSuffix(line, "\n") + "\x1b[0m\n"
		}
		fmt.Fprint(d.app.stdout, line)
	}
}

// invite says how to go on by oneself.
func (d *demonstration) invite(e *engine.Engine) {
	fmt.Fprintf(d.app.stdout, "\nThe engine goes on; Ctrl-C ends it, and the folder stays.\n"+
		"Try it: write a line like this into any note and save,\n\n"+
		"    echo '> @agent-Miner which beans do we roast for the market?' >> %q\n\n"+
		"or look at http://127.0.0.1:%d/vault-mind/status.\n", filepath.Join(d.vault, "Home.md"), e.Port())
}
