package machine

import (
	"fmt"

	"github.com/spf13/cobra"

	"vaultdispatcher/cmd/wiki/command"
	"vaultdispatcher/cmd/wiki/texts"
	"vaultdispatcher/engine/config/place"
	"vaultdispatcher/service/logfile"
)

// Logs shows the log that the engine has written. It asks no engine: the log is most useful without one.
func Logs(a *command.App) *cobra.Command {
	var follow, supervisor bool
	var lines int
	cmd := &cobra.Command{
		Use:   "logs",
		Short: "Show the log of the engine",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := command.CheckRange("lines", lines, 0, 1_000_000); err != nil {
				return err
			}
			state, err := place.StateDir()
			if err != nil {
				return err
			}
			file := logfile.EngineLog(state)
			if supervisor {
				file = logfile.ServiceLog(state)
			}
			printLine := func(line []byte) error {
				text := string(line) // as it is, with --json
				switch {
				case a.JSON:
				case command.IsTerminal(a.Stdout):
					text = texts.ToldLog(line)
				default:
					text = texts.ReadableLog(line)
				}
				_, err := fmt.Fprintln(a.Stdout, text)
				return err
			}
			reader := logfile.NewReader(file)
			found, err := reader.Last(lines)
			if err != nil {
				return fmt.Errorf("read the log: %w", err)
			}
			if len(found) == 0 && lines > 0 && !follow {
				a.Say("nothing is written in %s", file)
			}
			for _, line := range found {
				if err := printLine(line); err != nil {
					return err
				}
			}
			if !follow {
				return nil
			}
			return reader.Follow(cmd.Context(), printLine)
		},
	}
	cmd.Flags().BoolVarP(&follow, "follow", "f", false, "follow the log until Ctrl-C")
	cmd.Flags().IntVarP(&lines, "lines", "n", 50, "show the last `N` lines")
	cmd.Flags().BoolVar(&supervisor, "service", false, "show the login service's own output (not with systemd)")
	return cmd
}
