package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/user"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"vaultdispatcher/cmd/wiki/printable"
	"vaultdispatcher/engine/api/client"
	"vaultdispatcher/installer"
	"vaultdispatcher/service"
	"vaultdispatcher/service/logfile"
)

// supervisorCommand is what an entry starts where no service manager keeps the engine.
func (a *app) supervisorCommand() *cobra.Command {
	var detach, system bool
	cmd := &cobra.Command{
		Use:    "run SETTINGS",
		Short:  "Run the engine and start it again when it fails; for the entry of a login service",
		Hidden: true,
		Args:   takesExactly(1, ""),
		RunE: func(cmd *cobra.Command, args []string) error {
			if detach {
				program, err := os.Executable()
				if err != nil {
					return fmt.Errorf("find this program: %w", err)
				}
				return service.Detach(program, "service", "run", args[0])
			}
			return a.superviseEngine(cmd.Context(), args[0], system)
		},
	}
	cmd.Flags().BoolVar(&detach, "detach", false, "in the background")
	cmd.Flags().BoolVar(&system, "system", false, "as Windows' service manager wants it")
	return cmd
}

// superviseEngine supervises the engine, with a log in the state folder.
func (a *app) superviseEngine(ctx context.Context, settings string, system bool) error {
	state := filepath.Dir(filepath.Dir(settings))
	var out io.Writer = a.stderr // an engine without a log is better than none
	if log, err := logfile.Open(logfile.ServiceLog(state)); err == nil {
		defer log.Close()
		out = log
	}
	supervise := func(ctx context.Context) error { return service.Supervise(ctx, settings, out) }
	if system {
		return service.Serve(ctx, installer.ServiceName, supervise, func(ctx context.Context) error {
			client, err := client.FindEngine(ctx, state, 0)
			if err != nil {
				return err
			}
			return client.Shutdown(ctx)
		})
	}
	return supervise(ctx)
}

// ownSystem makes the service one of Windows' own. It is this user's all the same:
// the configuration, the notes and what the agents are logged in to are.
func (a *app) ownSystem(ctx context.Context, l *installer.Login) error {
	if runtime.GOOS != "windows" {
		return usage("without --system it is a login service of yours", "only Windows has such services")
	}
	who, err := user.Current()
	if err != nil {
		return fmt.Errorf("find out whose the service is to be: %w", err)
	}
	password, err := a.readPassword(who.Username)
	if err != nil {
		return fmt.Errorf("read the password: %w", err)
	}
	return l.UseAccount(ctx, service.Account{Name: who.Username, Password: password})
}

// readPassword asks for it, or reads a line of what is not a terminal.
func (a *app) readPassword(name string) (string, error) {
	if fd := int(os.Stdin.Fd()); term.IsTerminal(fd) {
		printable.Fprintf(a.stderr, "Password of %s, which Windows keeps with the service: ", name)
		password, err := term.ReadPassword(fd)
		fmt.Fprintln(a.stderr)
		return string(password), err
	}
	line, err := bufio.NewReader(os.Stdin).ReadString('\n')
	if err == io.EOF {
		err = nil
	}
	return strings.TrimRight(line, "\r\n"), err
}
