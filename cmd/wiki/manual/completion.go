package manual

import "github.com/spf13/cobra"

// shells are what the help of each shell's completion script says, by its name.
var shells = map[string]string{
	"bash": "Prints the script for bash. It needs the package bash-completion. Save it as in the example, where bash\n" +
		"finds it in each new terminal, or try it in this one: source <(wiki completion bash)",
	"fish": "Prints the script for fish. Save it as in the example, where fish finds it, or try it in this terminal:\n" +
		"wiki completion fish | source",
	"powershell": "Prints the script for PowerShell. Add it to your profile as in the example, or try it in this window:\n" +
		"wiki completion powershell | Out-String | Invoke-Expression",
	"zsh": "Prints the script for zsh. Save it as in the example; a new terminal has it if your ~/.zshrc runs\n" +
		"compinit. Or try it in this one: source <(wiki completion zsh)",
}

// WordCompletion gives the commands that print completion scripts, which cobra makes, words like those of all others.
func WordCompletion(cmd *cobra.Command) {
	cmd.Short = "Print the completion script of your shell"
	cmd.Long = "Prints a script with which the Tab key of your shell completes commands, flags, IDs, roles, vaults and\n" +
		"notes. The packages for Linux bring the scripts along."
	for _, c := range cmd.Commands() {
		c.Short, c.Long = "Print the script for "+c.Name(), shells[c.Name()]
		if f := c.Flags().Lookup("no-descriptions"); f != nil {
			f.Usage = "complete without a word on what each is"
		}
	}
}
