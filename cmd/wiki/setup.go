package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"vaultdispatcher/cmd/wiki/command"
	"vaultdispatcher/cmd/wiki/texts"
	"vaultdispatcher/cmd/wiki/wizard"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/installer"
	"vaultdispatcher/installer/places"
)

// setupFlags are what setup is told on the command line.
type setupFlags struct {
	vaults                []string
	agent                 []string
	provider, model, url  string
	urlAsked              bool // --url was given, also as nothing
	port                  int
	noService, yes, plain bool
	copy, tray, obsidian  bool
	trayAsked             bool // --tray was given, with whatever value
}

// setupCommand makes a working installation of this program.
func setupCommand(a *command.App) *cobra.Command {
	var f setupFlags
	cmd := &cobra.Command{
		Use:   "setup",
		Short: "Set up your vaults and agents",
		Long: "Asks for the folders of your notes, who answers, and whether the engine starts when you\n" +
			"log in. It writes the configuration, keeps your comments and a copy of the old file, and\n" +
			"tries one question about one of your notes; neither question nor answer is kept. Run it again to\n" +
			"review or change settings. With --yes, or without a terminal, it asks you nothing and leaves alone\n" +
			"what no flag names.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := f.checkFlags(cmd); err != nil {
				return err
			}
			f.trayAsked, f.urlAsked = cmd.Flags().Changed("tray"), cmd.Flags().Changed("url")
			return runSetup(cmd.Context(), a, f)
		},
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&f.vaults, "vault", nil, "watch this `folder` of notes as well (repeatable)")
	flags.StringArrayVar(&f.agent, "agent", nil, "who answers, as `[role=]name[:model]`: builtin, "+strings.Join(installer.Runners, ", ")+", ollama:MODEL, or none to treat a role like every other; without a role: the Miner and every role without an entry (repeatable)")
	flags.StringVar(&f.provider, "provider", "", "search by meaning with this embedding `provider`: none, ollama, openai, static")
	flags.StringVar(&f.model, "model", "", "the provider's embedding `model`")
	flags.StringVar(&f.url, "url", "", "the embedding provider's `address`: openai needs one, ollama is on this machine by default; the text of your notes is sent there")
	flags.IntVar(&f.port, "port", 0, "`port` of the loopback server")
	flags.BoolVar(&f.noService, "no-service", false, "install no login service; you start the engine with wiki run")
	flags.BoolVar(&f.copy, "copy", false, "put the line for your note app on the clipboard")
	flags.BoolVar(&f.obsidian, "obsidian", false, "put our plugin into the vaults that Obsidian has; you switch it on there")
	flags.BoolVar(&f.tray, "tray", false, "show the icon in the panel when you log in; --tray=false turns that off")
	flags.BoolVarP(&f.yes, "yes", "y", false, "ask nothing: use the flags, accept a whole home folder, install and start the login service")
	flags.BoolVar(&f.plain, "plain", false, "ask line by line, for screen readers and simple terminals")
	return cmd
}

// checkFlags is what can be said of the flags alone.
func (f setupFlags) checkFlags(cmd *cobra.Command) error {
	if cmd.Flags().Changed("port") {
		if err := command.CheckRange("port", f.port, 1, 65535); err != nil {
			return err
		}
	}
	_, err := f.parseAgents()
	return err
}

// runSetup is the whole way, from what is there to a first answer.
func runSetup(ctx context.Context, a *command.App, f setupFlags) error {
	if os.Getenv("WIKI_VAULTS") != "" { // its folders would be taken for those of the file
		return command.Usage("unset WIKI_VAULTS and run wiki setup again; nothing was changed", "the variable WIKI_VAULTS names the folders and overrides the configuration")
	}
	portOverVariable(a, f.port)
	now, err := installer.Read(a.ConfigFile)
	if err != nil {
		return command.NewFailure(err, "correct it and run wiki setup again; nothing was changed", command.ExitConfig)
	}
	if !f.yes && !canAsk(a) {
		if len(f.vaults) == 0 && len(now.Config.Vaults) == 0 {
			return command.Usage("wiki setup --vault ~/Notes asks nothing; see --agent, --provider, --model, --url, --port and --no-service",
				"setup is interactive and needs a terminal%s", whatOldLacks(now))
		}
		f.yes = true
	}
	plan := plan{installer.Plan{Present: now}, wizard.Given{Plain: f.plain || os.Getenv("TERM") == "dumb", NoService: f.noService, Copy: f.copy, Obsidian: f.obsidian}}
	if plan.Choice, err = f.toChoice(now); err != nil {
		return err
	}
	if !f.yes {
		plan.Plan, plan.Given, err = wizard.Ask(ctx, a.Stdout.W, plan.Plan, plan.Given)
		if errors.Is(err, wizard.ErrAborted) {
			return command.Fail("wiki setup asks again", "%w", err)
		}
		if err != nil {
			return err
		}
	}
	if len(plan.Choice.Vaults) == 0 {
		return command.Usage(knownVaults(), "no folder of notes is named or configured%s", whatOldLacks(now))
	}
	if warning := texts.RootWarning(); warning != "" {
		a.Say("%s", warning)
	}
	return carryOut(ctx, a, plan)
}

// canAsk reports whether a person sits at a terminal and can be asked. One that cannot be drawn on is asked line by line.
func canAsk(a *command.App) bool {
	out, ok := a.Stdout.W.(*os.File)
	return ok && a.CanAsk() && term.IsTerminal(int(out.Fd()))
}

// portOverVariable has a port that was said count more than the variable: in what is
// read here, and for the service, which is handed our variables.
func portOverVariable(a *command.App, port int) {
	const name = "WIKI_HTTPPORT"
	said := os.Getenv(name)
	if port == 0 || said == "" {
		return
	}
	os.Unsetenv(name)
	if said != strconv.Itoa(port) {
		a.Say("the variable %s says %s and is ignored, because --port was given", name, said)
		a.Hint("unset it; what you start from this shell by hand still uses it")
	}
}

// agentHint shows how --agent is written.
const agentHint = "write --agent builtin, --agent claude:MODEL, or --agent Editor=claude for one role"

// parseAgents are what --agent says: who answers the Miner and every other role, and who
// answers roles one by one.
func (f setupFlags) parseAgents() (c installer.Choice, err error) {
	for _, text := range f.agent {
		r, err := installer.ParseRole(text)
		switch {
		case err != nil:
			return c, command.Usage(agentHint, "%w", err)
		case r.Role != "":
			c.Roles = append(c.Roles, r)
		case c.Agent != "":
			return c, command.Usage(agentHint, "--agent names two agents without a role, %s and %s", c.Agent, r.Agent)
		default:
			c.Agent, c.AgentModel = r.Agent, r.Model
		}
	}
	return c, nil
}

// toChoice is what the flags say. Folders are added to those that are configured.
func (f setupFlags) toChoice(now installer.Present) (installer.Choice, error) {
	c, err := f.parseAgents()
	if err != nil {
		return c, err
	}
	login := !f.noService
	c.Provider, c.Model, c.Port, c.Login, c.Sure = f.provider, f.model, f.port, &login, f.yes
	if f.trayAsked {
		c.Tray = &f.tray
	}
	if f.urlAsked {
		c.URL = &f.url
	}
	plan := installer.Plan{Present: now, Choice: c}
	if err := plan.CheckRoles(); err != nil {
		return c, command.Usage("wiki agents shows who answers now; "+unchanged, "%w", err)
	}
	if err := plan.CheckURL(); f.urlAsked && err != nil {
		return c, refusedSetup(&installer.Refusal{Field: "url", Err: err})
	}
	c.Vaults = installer.Chosen(now.Config).Vaults
	for _, folder := range f.vaults {
		path, err := vaultPath(folder)
		if err != nil {
			return c, err
		}
		if !slices.Contains(c.Vaults, path) {
			c.Vaults = append(c.Vaults, path)
		}
	}
	return c, nil
}

// vaultPath is a folder as the configuration wants it. A shell that does not know ~
// leaves it to us.
func vaultPath(folder string) (string, error) {
	if folder == "" { // an unset variable of the shell, and not the current folder
		return "", command.Usage("name the folder of your notes, such as --vault ~/Notes", "--vault is empty")
	}
	path, err := installer.TypedFolder(folder)
	if err != nil {
		return "", command.Usage("name the folder of your notes, such as --vault ~/Notes", "%w", err)
	}
	return path, nil
}

// whatOldLacks says of a configuration from before the rename where its folder was looked for, and what of it is not understood.
func whatOldLacks(now installer.Present) string {
	if !now.Old {
		return ""
	}
	text := fmt.Sprintf("; %s was written before the rename, and names none in %s below vaultMind or qmd", now.File, strings.Join(config.OldFolders, ", "))
	if len(now.Obsolete) > 0 {
		text += "; without a meaning now: " + strings.Join(now.Obsolete, ", ")
	}
	return text
}

// knownVaults is a hint with the folders that Obsidian knows, or with one that has a usual name.
func knownVaults() string {
	var words []string
	for _, v := range places.Obsidian(places.ThisMachine()) {
		words = append(words, fmt.Sprintf("--vault %q", v.Path))
	}
	if len(words) > 0 {
		return "Obsidian knows these: wiki setup " + strings.Join(words, " ") + " --yes"
	}
	if likely := places.Likely(places.ThisMachine()); len(likely) > 0 {
		return fmt.Sprintf("wiki setup --vault %q --yes", likely[0])
	}
	return "wiki setup --vault ~/Notes --yes"
}
