// Command man writes the manual pages of a program into a folder. What the
// program can do it reads from standard input, as `wiki help --json` tells it.
//
// It is a module of its own with the other tools of a release, so that the
// programs do not carry the libraries that only their packages need.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"github.com/spf13/pflag"
)

func main() {
	dir := flag.String("dir", ".", "`folder` for the pages")
	version := flag.String("version", "", "`version` of the program")
	at := flag.Int64("time", 0, "date of the pages, in `seconds` since 1970")
	flag.Parse()
	if err := writePages(os.Stdin, *dir, *version, time.Unix(*at, 0).UTC()); err != nil {
		fmt.Fprintln(os.Stderr, "man:", err)
		os.Exit(1)
	}
}

// command and its flags are what `wiki help --json` prints.
type command struct {
	Use, Short, Long string
	Flags            []option
	Commands         []command
}

type option struct {
	Name, Shorthand, Usage, Type, Default, Alone string
	Below                                        bool
}

func writePages(from io.Reader, dir, version string, at time.Time) error {
	var root command
	if err := json.NewDecoder(from).Decode(&root); err != nil {
		return fmt.Errorf("read the commands: %w", err)
	}
	header := &doc.GenManHeader{Section: "1", Date: &at, Source: "Vault Dispatcher " + version, Manual: "User Commands"}
	tree := root.buildCobra()
	tree.DisableAutoGenTag = true
	return doc.GenManTree(tree, header, dir)
}

// buildCobra makes a command of cobra with the same name, texts and flags.
func (c command) buildCobra() *cobra.Command {
	cmd := &cobra.Command{Use: c.Use, Short: c.Short, Long: c.Long, Run: func(*cobra.Command, []string) {}}
	for _, o := range c.Flags {
		set := cmd.Flags()
		if o.Below {
			set = cmd.PersistentFlags()
		}
		set.AddFlag(&pflag.Flag{Name: o.Name, Shorthand: o.Shorthand, Usage: o.Usage, DefValue: o.Default, NoOptDefVal: o.Alone, Value: shown(o.Type)})
	}
	for _, below := range c.Commands {
		cmd.AddCommand(below.buildCobra())
	}
	return cmd
}

// shown is the value of a flag of which only the type is ever asked.
type shown string

func (s shown) String() string   { return "" }
func (s shown) Set(string) error { return nil }
func (s shown) Type() string     { return string(s) }
