package dispatches

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"vaultdispatcher/cmd/wiki/command"
	"vaultdispatcher/cmd/wiki/printable"
	"vaultdispatcher/cmd/wiki/report"
	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/client"
)

// Schedule lists and steers the questions that come again.
func Schedule(a *command.App) *cobra.Command {
	list := &cobra.Command{
		Use:   "list",
		Short: "List the questions that come again, the next one first",
		RunE: command.Showing(a, (*client.Client).Schedule, func(w io.Writer, list []api.Scheduled) {
			if report.PrintSchedule(w, "", list); len(list) == 0 {
				printable.Fprintln(w, "nothing comes again; a line such as > @agent-Miner every Monday 8:00 what is open? does, and so does wiki.schedule in the configuration")
			}
		}),
	}
	group := command.Group("schedule", "List the questions that come again, pause one, or ask it now",
		list,
		actOnSchedule(a, "pause", "Pause one"),
		actOnSchedule(a, "resume", "Have a paused one come again; what was missed is not made up for"),
		actOnSchedule(a, "run", "Ask one now"))
	group.RunE = list.RunE
	return group
}

func actOnSchedule(a *command.App, act, short string) *cobra.Command {
	return &cobra.Command{
		Use:   act + " ID",
		Short: short,
		Args:  command.TakesExactly(1, "wiki schedule lists them"),
		RunE: a.Asking(func(ctx context.Context, client *client.Client, args []string) error {
			list, err := client.Schedule(ctx)
			if err != nil {
				return err
			}
			var ids []string
			for _, s := range list {
				ids = append(ids, s.ID)
			}
			id, err := onlyID(ids, args[0])
			if err != nil {
				return err
			}
			s, err := client.ActOnSchedule(ctx, id, act)
			err = named(err, "nothing that comes again has the ID "+args[0], "wiki schedule lists what does")
			return command.ShowFound(a, s, err, func(w io.Writer, s api.Scheduled) { report.PrintSchedule(w, "", []api.Scheduled{s}) })
		}),
	}
}
