// Package manual tells programs what the commands are.
package manual

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Command is a command as `wiki help --json` tells it to programs: those that
// write the manual pages, and agents that want to know what there is.
type Command struct {
	Use      string    `json:"use"`
	Short    string    `json:"short"`
	Long     string    `json:"long,omitempty"`
	Example  string    `json:"example,omitempty"`
	Flags    []Flag    `json:"flags,omitempty"`
	Commands []Command `json:"commands,omitempty"`
	Sections []Section `json:"sections,omitempty"` // of the whole program
}

// Flag is one flag. With Below set it is taken by the commands below
// as well.
type Flag struct {
	Name       string `json:"name"`
	Shorthand  string `json:"shorthand,omitempty"`
	Usage      string `json:"usage"`
	Type       string `json:"type"`
	Default    string `json:"default,omitempty"`
	Alone      string `json:"alone,omitempty"` // its value where none is given
	Persistent bool   `json:"below,omitempty"`
}

// DescribeCommand returns the description of a command and of its commands, without hidden ones.
func DescribeCommand(cmd *cobra.Command) Command {
	d := Command{Use: cmd.Use, Short: cmd.Short, Long: cmd.Long, Example: cmd.Example}
	if !cmd.HasParent() {
		d.Sections = listSections()
	}
	cmd.InitDefaultHelpFlag()
	add := func(below bool) func(*pflag.Flag) {
		return func(f *pflag.Flag) {
			if !f.Hidden {
				d.Flags = append(d.Flags, Flag{f.Name, f.Shorthand, f.Usage, f.Value.Type(), f.DefValue, f.NoOptDefVal, below})
			}
		}
	}
	cmd.LocalNonPersistentFlags().VisitAll(add(false))
	cmd.PersistentFlags().VisitAll(add(true))
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			d.Commands = append(d.Commands, DescribeCommand(c))
		}
	}
	return d
}
