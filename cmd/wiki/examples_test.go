package main

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"vaultdispatcher/cmd/wiki/command"
	"vaultdispatcher/cmd/wiki/manual"
)

// commandsBelow returns a command and all below it that help shows.
func commandsBelow(cmd *cobra.Command) []*cobra.Command {
	list := []*cobra.Command{cmd}
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() || c.Name() == "help" {
			list = append(list, commandsBelow(c)...)
		}
	}
	return list
}

// TestExamples: help shows an example of every command, of that command, and wiki takes each line.
func TestExamples(t *testing.T) {
	for _, cmd := range commandsBelow(root(new(command.App))) {
		own := false
		for line := range strings.Lines(cmd.Example) {
			line = strings.TrimSpace(line)
			if !strings.HasPrefix(line, "wiki ") {
				_, line, _ = strings.Cut(line, " -- ")
			}
			args := splitWords(t, line)
			root := root(new(command.App))
			found, rest, err := root.Find(args[1:])
			if err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			own = own || found.CommandPath() == cmd.CommandPath() || cmd.HasSubCommands()
			if !found.DisableFlagParsing {
				if err := found.ParseFlags(rest); err != nil {
					t.Errorf("%s: %v", line, err)
				}
				rest = found.Flags().Args()
			}
			if err := found.ValidateArgs(rest); err != nil {
				t.Errorf("%s: %v", line, err)
			}
		}
		if !own {
			t.Errorf("%s has no example of itself: %q", cmd.CommandPath(), cmd.Example)
		}
	}
}

var word = regexp.MustCompile(`"[^"]*"|\S+`)

// splitWords splits a line as a shell does, without where its output goes.
func splitWords(t *testing.T, line string) []string {
	t.Helper()
	line, _, _ = strings.Cut(line, " >")
	words := word.FindAllString(line, -1)
	if len(words) == 0 || words[0] != "wiki" {
		t.Fatalf("%q does not begin with wiki", line)
	}
	for i := range words {
		words[i] = strings.Trim(words[i], `"`)
	}
	return words
}

// TestManual: the manual of the whole program knows every exit status, and nothing but it is told of
// a command.
func TestManual(t *testing.T) {
	root := root(new(command.App))
	var names []string
	for _, s := range manual.DescribeCommand(root).Sections {
		for _, e := range s.Entries {
			names = append(names, s.Title+" "+e.Name)
		}
	}
	for status := command.ExitOK; status <= command.ExitLocked; status++ {
		if !slices.Contains(names, fmt.Sprint("EXIT STATUS ", status)) {
			t.Errorf("status %d is not in %q", status, names)
		}
	}
	if more := manual.DescribeCommand(root.Commands()[0]).Sections; more != nil {
		t.Errorf("a command has %v", more)
	}
}

// TestUnknownCommand: a command that is not there is a mistake, also where help is asked for it,
// and the one that was probably meant is named.
func TestUnknownCommand(t *testing.T) {
	for line, want := range map[string]string{
		"retyr":              "did you mean wiki retry;",
		"retyr --help":       "did you mean wiki retry;",
		"-h retyr":           "did you mean wiki retry;",
		"help retyr":         "did you mean wiki retry;",
		"--json retyr -h":    "did you mean wiki retry;",
		"agents tset --help": "did you mean wiki agents test;",
		"help agents tset":   "did you mean wiki agents test;",
		"xyzzy --help":       "hint: wiki --help shows the commands",
		"help retry 5":       "hint: wiki --help lists the commands",
	} {
		var out, said bytes.Buffer
		code := Main(context.Background(), strings.Fields(line), &out, &said)
		if code != command.ExitUsage || out.Len() > 0 || !strings.Contains(said.String(), want) {
			t.Errorf("wiki %s: status %d, output %q, said %q", line, code, out.String(), said.String())
		}
	}
	for _, line := range []string{"--help", "help", "help retry", "retry x --help", "agents --help"} {
		var out, said bytes.Buffer
		if code := Main(context.Background(), strings.Fields(line), &out, &said); code != command.ExitOK || out.Len() == 0 || said.Len() > 0 {
			t.Errorf("wiki %s: status %d, output %q, said %q", line, code, out.String(), said.String())
		}
	}
}
