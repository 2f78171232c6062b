package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sort"

	"github.com/spf13/cobra"

	"vaultdispatcher/cmd/wiki/notefile"
	"vaultdispatcher/cmd/wiki/report"
	"vaultdispatcher/cmd/wiki/texts"
	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/client"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/wording"
)

// whyCommand says why a marker was not answered, one sentence each.
func (a *app) whyCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "why FILE",
		Short: "Explain why a marker in a note was not answered",
		Args:  takesExactly(1, ""),
		RunE: func(cmd *cobra.Command, args []string) error {
			file, err := notefile.Find(cmd.Context(), args[0], a.client, a.loadConfig)
			if err != nil {
				return fail(texts.NextStep("ambiguous"), "%w", err)
			}
			src, err := notefile.Read(file)
			if err != nil {
				return fail("give its absolute path, or its path in a vault", "cannot read %s: %w", args[0], err)
			}
			reasons := a.nearMissesIn(src)
			markers, err := a.waitingMarkers(cmd.Context(), file, note.Parse(src))
			if err != nil {
				return err
			}
			reasons = append(reasons, markers...)
			sort.SliceStable(reasons, func(i, j int) bool { return reasons[i].Line < reasons[j].Line })
			return a.show(reasons, func(w io.Writer) { report.PrintReasons(w, reasons) })
		},
	}
}

// waitingMarkers says of every marker what it waits for.
func (a *app) waitingMarkers(ctx context.Context, file string, doc note.Doc) ([]report.NearMiss, error) {
	if len(doc.Markers) == 0 {
		return nil, nil
	}
	client, err := a.client(ctx)
	if err != nil {
		return nil, err
	}
	scan, err := client.Scan(ctx, file)
	if problem, ok := errors.AsType[*api.StatusError](err); ok {
		return reasonsFor(doc.Markers, func(note.Marker) string { return problem.Text }), nil
	}
	if errors.Is(err, api.ErrNotRunning) {
		return reasonsFor(doc.Markers, func(note.Marker) string { return "the engine is not running; " + a.startHint(ctx) }), nil
	}
	if err != nil {
		return nil, err
	}
	settles := "it is settling; it starts when its line has not changed for a moment"
	status, _ := client.Status(ctx) // of an engine that is gone no vault is paused
	if paused := pausedVault(status, file); paused != "" {
		settles = "the vault " + paused + " is paused, so its saves are not seen until wiki watcher start; this question starts when it has settled, because you have asked about it"
	}
	groups := make(map[note.Key]string, len(scan.Details))
	for _, g := range scan.Details {
		groups[note.Marker{Role: g.Role, TaskID: g.TaskID}.Key()] = reasonOf(ctx, client, g, settles, status.Agents)
	}
	return reasonsFor(doc.Markers, func(m note.Marker) string { return groups[m.Key()] }), nil
}

// reasonsFor gives every marker a sentence.
func reasonsFor(markers []note.Marker, reason func(note.Marker) string) []report.NearMiss {
	list := make([]report.NearMiss, len(markers))
	for i, m := range markers {
		list[i] = report.NearMiss{Line: m.Line, Text: m.Text, Reason: reason(m)}
	}
	return list
}

// pausedVault returns the name of the vault that a note lies in, if it is paused.
func pausedVault(status api.Status, file string) string {
	for _, v := range status.Vaults {
		if v.State == "paused" && notefile.IsInside(file, v.Path) {
			return v.Name
		}
	}
	return ""
}

// reasonOf says what a group waits for; settles is said of one that is not taken up yet.
func reasonOf(ctx context.Context, client *client.Client, g api.ScanGroup, settles string, agents []api.Agent) string {
	if g.Dispatch == "" {
		if g.Reason != "" {
			return g.Reason
		}
		return settles
	}
	d, err := client.Dispatch(ctx, g.Dispatch)
	if err != nil {
		return fmt.Sprintf("its dispatch %s is %s", g.Dispatch, wording.Status(g.Status))
	}
	return report.ReasonOf(d, agents)
}
