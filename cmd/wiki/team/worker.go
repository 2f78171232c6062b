package team

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"vaultdispatcher/assets"
	"vaultdispatcher/cmd/wiki/command"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/queue"
	"vaultdispatcher/engine/roles"
)

func workerCommand(a *command.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "worker",
		Short: "Answer for another machine",
		Long: "Lets this machine answer questions of another one, with the agents of its own configuration\n" +
			"(wiki.agents). It gets the text of each question and none of the other machine's files.",
		Example: "  wiki worker join wiki-join-...\n  wiki worker run --roles Writer --max 2",
	}
	cmd.AddCommand(joinCommand(a), workCommand(a), drainCommand(a))
	return cmd
}

func joinCommand(a *command.App) *cobra.Command {
	name := ""
	cmd := &cobra.Command{
		Use:   "join TOKEN|-",
		Short: "Join the hub that made a token; - reads the token from standard input",
		Args:  command.TakesExactly(1, "wiki hub token on the other machine prints one"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if args[0] == "-" {
				text, err := io.ReadAll(io.LimitReader(cmd.InOrStdin(), 1<<16))
				if err != nil {
					return err
				}
				args[0] = string(text)
			}
			t, err := queue.ParseToken(args[0])
			if err != nil {
				return err
			}
			if name == "" {
				name = hostName()
			}
			c, err := queue.Join(t, name)
			if err != nil {
				return fmt.Errorf("join the hub at %s: %w", strings.Join(t.URLs, ", "), err)
			}
			file, err := workerFile()
			if err == nil {
				err = c.Save(file)
			}
			if err != nil {
				return err
			}
			return a.Show(struct {
				Name  string   `json:"name"`
				Lanes []string `json:"lanes"`
			}{c.Name, c.Lanes}, func(io.Writer) { a.Say("this machine has joined as %s; wiki worker run answers", c.Name) })
		},
	}
	cmd.Flags().StringVar(&name, "name", "", "the `name` of this machine there, instead of its host name")
	return cmd
}

// hostName is the name of this machine in the letters that a hub takes.
func hostName() string {
	host, _ := os.Hostname()
	name := strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '-'
	}, host)
	return name[:min(len(name), 30)]
}

// stopGrace is what agents at work get to finish when the worker is stopped.
const stopGrace = 5 * time.Second

func workCommand(a *command.App) *cobra.Command {
	var named, labels []string
	most := 1
	cmd := &cobra.Command{
		Use:   "run",
		Short: "Answer until Ctrl-C",
		Long: "Takes questions from the hub this machine has joined. Without --roles and --labels it takes\n" +
			"what its token named, or else every role of its own configuration.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := command.CheckRange("max", most, 1, 64); err != nil {
				return err
			}
			cfg, err := a.Config()
			if err != nil {
				return err
			}
			c, err := readWorker()
			if err != nil {
				return err
			}
			own, err := roles.New(cfg, assets.Agents(), roles.Own{})
			if err != nil {
				return err
			}
			lanes, err := chooseLanes(lanesOf(named, labels), c.Lanes, cfg)
			if err != nil {
				return err
			}
			w := &queue.Worker{Credentials: c, Lanes: lanes, Slots: most, Version: assets.ThisBuild().Version, Answer: own.Answer, Grace: stopGrace, Log: logger(a)}
			a.Say("%s answers for the hub at %s: %s; Ctrl-C ends it", c.Name, c.Address(), strings.Join(lanes, " "))
			return w.Run(cmd.Context())
		},
	}
	cmd.Flags().StringSliceVar(&named, "roles", nil, "the `roles` to answer")
	cmd.Flags().StringSliceVar(&labels, "labels", nil, "the `labels` to answer for")
	cmd.Flags().IntVar(&most, "max", 1, "at most this `number` of agents at work at once")
	return cmd
}

// chooseLanes are what is asked for, else what the token named, else what the configuration can answer.
func chooseLanes(asked, allowed []string, cfg config.Config) ([]string, error) {
	if len(asked) == 0 {
		asked = allowed
	}
	if len(asked) == 0 {
		asked = roles.Lanes(cfg)
	}
	if len(asked) == 0 {
		return nil, errors.New("no role of this machine can answer for others; add one under wiki.agents, or name some with --roles")
	}
	for _, lane := range asked {
		if len(allowed) > 0 && !slices.Contains(allowed, lane) {
			return nil, fmt.Errorf("the token of this machine is not for %s; it is for %s", lane, strings.Join(allowed, " "))
		}
	}
	return asked, nil
}

func drainCommand(a *command.App) *cobra.Command {
	return &cobra.Command{
		Use:   "drain",
		Short: "End this machine's worker when it has finished; it takes nothing new",
		RunE: func(*cobra.Command, []string) error {
			c, err := readWorker()
			if err != nil {
				return err
			}
			running, err := queue.Drain(c)
			if err != nil {
				return fmt.Errorf("no worker of this machine answers: %w", err)
			}
			a.Say("the worker takes nothing new and ends when it has finished; it has %d at work", running)
			return nil
		},
	}
}
