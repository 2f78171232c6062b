package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"vaultdispatcher/cmd/wiki/texts"
	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/client"
)

// dispatchesCommand shows the history.
func (a *app) dispatchesCommand() *cobra.Command {
	var filter api.Filter
	cmd := &cobra.Command{
		Use:   "dispatches",
		Short: "List questions and their state, newest first",
		Args:  takesNone,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := checkFilter(filter); err != nil {
				return err
			}
			return a.withClient(cmd, func(ctx context.Context, client *client.Client) error {
				list, err := client.Dispatches(ctx, filter)
				if err != nil {
					return err
				}
				return a.show(list, func(w io.Writer) {
					if len(list) == 0 {
						fmt.Fprintln(w, "no dispatches")
					}
					printDispatches(w, list)
				})
			})
		},
	}
	cmd.Flags().StringVar(&filter.Status, "status", "", "only those of this `status`")
	cmd.Flags().StringVar(&filter.Query, "query", "", "only those whose note, role or instruction has this `text`")
	cmd.Flags().IntVar(&filter.Limit, "limit", 50, "at most this `number`")
	cmd.AddCommand(&cobra.Command{
		Use:   "show ID",
		Short: "Show one dispatch with its task, answers and steps",
		Args:  takesExactly(1, "wiki dispatches lists them"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withClient(cmd, func(ctx context.Context, client *client.Client) error {
				d, err := client.Dispatch(ctx, args[0])
				if err != nil {
					return knownDispatch(err, args[0])
				}
				return a.show(d, func(w io.Writer) { printDetail(w, d) })
			})
		},
	})
	return cmd
}

// statusWords are what a dispatch can be.
var statusWords = []string{"queued", "processing", "done", "failed", "held", "parked", "cancelled"}

func checkFilter(f api.Filter) error {
	if f.Status != "" && !slices.Contains(statusWords, f.Status) {
		return usage("write one of "+strings.Join(statusWords, ", "), "--status %s is no status of a dispatch", f.Status)
	}
	return checkRange("limit", f.Limit, 1, api.MostListed)
}

// withClient runs do with a client of the running engine.
func (a *app) withClient(cmd *cobra.Command, do func(context.Context, *client.Client) error) error {
	client, err := a.client(cmd.Context())
	if err != nil {
		return err
	}
	return do(cmd.Context(), client)
}

// knownDispatch adds the next step to what the engine says about one dispatch.
func knownDispatch(err error, id string) error {
	problem, ok := errors.AsType[*api.StatusError](err)
	switch {
	case ok && problem.Code == "not_found":
		return fail("wiki dispatches lists them", "there is no dispatch %s", id)
	case !ok || problem.Code != "conflict":
		return err
	}
	return fail("wiki dispatches show "+id+" says more", "%s", texts.InOurVoice(problem.Text))
}

// spentText says what an agent's runs have cost, as far as it told.
func spentText(u api.Usage) string {
	var parts []string
	if u.Model != "" {
		parts = append(parts, u.Model)
	}
	if u.InputTokens+u.OutputTokens > 0 {
		parts = append(parts, fmt.Sprintf("%d tokens read, %d written", u.InputTokens, u.OutputTokens))
	}
	if u.CostUSD > 0 {
		parts = append(parts, fmt.Sprintf("$%.4f", u.CostUSD))
	}
	return strings.Join(parts, ", ")
}

func printDetail(w io.Writer, d api.Detail) {
	fmt.Fprintf(w, "%s  %s  %s in %s\n", d.ID, d.Status, d.Key, d.File)
	if d.Error != "" {
		fmt.Fprintf(w, "%s\n", d.Error)
	}
	if d.Usage != nil {
		fmt.Fprintf(w, "%s\n", spentText(*d.Usage))
	}
	for _, s := range d.Steps {
		fmt.Fprintf(w, "  %s  %s", s.At.Local().Format(time.TimeOnly+".000"), s.Step)
		if s.Detail != "" {
			fmt.Fprintf(w, ": %s", s.Detail)
		}
		fmt.Fprintln(w)
	}
	for _, answer := range d.Answers {
		fmt.Fprintf(w, "\nline %d: %s\n", answer.Line, answer.Instruction)
		if answer.Answer != "" {
			fmt.Fprintf(w, "%s:\n%s\n", onOff(answer.Written, "answer", "answer, not in the note"), answer.Answer)
		}
	}
	if d.Diff != "" {
		fmt.Fprintf(w, "\nwritten:\n%s", d.Diff)
	}
	fmt.Fprintf(w, "\ntask:\n%s\n", d.Task)
}
