package wizard

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"charm.land/huh/v2"

	"vaultdispatcher/cmd/wiki/printable"
	"vaultdispatcher/cmd/wiki/texts"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/installer"
	"vaultdispatcher/installer/doctor"
	"vaultdispatcher/installer/noteplugin"
	"vaultdispatcher/installer/places"
)

// quoted is what others have named, a folder for one, as a terminal does not obey it. It has no
// line ends.
func quoted(text string) string { return printable.Sprintf("%s", text) }

// quotedError is an error that is shown beside a field.
func quotedError(err error) error {
	if err == nil {
		return nil
	}
	return errors.New(quoted(err.Error()))
}

func newOption(label, value string) huh.Option[string] { return huh.NewOption(quoted(label), value) }

// folderOptions are what is configured, what Obsidian knows and what is named as folders of notes are.
func (w *wizard) folderOptions() (options []huh.Option[string]) {
	for _, path := range w.folders {
		options = append(options, newOption(config.AtHome(path), path).Selected(slices.Contains(w.Vaults, path)))
	}
	return options
}

// foldersField offers the folders that are known.
func (w *wizard) foldersField() huh.Field {
	options := w.folderOptions()
	return huh.NewMultiSelect[string]().Title(w.title(stepNotes, "Which folders hold your notes?", false)).
		Description("The configured ones, those that Obsidian knows, and those with a usual name. Space selects.").
		Options(options...).Filterable(false).Height(len(options) + 3).Value(&w.Vaults)
}

// checkFolder says what is wrong with a folder that was typed. A person who has gone is not
// asked again.
func (w *wizard) checkFolder(text string) error {
	if text = strings.TrimSpace(text); w.input.hasEnded() || text == "" && len(w.Vaults) > 0 {
		return nil
	}
	if text == "" {
		return errors.New("name the folder that holds your notes, such as ~/Notes")
	}
	path, err := installer.TypedFolder(text)
	if err != nil {
		return quotedError(err)
	}
	d := w.judgeOnce(path)
	if d.Risk == places.Silent {
		clear(w.judged) // when it is typed again its disk may respond
	}
	if d.Never() {
		return errors.New(quoted(texts.Doubt(path, d)))
	}
	for _, f := range texts.Findings(doctor.Folder(path, "auto")) {
		if f.Code.Level() == doctor.Problem {
			return errors.New(quoted(f.Text))
		}
	}
	return nil
}

// judgeOnce asks once about each folder, among those that are chosen.
func (w *wizard) judgeOnce(path string) places.Doubt {
	p := w.plan()
	key := path + "\n" + strings.Join(p.Choice.Vaults, "\n")
	d, known := w.judged[key]
	if !known {
		d, _ = w.judgeFolder(p, path) // a folder that cannot be judged is refused in the end
		w.judged[key] = d
	}
	return d
}

// doubtLines are the folders that may not have been meant, a sentence each.
func (w *wizard) doubtLines() string {
	var lines []string
	for _, path := range w.plan().Choice.Vaults {
		if w.isConfigured(path) {
			continue
		}
		if d := w.judgeOnce(path); d.Risk != "" {
			lines = append(lines, quoted(texts.Doubt(config.AtHome(path), d)))
		}
	}
	return strings.Join(lines, "\n")
}

func (w *wizard) isConfigured(path string) bool {
	return slices.ContainsFunc(w.baseline.Present.Config.Vaults, func(v config.Vault) bool { return v.Path == path })
}

// hasObsidian reports whether a vault that is chosen is one of Obsidian's.
func (w *wizard) hasObsidian() bool {
	return slices.ContainsFunc(w.plan().Choice.Vaults, noteplugin.IsPlace)
}

// answersText says for whom an agent is chosen, and what was looked for where none was found.
func (w *wizard) answersText() string {
	text := "For the Miner and every role without an entry of its own."
	if len(w.programs)+len(w.models) > 0 {
		return text
	}
	return text + " Setup looked for " + strings.Join(installer.Runners, ", ") + " and models of Ollama, and found none."
}

// agentOptions begin with what is set now, then what needs nothing.
func (w *wizard) agentOptions() []huh.Option[string] {
	options := []huh.Option[string]{newOption("the built-in Miner: quotes your notes, needs no account and costs nothing", "builtin")}
	for _, program := range w.programs {
		label := fmt.Sprintf("%s (%s)", program.Runner, config.AtHome(program.Path))
		switch {
		case program.Needs != "":
			label += ", cannot start: " + program.Needs + " is missing"
		case !program.LoggedIn:
			label += ", perhaps not logged in"
		}
		options = append(options, newOption(label, program.Runner))
	}
	for _, m := range w.models {
		if !m.Embeds {
			options = append(options, newOption(fmt.Sprintf("%s, on this machine by Ollama (%.1f GB)", m.Name, m.Size), "ollama:"+m.Name))
		}
	}
	return withPresent(options, w.defaults.Agent, "as it is configured now")
}

// withPresent adds what is set now where it is not among the options.
func withPresent(options []huh.Option[string], value, label string) []huh.Option[string] {
	if slices.ContainsFunc(options, func(o huh.Option[string]) bool { return o.Value == value }) {
		return options
	}
	return append([]huh.Option[string]{newOption(label, value)}, options...)
}

// trayLine says whether the icon will start at login. Without an icon it returns nil.
func (w *wizard) trayLine(atLogin bool) []string {
	switch {
	case atLogin:
		return []string{"tray       starts when you log in"}
	case w.tray != "":
		return []string{"tray       does not start when you log in"}
	}
	return nil
}

// choiceLines are a choice in words, a line each.
func choiceLines(p installer.Plan) []string {
	now, c := installer.Chosen(p.Present.Config), p.Choice
	agent, model := now.Agent, now.AgentModel
	if c.Agent != "" {
		agent, model = c.Agent, c.AgentModel
	}
	var folders []string
	for _, path := range c.Vaults {
		folders = append(folders, config.AtHome(path))
	}
	lines := []string{"notes      " + strings.Join(folders, ", ")}
	switch {
	case agent == "builtin":
		lines = append(lines, "answers    the built-in Miner")
	case agent == "":
		lines = append(lines, "answers    as wiki agents shows")
	default:
		lines = append(lines, strings.TrimSpace("answers    "+agent+" "+model))
	}
	for _, r := range c.Roles {
		name, who := r.Role, strings.TrimSpace(r.Agent+" "+r.Model)
		if name == "*" {
			name = "other roles"
		}
		if r.Agent == installer.None {
			who = "no entry of its own"
		}
		lines = append(lines, fmt.Sprintf("answers    %s: %s", name, who))
	}
	port := now.Port
	if c.Port != 0 {
		port = c.Port
	}
	lines = append(lines, "meaning    "+texts.Embedding(p.Embedding()), fmt.Sprintf("port       %d", port))
	for i, line := range lines {
		lines[i] = quoted(line)
	}
	return lines
}
