package machine

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

	"vaultdispatcher/cmd/wiki/command"
	"vaultdispatcher/cmd/wiki/printable"
	"vaultdispatcher/engine/api/client"
	"vaultdispatcher/installer"
	"vaultdispatcher/service"
	"vaultdispatcher/service/logfile"
)

// supervisorCommand is what an entry starts where no service manager keeps the engine.
func supervisorCommand(a *command.App) *cobra.Command {
	var detach, system bool
	cmd := &cobra.Command{
		Use:    "run SETTINGS",
		Short:  "Run the engine and start it again when it fails; for the entry of a login service",
		Hidden: true,
		Args:   command.TakesExactly(1, ""),
		RunE: func(cmd *cobra.Command, args []string) error {
			if detach {
				program, err := os.Executable()
				if err != nil {
					return fmt.Errorf("find this program: %w", err)
				}
				return service.Detach(program, "service", "run", args[0])
			}
			return superviseEngine(cmd.Context(), a, args[0], system)
		},
	}
	cmd.Flags().BoolVar(&detach, "detach", false, "in the background")
	cmd.Flags().BoolVar(&system, "system", false, "as Windows' service manager wants it")
	return cmd
}

// superviseEngine supervises the engine, with a log in the state folder.
func superviseEngine(ctx context.Context, a *command.App, settings string, system bool) error {
	state := filepath.Dir(filepath.Dir(settings))
	var out io.Writer = a.Stderr // an engine without a log is better than none
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
func ownSystem(ctx context.Context, a *command.App, l *installer.Login) error {
	if runtime.GOOS != "windows" {
		return command.Usage("without --system it is a login service of yours", "only Windows has such services")
	}
	who, err := user.Current()
	if err != nil {
		return fmt.Errorf("find out whose the service is to be: %w", err)
	}
	password, err := readPassword(a, who.Username)
	if err != nil {
		return fmt.Errorf("read the password: %w", err)
	}
	return l.UseAccount(ctx, service.Account{Name: who.Username, Password: password})
}

// readPassword asks for it, or reads a line of what is not a terminal.
func readPassword(a *command.App, name string) (string, error) {
	if fd := int(os.Stdin.Fd()); term.IsTerminal(fd) {
		printable.Fprintf(a.Stderr, "Password of %s, which Windows keeps with the service: ", name)
		password, err := term.ReadPassword(fd)
		fmt.Fprintln(a.Stderr)
		return string(password), err
	}
	line, err := bufio.NewReader(os.Stdin).ReadString('\n')
	if err == io.EOF {
		err = nil
	}
	return strings.TrimRight(line, "\r\n"), err
}
