package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"vaultdispatcher/assets"
	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/roles"
)

// agentsCommand says who answers each role.
func (a *app) agentsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "agents",
		Short: "List the roles and what answers each",
		Long: "Lists the roles that are configured (wiki.agents) or defined, what answers each,\n" +
			"the program that was found for it, and what is missing. No agent is asked; whether\n" +
			"one is logged in, wiki agents test ROLE shows. The engine need not run.",
		Args: takesNone,
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, err := a.loadConfig()
			if err != nil {
				return err
			}
			list, err := roles.Describe(cmd.Context(), cfg, assets.Agents())
			if err != nil {
				return err
			}
			return a.show(list, func(w io.Writer) { printRoles(w, list) })
		},
	}
	cmd.AddCommand(a.agentsTestCommand())
	return cmd
}

func printRoles(w io.Writer, list []roles.Role) {
	tw := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	for _, r := range list {
		state := "ready"
		if !r.Ready {
			state = "not ready: " + r.Detail
		}
		fmt.Fprintf(tw, "%s\t%s\t%s\n", r.Role, orDash(r.Runner), state)
		if about := aboutRole(r); about != "" {
			fmt.Fprintf(tw, "\t\t%s\n", about)
		}
	}
	tw.Flush()
	fmt.Fprintln(w, "wiki agents test ROLE asks one a test question")
}

// aboutRole is all that is known of a role beside its state.
func aboutRole(r roles.Role) string {
	if r.Runner == "" {
		return ""
	}
	var parts []string
	add := func(prefix, text string) {
		if text != "" {
			parts = append(parts, prefix+text)
		}
	}
	add("", strings.TrimSpace(r.Program+" "+r.Version))
	add("model ", r.Model)
	if r.Tools == "read" && r.Runner != "builtin" {
		add("", "reads files")
	}
	if r.File != "" {
		add("as in ", r.File)
	} else {
		add("as ", r.Definition)
	}
	return strings.Join(parts, ", ")
}

func orDash(text string) string {
	if text == "" {
		return "-"
	}
	return text
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

func (a *app) agentsTestCommand() *cobra.Command {
	question := testQuestion
	cmd := &cobra.Command{
		Use:   "test ROLE",
		Short: "Ask a role a test question",
		Long: "Sends one short request to the agent of the role, as for a marker in a note, and\n" +
			"prints the answer, the time and the cost if the agent reports it. Nothing is\n" +
			"written into a note. The engine need not run.",
		Example: "  wiki agents test Editor\n  wiki agents test Miner --ask \"what did we decide about backups?\"",
		Args:    takesExactly(1, "wiki agents lists the roles"),
		RunE: func(cmd *cobra.Command, args []string) error {
			cfg, err := a.loadConfig()
			if err != nil {
				return err
			}
			tried, err := roles.Try(cmd.Context(), cfg, assets.Agents(), args[0], question)
			if err != nil {
				return fail("wiki agents shows what each role needs", "%s: %w", args[0], err)
			}
			result := tested{Role: args[0], Runner: tried.Runner, Answer: tried.Answer, Seconds: tried.Took.Seconds()}
			if u := tried.Usage; u.Input+u.Output > 0 || u.Cost > 0 || u.Model != "" {
				result.Usage = &api.Usage{Model: u.Model, InputTokens: u.Input, OutputTokens: u.Output, CostUSD: u.Cost}
			}
			return a.show(result, func(w io.Writer) { printTested(w, result) })
		},
	}
	cmd.Flags().StringVar(&question, "ask", question, "this `question` instead")
	return cmd
}

func printTested(w io.Writer, t tested) {
	fmt.Fprintf(w, "%s\n\n%s by %s, %s", t.Answer, t.Role, t.Runner, time.Duration(t.Seconds*float64(time.Second)).Round(10*time.Millisecond))
	if t.Usage != nil {
		fmt.Fprintf(w, ", %s", spentText(*t.Usage))
	}
	fmt.Fprintln(w)
}
