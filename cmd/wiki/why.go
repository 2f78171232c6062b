package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"path/filepath"
	"sort"

	"github.com/spf13/cobra"

	"vaultdispatcher/cmd/wiki/command"
	"vaultdispatcher/cmd/wiki/notefile"
	"vaultdispatcher/cmd/wiki/report"
	"vaultdispatcher/cmd/wiki/texts"
	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/client"
	"vaultdispatcher/engine/note"
)

// whyCommand says why a marker was not answered, one sentence each.
func whyCommand(a *command.App) *cobra.Command {
	return &cobra.Command{
		Use:   "why FILE",
		Short: "Explain why a marker in a note was not answered",
		Args:  command.TakesExactly(1, ""),
		RunE: func(cmd *cobra.Command, args []string) error {
			file, err := notefile.Find(cmd.Context(), args[0], a.Client, a.Config)
			if err != nil {
				return command.Fail(texts.NextStep("ambiguous"), "%w", err)
			}
			src, err := notefile.Read(file)
			if err != nil {
				return command.Fail("give its absolute path, or its path in a vault", "cannot read %s: %w", args[0], err)
			}
			status, _ := askStatus(cmd.Context(), a.Quiet()) // of an engine that is gone nothing is known of its agents
			reasons := nearMissesIn(a, src)
			markers, err := waitingMarkers(cmd.Context(), a, file, note.Parse(src), status.Agents)
			if err != nil {
				return err
			}
			reasons = append(reasons, markers...)
			sort.SliceStable(reasons, func(i, j int) bool { return reasons[i].Line < reasons[j].Line })
			return a.Show(reasons, func(w io.Writer) {
				report.PrintReasons(w, reasons, bytes.Contains(src, []byte("\n<!-- /agent-response -->")))
				report.PrintAnswered(w, answeredIn(cmd.Context(), a, file, status.Vaults))
			})
		},
	}
}

// mostAnswered is how many answered questions of a note are named.
const mostAnswered = 10

// answeredIn returns the dispatches that were answered in a note, the newest first, as far as an engine runs and knows them.
func answeredIn(ctx context.Context, a *command.App, file string, vaults []api.Vault) (list []api.Dispatch) {
	_ = a.Quiet().AskSoon(ctx, func(ctx context.Context, client *client.Client) (err error) {
		for _, v := range vaults {
			rel, outside := filepath.Rel(v.Path, file)
			if outside != nil || !filepath.IsLocal(rel) {
				continue
			}
			found, failed := client.Dispatches(ctx, api.Filter{Status: "done", Vault: v.Name, File: filepath.ToSlash(rel), Limit: mostAnswered})
			list, err = append(list, found...), errors.Join(err, failed)
		}
		return err
	})
	return list
}

// waitingMarkers says of every marker what it waits for: the rule that has decided (engine/vault/rules), or its dispatch.
func waitingMarkers(ctx context.Context, a *command.App, file string, doc note.Doc, agents []api.Agent) ([]report.NearMiss, error) {
	if len(doc.Markers) == 0 {
		return nil, nil
	}
	client, err := a.Client(ctx)
	if err != nil {
		return nil, err
	}
	scan, err := client.Scan(ctx, file)
	if problem, ok := errors.AsType[*api.StatusError](err); ok {
		return reasonsFor(doc.Markers, func(int) string { return problem.Text }), nil
	}
	if errors.Is(err, api.ErrNotRunning) {
		return reasonsFor(doc.Markers, func(int) string { return "the engine is not running; " + startHint(ctx, a) }), nil
	}
	if err != nil {
		return nil, err
	}
	switch {
	case scan.Remembered:
		return reasonsFor(doc.Markers, func(int) string { return "many notes wait to be looked at, and this one is when its turn comes" }), nil
	case len(scan.Questions) != len(doc.Markers):
		return reasonsFor(doc.Markers, func(int) string { return "the note is being changed; ask once more" }), nil
	}
	return reasonsFor(doc.Markers, func(i int) string { return reasonOf(ctx, client, scan.Questions[i], agents) }), nil
}

// reasonsFor gives every marker a sentence.
func reasonsFor(markers []note.Marker, reason func(i int) string) []report.NearMiss {
	list := make([]report.NearMiss, len(markers))
	for i, m := range markers {
		list[i] = report.NearMiss{Line: m.Line, Text: m.Text, Reason: reason(i)}
	}
	return list
}

// reasonOf says what a question waits for.
func reasonOf(ctx context.Context, client *client.Client, q api.ScanQuestion, agents []api.Agent) string {
	if q.Dispatch == "" {
		return q.Reason
	}
	d, err := client.Dispatch(ctx, q.Dispatch)
	if err != nil {
		return "its dispatch is " + q.Dispatch
	}
	return report.ReasonOf(d, agents)
}
