package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sort"
	"time"

	"github.com/spf13/cobra"

	"vaultdispatcher/cmd/wiki/texts"
	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/client"
	"vaultdispatcher/engine/note"
)

// whyCommand says why a marker was not answered, one sentence each.
func (a *app) whyCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "why FILE",
		Short: "Explain why a marker in a note was not answered",
		Args:  takesExactly(1, ""),
		RunE: func(cmd *cobra.Command, args []string) error {
			src, err := readNote(args[0])
			if err != nil {
				return fail("name a note that exists", "cannot read %s: %w", args[0], err)
			}
			reasons := nearMisses(args[0])
			markers, err := a.waitingMarkers(cmd.Context(), args[0], note.Parse(src))
			if err != nil {
				return err
			}
			reasons = append(reasons, markers...)
			sort.SliceStable(reasons, func(i, j int) bool { return reasons[i].Line < reasons[j].Line })
			return a.show(reasons, func(w io.Writer) { printReasons(w, reasons) })
		},
	}
}

func printReasons(w io.Writer, reasons []nearMiss) {
	if len(reasons) == 0 {
		fmt.Fprintln(w, "no line of this note asks an agent; write > @agent-Miner and a question on a line of its own")
	}
	for _, r := range reasons {
		fmt.Fprintf(w, "line %d: %s\n", r.Line, r.Reason)
	}
}

// waitingMarkers says of every marker what it waits for.
func (a *app) waitingMarkers(ctx context.Context, file string, doc note.Doc) ([]nearMiss, error) {
	if len(doc.Markers) == 0 {
		return nil, nil
	}
	client, err := a.client(ctx)
	if err != nil {
		return nil, err
	}
	scan, err := client.Scan(ctx, locateNote(file))
	if problem, ok := errors.AsType[*api.StatusError](err); ok {
		return reasonsFor(doc.Markers, func(note.Marker) string { return texts.InOurVoice(problem.Text) }), nil
	}
	if errors.Is(err, api.ErrNotRunning) {
		return reasonsFor(doc.Markers, func(note.Marker) string { return "the engine is not running; wiki run starts it" }), nil
	}
	if err != nil {
		return nil, err
	}
	groups := make(map[string]string, len(scan.Details))
	for _, g := range scan.Details {
		groups[g.Key] = reasonOf(ctx, client, g)
	}
	return reasonsFor(doc.Markers, func(m note.Marker) string { return groups[string(m.Key())] }), nil
}

// reasonsFor gives every marker a sentence.
func reasonsFor(markers []note.Marker, reason func(note.Marker) string) []nearMiss {
	list := make([]nearMiss, len(markers))
	for i, m := range markers {
		list[i] = nearMiss{Line: m.Line, Text: m.Text, Reason: reason(m)}
	}
	return list
}

// reasonOf says what a group waits for.
func reasonOf(ctx context.Context, client *client.Client, g api.ScanGroup) string {
	if g.Dispatch == "" {
		if g.Reason != "" {
			return g.Reason
		}
		return "it is settling; it starts when its line has not changed for a moment"
	}
	d, err := client.Dispatch(ctx, g.Dispatch)
	if err != nil {
		return fmt.Sprintf("its dispatch %s is %s", g.Dispatch, g.Status)
	}
	return reasonOfDispatch(d.Dispatch)
}

func reasonOfDispatch(d api.Dispatch) string {
	switch {
	case d.Status == "queued" && d.NextAttemptAt != nil:
		return fmt.Sprintf("attempt %d failed (%s); it is tried again at %s", d.Attempts, d.Error, d.NextAttemptAt.Local().Format(time.TimeOnly))
	case d.Status == "queued":
		return "it is queued; at most three agents run at once"
	case d.Status == "processing":
		return fmt.Sprintf("an agent (%s) is working on it", d.Runner)
	case d.Status == "failed":
		return fmt.Sprintf("it failed: %s; wiki retry %s runs it again", d.Error, d.ID)
	case d.Status == "cancelled":
		return fmt.Sprintf("it was cancelled; wiki retry %s or a change of its line runs it", d.ID)
	case d.Status == "held" && d.NextAttemptAt != nil:
		return fmt.Sprintf("it is held until %s: %s; wiki release %s starts it now", d.NextAttemptAt.Local().Format(time.TimeOnly), d.Error, d.ID)
	case d.Status == "held":
		return fmt.Sprintf("it is held: %s; wiki release %s starts it", d.Error, d.ID)
	}
	return fmt.Sprintf("its dispatch %s is %s", d.ID, d.Status)
}

// sentences say why a line that looks like a marker is none.
var sentences = map[note.Reason]string{
	note.NoQuote:       "the line is not in a block quote; begin it with > ",
	note.NotFirst:      "@agent- must follow the > directly",
	note.InList:        "a list marker is between > and @agent-; put the > after it",
	note.NoSpace:       "a space must follow the role",
	note.Colon:         "write a space instead of the colon; a task name follows its colon directly",
	note.Empty:         "there is no question after the role",
	note.Spelling:      "an agent is asked with @agent- in small letters, with a plain hyphen and the role right behind it, as in > @agent-Miner",
	note.BadRole:       "a role begins with a letter from a to z",
	note.FrontMatter:   "it is in the properties at the top of the note",
	note.Code:          "it is in a code block",
	note.InlineCode:    "it is in inline code",
	note.Comment:       "it is in a comment",
	note.HTML:          "it is in HTML",
	note.Math:          "it is in a formula",
	note.ResponseBlock: "it is in an answer",
	note.Off:           "the note's properties say wiki: off",
	note.Unreadable:    "the note cannot be read as markdown",
	note.TooDeep:       "the note's quotes or lists are nested too deep to be read",
}

// reasonText returns the sentence for a reason.
func reasonText(why note.Reason) string {
	if s, ok := sentences[why]; ok {
		return s
	}
	return string(why)
}
