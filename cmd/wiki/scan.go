package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/wording"
	"vaultdispatcher/installer/doctor"
)

// scanned is what `wiki scan --json` prints for each file.
type scanned struct {
	api.ScanResult
	NearMisses []nearMiss `json:"nearMisses"`
}

// nearMiss is a line that looks like a marker and is none.
type nearMiss struct {
	Line   int    `json:"line"`
	Text   string `json:"text"`
	Reason string `json:"reason"`
}

// scanCommand asks the engine to look at notes now.
func (a *app) scanCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "scan FILE...",
		Short: "Scan notes now",
		Args:  takesSome,
		RunE: func(cmd *cobra.Command, files []string) error {
			client, err := a.client(cmd.Context())
			if err != nil {
				return err
			}
			var refused error
			results := make([]scanned, 0, len(files))
			for _, file := range files {
				result, err := client.Scan(cmd.Context(), locateNote(file))
				if err != nil {
					refused = fmt.Errorf("%s: %w", file, err)
					break
				}
				results = append(results, scanned{result, nearMisses(file)})
			}
			err = a.show(results, func(w io.Writer) {
				for _, r := range results {
					printScan(w, r)
				}
			})
			return cmp.Or(refused, err)
		},
	}
}

func printScan(w io.Writer, r scanned) {
	fmt.Fprintf(w, "%s: %s\n", r.File, wording.Count(r.Groups, "group"))
	for _, g := range r.Details {
		fmt.Fprintf(w, "  %s, %s: %s", g.Key, wording.Count(g.Markers, "marker"), g.Status)
		if g.Dispatch != "" {
			fmt.Fprintf(w, " (%s)", g.Dispatch)
		}
		if g.Reason != "" {
			fmt.Fprintf(w, "not started: %s", g.Reason)
		}
		fmt.Fprintln(w)
	}
	for _, m := range r.NearMisses {
		if m.Text == "" {
			fmt.Fprintf(w, "  line %d: %s\n", m.Line, m.Reason)
			continue
		}
		fmt.Fprintf(w, "  line %d is no marker: %s\n", m.Line, m.Reason)
	}
}

// nearMisses reads the file itself: what is no marker is no business of the
// engine's. A file that cannot be read from here has none.
func nearMisses(file string) []nearMiss {
	misses := []nearMiss{}
	src, err := readNote(file)
	if err != nil {
		return misses
	}
	doc := note.Parse(src)
	for _, m := range append(doc.Misses, note.Lookalikes(src)...) {
		misses = append(misses, nearMiss{Line: m.Line, Text: m.Text, Reason: reasonText(m.Why)})
	}
	if doc.Unclosed > 0 {
		misses = append(misses, nearMiss{Line: doc.Unclosed, Reason: "an answer begins here and has no end, so nothing after it is read; write <!-- /agent-response --> where it ends"})
	}
	slices.SortStableFunc(misses, func(a, b nearMiss) int { return cmp.Compare(a.Line, b.Line) })
	return misses
}

// readNote reads a file, but does not wait for a disk that does not respond.
func readNote(file string) ([]byte, error) {
	type reading struct {
		src []byte
		err error
	}
	r, answered := doctor.Await(func() reading { src, err := os.ReadFile(file); return reading{src, err} })
	if !answered {
		return nil, errors.New("its disk does not respond now")
	}
	return r.src, r.err
}

// locateNote makes a path that exists here absolute; any other is taken as one
// relative to a vault.
func locateNote(file string) string {
	err, answered := doctor.Await(func() error { _, err := os.Stat(file); return err })
	if answered && err != nil {
		return file
	}
	if abs, err := filepath.Abs(file); err == nil {
		return abs
	}
	return file
}

// notifyTime is how long a note app's save may be kept waiting. With the start of the
// program it stays below the two seconds that are promised.
const notifyTime = 1800 * time.Millisecond

// notifyCommand is scan for a note app's save hook: it says nothing, never fails
// and never takes long.
func (a *app) notifyCommand() *cobra.Command {
	return &cobra.Command{
		Use:                "notify FILE",
		Short:              "Report a saved note to the engine; silent, never fails (for note apps)",
		DisableFlagParsing: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 && (args[0] == "--help" || args[0] == "-h") {
				return cmd.Help()
			}
			ctx, cancel := context.WithTimeout(cmd.Context(), notifyTime)
			defer cancel()
			done := make(chan struct{})
			go func() {
				defer close(done)
				a.notifyFiles(ctx, args)
			}()
			select {
			case <-done:
			case <-ctx.Done(): // a disk that hangs obeys no context
			}
			return nil
		},
	}
}

// notifyFiles drops every error: the watcher finds what a lost hint would have said.
func (a *app) notifyFiles(ctx context.Context, args []string) {
	quiet := &app{stdout: &output{w: io.Discard}, stderr: io.Discard}
	files, ok := quiet.notifyArgs(args)
	if !ok {
		return
	}
	client, err := quiet.client(ctx)
	if err != nil {
		return
	}
	for _, file := range files {
		_, _ = client.Scan(ctx, locateNote(file))
	}
}

// notifyArgs takes --config FILE out of the arguments; flags are parsed by hand
// because a mistake in them must not be an error here either.
func (a *app) notifyArgs(args []string) (files []string, ok bool) {
	for i := 0; i < len(args); i++ {
		if args[i] != "--config" {
			files = append(files, args[i])
			continue
		}
		if i++; i == len(args) {
			return nil, false
		}
		a.configFile = args[i]
	}
	return files, len(files) > 0
}
