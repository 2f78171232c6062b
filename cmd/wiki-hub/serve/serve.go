// Package serve is the program wiki-hub: a hub in the foreground, in the words of `wiki hub`, which becomes it.
//
// It is a program of its own because the server of NATS wakes every process that holds it each second
// (https://github.com/nats-io/nats-server/blob/v2.15.2/server/pse/pse_linux.go).
package serve

import (
	"context"
	"io"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"vaultdispatcher/cmd/wiki/command"
	"vaultdispatcher/engine/config/place"
	"vaultdispatcher/engine/queue/hub"
	"vaultdispatcher/engine/queue/keyring"
	"vaultdispatcher/engine/syserr"
)

// Main runs the command line of this process and ends it.
func Main() {
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) // a closed terminal does not end the hub
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	a := &command.App{Stdout: &command.Output{W: stdout}, Stderr: stderr}
	listen := ""
	cmd := &cobra.Command{
		Use:           "wiki-hub",
		Short:         "Carry questions to other machines",
		Long:          "Runs the server that carries questions to workers on other machines, as wiki hub does.",
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE:          func(cmd *cobra.Command, _ []string) error { return runHub(cmd.Context(), a, listen) },
	}
	cmd.Flags().StringVar(&a.ConfigFile, "config", "", "configuration `file` instead of the usual one")
	cmd.Flags().StringVar(&listen, "listen", "", "listen on this `address`, such as 0.0.0.0:11437")
	cmd.SetFlagErrorFunc(command.RefuseFlags)
	command.Complete(cmd)
	cmd.SetArgs(args)
	cmd.SetOut(a.Stdout)
	cmd.SetErr(stderr)
	if err := cmd.ExecuteContext(ctx); err != nil {
		return a.Explain(command.FailureOf(err))
	}
	return command.ExitOK
}

func runHub(ctx context.Context, a *command.App, listen string) error {
	cfg, err := a.Config()
	if err != nil {
		return err
	}
	listen, err = keyring.ListenAddress(listen, cfg.Queue.Hub)
	if err != nil {
		return err
	}
	state, err := place.StateDir()
	if err != nil {
		return err
	}
	h, err := hub.Open(state)
	if err != nil {
		return err
	}
	log := slog.New(slog.NewTextHandler(a.Stderr, &slog.HandlerOptions{ReplaceAttr: syserr.ForPeople}))
	return h.Run(ctx, listen, log, func(addr net.Addr) {
		a.Say("the hub listens on %s; Ctrl-C ends it", addr)
		a.Hint("wiki hub token prints what a machine joins with")
	})
}
