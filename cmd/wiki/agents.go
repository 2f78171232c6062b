package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"vaultdispatcher/assets"
	"vaultdispatcher/cmd/wiki/command"
	"vaultdispatcher/cmd/wiki/printable"
	"vaultdispatcher/cmd/wiki/report"
	"vaultdispatcher/cmd/wiki/rolefile"
	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/roles"
	"vaultdispatcher/engine/roles/trial"
)

// agentsCommand says who answers each role.
func agentsCommand(a *command.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "agents",
		Short: "List the roles and what answers each",
		Long: "Lists the roles that are configured (wiki.agents) or defined, what answers each,\n" +
			"the program that was found for it, and what is missing. No agent is asked: whether one\n" +
			"is logged in is read from its files, and wiki agents test ROLE shows it. The engine need not run.",
		RunE: a.Reading(func(ctx context.Context, cfg config.Config, _ []string) error {
			list, err := roles.Describe(ctx, cfg, assets.Agents())
			return command.ShowFound(a, list, err, report.PrintRoles)
		}),
	}
	cmd.AddCommand(agentsTestCommand(a), agentsAddCommand(a))
	return cmd
}

// added is what the command add prints as JSON.
type added struct {
	Role string `json:"role"`
	File string `json:"file"`
}

func agentsAddCommand(a *command.App) *cobra.Command {
	return &cobra.Command{
		Use:   "add ROLE",
		Short: "Copy a built-in role, to change it",
		Long: "Copies the words of a built-in role into the folder agents beside the configuration. What\n" +
			"you change there counts from the next question on; without the file the built-in words do.\n" +
			"It chooses no agent: wiki config set wiki.agents.ROLE '{runner: claude}' does.",
		Args: command.TakesExactly(1, "the roles are "+strings.Join(rolefile.Names(assets.Agents()), ", ")),
		RunE: a.Reading(func(ctx context.Context, cfg config.Config, args []string) error {
			path, err := rolefile.Copy(assets.Agents(), cfg.File, args[0])
			switch {
			case errors.Is(err, rolefile.ErrNoRole):
				return command.Usage("use one of "+strings.Join(rolefile.Names(assets.Agents()), ", "), "no role %s is built in", args[0])
			case errors.Is(err, fs.ErrExist):
				return command.Fail("edit it, or remove it and add the role again", "%s is there already", path)
			case err != nil:
				return err
			}
			return a.Show(added{args[0], path}, func(w io.Writer) {
				printable.Fprintf(w, "%s\nwhat you change there counts from the next question on; wiki agents shows who answers\n", path)
			})
		}),
	}
}

// testQuestion asks for as little as possible, for it may cost money.
const testQuestion = "Reply with one short sentence that says that you are ready."

// tested is what a test prints as JSON.
type tested struct {
	Role    string     `json:"role"`
	Runner  string     `json:"runner"`
	Answer  string     `json:"answer"`
	Seconds float64    `json:"seconds"`
	Usage   *api.Usage `json:"usage,omitempty"`
}

func agentsTestCommand(a *command.App) *cobra.Command {
	question := testQuestion
	cmd := &cobra.Command{
		Use:   "test ROLE",
		Short: "Ask a role a test question",
		Long: "Sends one short request to the agent of the role, as for a marker in a note, and\n" +
			"prints the answer, the time and the cost if the agent reports it. Nothing is\n" +
			"written into a note. The engine need not run.",
		Args: command.TakesExactly(1, "wiki agents lists the roles"),
		RunE: a.Reading(func(ctx context.Context, cfg config.Config, args []string) error {
			tried, err := trial.Run(ctx, cfg, assets.Agents(), args[0], question)
			if err != nil {
				return command.Fail("wiki agents shows what each role needs", "%s: %w", args[0], err)
			}
			result := tested{Role: args[0], Runner: tried.Runner, Answer: tried.Answer, Seconds: tried.Took.Seconds()}
			if u := tried.Usage; u.Input+u.Output > 0 || u.Cost > 0 || u.Model != "" {
				result.Usage = &api.Usage{Model: u.Model, InputTokens: u.Input, OutputTokens: u.Output, CostUSD: u.Cost}
			}
			return a.Show(result, func(w io.Writer) { printTested(w, result) })
		}),
	}
	cmd.Flags().StringVar(&question, "ask", question, "this `question` instead")
	return cmd
}

func printTested(w io.Writer, t tested) {
	printable.Fprintf(w, "%s\n\n%s by %s, %s", printable.Text(t.Answer), t.Role, t.Runner, time.Duration(t.Seconds*float64(time.Second)).Round(10*time.Millisecond))
	if t.Usage != nil {
		printable.Fprintf(w, ", %s", report.SpentText(*t.Usage))
	}
	fmt.Fprintln(w)
}
