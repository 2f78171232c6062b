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
	"path/filepath"
	"strings"
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
	Use, Short, Long, Example string

	Flags    []option
	Commands []command
	Sections []section // of the program's own page
}

type section struct {
	Title   string
	Entries []struct{ Name, Text string }
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
	if err := doc.GenManTree(tree, header, dir); err != nil {
		return err
	}
	return addSections(filepath.Join(dir, tree.Name()+".1"), root.Sections)
}

const seeAlso = ".SH SEE ALSO\n"

// addSections puts what a page says of the whole program before the pages it names, and names those
// that are of no command.
func addSections(file string, sections []section) error {
	text, err := os.ReadFile(file)
	if err != nil || len(sections) == 0 {
		return err
	}
	before, after, found := strings.Cut(string(text), seeAlso)
	if !found {
		return fmt.Errorf("%s names no other page", file)
	}
	var b strings.Builder
	b.WriteString(before)
	for _, s := range sections {
		fmt.Fprintf(&b, ".SH %s\n", s.Title)
		for _, e := range s.Entries {
			fmt.Fprintf(&b, ".TP\n\\fB%s\\fR\n%s\n", roff(e.Name), roff(e.Text))
		}
	}
	b.WriteString(seeAlso + "\\fBwiki\\-tray(1)\\fP, \\fBwiki\\-config(5)\\fP, " + after)
	return os.WriteFile(file, []byte(b.String()), 0o644)
}

// roff returns a text as a manual page holds it: man has other signs for some of ASCII's.
func roff(text string) string {
	return strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "~", `\(ti`, "^", `\(ha`).Replace(text)
}

// buildCobra makes a command of cobra with the same name, texts and flags.
func (c command) buildCobra() *cobra.Command {
	cmd := &cobra.Command{Use: c.Use, Short: c.Short, Long: c.Long, Example: c.Example, Run: func(*cobra.Command, []string) {}}
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

// shown is the value of a flag. Only its type is used.
type shown string

func (s shown) String() string   { return "" }
func (s shown) Set(string) error { return nil }
func (s shown) Type() string     { return string(s) }
