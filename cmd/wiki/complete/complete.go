// Package complete tells a shell which arguments a command can take: IDs of dispatches in the states
// that the command acts on, roles, vaults, notes, keys and words.
//
//	complete.Add(root, complete.Source{Config: load, Dispatches: list})
//
// Its offers come from the configuration and from the running engine, never from a walk through a vault. A source
// that does not answer within half a second offers nothing.
package complete

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"vaultdispatcher/cmd/wiki/printable"
	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/wording"
)

// Source is where arguments come from. Both may hang.
type Source struct {
	Config     func() (config.Config, error)
	Dispatches func(ctx context.Context, status string) ([]api.Dispatch, error) // the newest, of any status where it is empty
}

const (
	patience = 500 * time.Millisecond
	mostText = 60 // letters of what is said of an ID
)

// finder finds arguments, each with what is said of it behind a tab.
type finder func(ctx context.Context, s Source, args []string) []string

// Add gives a command and all below it their completions. Without one a shell would offer files for every argument.
func Add(root *cobra.Command, s Source) {
	for _, cmd := range append(root.Commands(), root) {
		if cmd != root {
			Add(cmd, s)
		}
	}
	path := root.CommandPath()
	root.ValidArgsFunction = cobra.NoFileCompletions
	if offer, ok := arguments[path]; ok {
		root.ValidArgsFunction = offer(s)
	}
	for name, offer := range flags[path] {
		if err := root.RegisterFlagCompletionFunc(name, offer(s)); err != nil {
			panic(err) // the table names a flag that is not there
		}
	}
}

// offer makes cobra's function from where arguments come from.
type offer func(s Source) cobra.CompletionFunc

// offerFirst offers the first argument of a command.
func offerFirst(find finder) offer {
	return func(s Source) cobra.CompletionFunc {
		bounded := s.bound(find)
		return func(cmd *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return bounded(cmd, args, begun)
		}
	}
}

// offerEach offers every argument, and the value of a flag.
func offerEach(find finder) offer {
	return func(s Source) cobra.CompletionFunc { return s.bound(find) }
}

// bound gives a finder its time, and offers of what it finds what begins as was typed.
func (s Source) bound(find finder) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
		ctx, cancel := context.WithTimeout(cmd.Context(), patience)
		defer cancel()
		found := make(chan []string, 1)
		go func() { found <- find(ctx, s, args) }()
		var list []string
		select {
		case list = <-found:
		case <-ctx.Done(): // a disk that hangs obeys no context
		}
		list = slices.DeleteFunc(list, func(line string) bool {
			word, _, _ := strings.Cut(line, "\t")
			return !strings.HasPrefix(word, begun) || !isPlain(word)
		})
		return list, cobra.ShellCompDirectiveNoFileComp
	}
}

// isPlain reports whether no shell, however it quotes, takes part of a word for a command: names of
// notes are others' words too.
func isPlain(word string) bool {
	return word != "" && !strings.ContainsAny(word, "`$\\\"'!;&|<>(){}*?#~\n\r\x1b") && printable.Sprintf("%s", word) == word
}

// findWords finds fixed words.
func findWords(list ...string) finder {
	return func(context.Context, Source, []string) []string { return slices.Clone(list) }
}

// offerFiles offers the files with an ending, as the shell finds them.
func offerFiles(endings ...string) offer {
	return func(Source) cobra.CompletionFunc {
		return cobra.FixedCompletions(endings, cobra.ShellCompDirectiveFilterFileExt)
	}
}

// offerFolders offers folders.
func offerFolders(Source) cobra.CompletionFunc {
	return cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs)
}

// offerCommands offers the commands below the one that is named so far.
func offerCommands(Source) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, begun string) (names []string, _ cobra.ShellCompDirective) {
		found, rest, err := cmd.Root().Find(args)
		if err == nil && len(rest) == 0 {
			for _, c := range found.Commands() {
				if c.IsAvailableCommand() && strings.HasPrefix(c.Name(), begun) {
					names = append(names, c.Name()+"\t"+c.Short)
				}
			}
		}
		return names, cobra.ShellCompDirectiveNoFileComp
	}
}

// findDispatches finds the IDs of the dispatches in one of the states, each with its question.
func findDispatches(statuses ...string) finder {
	return func(ctx context.Context, s Source, _ []string) (ids []string) {
		for _, status := range statuses {
			list, err := s.Dispatches(ctx, status)
			if err != nil {
				return ids
			}
			for _, d := range list {
				text := wording.Outcome(d.Status, d.Result) + ", " + d.Where() + ": " + d.Instruction
				ids = append(ids, d.ID+"\t"+printable.Sprintf("%s", wording.Shorten(wording.Line(text), mostText)))
			}
		}
		return ids
	}
}

// findHeldNotes finds the notes in which something is held, or their folders.
func findHeldNotes(name func(file string) string) finder {
	return func(ctx context.Context, s Source, _ []string) (notes []string) {
		list, err := s.Dispatches(ctx, "held")
		for _, d := range list {
			if note := name(d.File); note != "" && err == nil && !slices.Contains(notes, note) {
				notes = append(notes, note)
			}
		}
		return notes
	}
}

// findConfigured finds what a configuration names.
func findConfigured(names func(c config.Config) []string) finder {
	return func(_ context.Context, s Source, _ []string) []string {
		c, err := s.Config()
		if err != nil {
			return nil
		}
		return names(c)
	}
}
