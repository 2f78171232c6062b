package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"vaultdispatcher/cmd/wiki/command"
	"vaultdispatcher/cmd/wiki/notefile"
	"vaultdispatcher/cmd/wiki/report"
	"vaultdispatcher/cmd/wiki/texts"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/untaken"
)

// scanCommand asks the engine to look at notes now.
func scanCommand(a *command.App) *cobra.Command {
	return &cobra.Command{
		Use:   "scan FILE...",
		Short: "Scan notes now",
		Args:  command.TakesSome,
		RunE: func(cmd *cobra.Command, files []string) error {
			client, err := a.Client(cmd.Context())
			if err != nil {
				return err
			}
			var refused error
			results := make([]report.Scanned, 0, len(files))
			for _, named := range files {
				file, err := notefile.Find(cmd.Context(), named, a.Client, a.Config)
				if err != nil {
					refused = command.Fail(texts.NextStep("ambiguous"), "%w", err)
					break
				}
				result, err := client.ScanNow(cmd.Context(), file)
				if err != nil {
					refused = fmt.Errorf("%s: %w", named, err)
					break
				}
				results = append(results, report.Scanned{ScanResult: result, NearMisses: nearMisses(a, file)})
			}
			err = a.Show(results, func(w io.Writer) {
				for _, r := range results {
					report.PrintScan(w, r)
				}
			})
			return cmp.Or(refused, err)
		},
	}
}

// nearMisses reads the file itself, which also works without an engine. A file that cannot be
// read from here has none.
func nearMisses(a *command.App, file string) []report.NearMiss {
	src, err := notefile.Read(file)
	if err != nil {
		return []report.NearMiss{}
	}
	return nearMissesIn(a, src)
}

func nearMissesIn(a *command.App, src []byte) []report.NearMiss {
	misses := []report.NearMiss{}
	cfg, err := a.Config()
	if err != nil {
		cfg = config.Default() // other commands report its faults
	}
	for _, m := range untaken.Find(src, note.Parse(src), cfg.Roles()) {
		misses = append(misses, report.NearMiss{Line: m.Line, Text: m.Text, Reason: m.Reason, Mend: m.Mend})
	}
	return misses
}

// notifyTime is the longest that a note app's save may be kept waiting. With the start of the program it is below the
// two seconds that are promised.
const notifyTime = 1800 * time.Millisecond

// notifyCommand is scan for a note app's save hook: it says nothing, never fails
// and never takes long.
func notifyCommand(a *command.App) *cobra.Command {
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
				notifyFiles(ctx, a, args)
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
func notifyFiles(ctx context.Context, a *command.App, args []string) {
	quiet := a.Quiet()
	files, ok := notifyArgs(quiet, args)
	if !ok {
		return
	}
	client, err := quiet.Client(ctx)
	if err != nil {
		return
	}
	for _, file := range files {
		_, _ = client.Scan(ctx, notefile.Locate(file))
	}
}

// notifyArgs takes --config FILE out of the arguments; flags are parsed by hand
// because a mistake in them must not be an error here either.
func notifyArgs(a *command.App, args []string) (files []string, ok bool) {
	for i := 0; i < len(args); i++ {
		if args[i] != "--config" {
			files = append(files, args[i])
			continue
		}
		if i++; i == len(args) {
			return nil, false
		}
		a.ConfigFile = args[i]
	}
	return files, len(files) > 0
}
