package wizard

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"charm.land/huh/v2"

	"vaultdispatcher/cmd/wiki/texts"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/installer"
	"vaultdispatcher/installer/doctor"
)

// foldersField offers what is configured and what Obsidian knows.
func (w *wizard) foldersField() huh.Field {
	var options []huh.Option[string]
	for _, path := range w.folders {
		options = append(options, huh.NewOption(config.AtHome(path), path).Selected(slices.Contains(w.Vaults, path)))
	}
	return huh.NewMultiSelect[string]().Title("Which folders hold your notes?").
		Description("The configured ones, and those that Obsidian knows. Space selects.").
		Options(options...).Height(len(options) + 3).Value(&w.Vaults)
}

// checkFolder says what is wrong with a folder that was typed. Who has gone is not kept.
func (w *wizard) checkFolder(text string) error {
	if text = strings.TrimSpace(text); w.in.hasEnded() || text == "" && len(w.Vaults) > 0 {
		return nil
	}
	if text == "" {
		return errors.New("name the folder that holds your notes, such as ~/Notes")
	}
	path, err := installer.TypedFolder(text)
	if err != nil {
		return err
	}
	if d := w.judgeOnce(path); d.Never() {
		return errors.New(texts.Doubt(path, d))
	}
	for _, f := range texts.Findings(doctor.Folder(path, "auto")) {
		if f.Code.Level() == doctor.Problem {
			return errors.New(f.Text)
		}
	}
	return nil
}

// judgeOnce asks once about each folder, among those that are chosen.
func (w *wizard) judgeOnce(path string) installer.Doubt {
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
			lines = append(lines, texts.Doubt(config.AtHome(path), d))
		}
	}
	return strings.Join(lines, "\n")
}

func (w *wizard) isConfigured(path string) bool {
	return slices.ContainsFunc(w.before.Now.Config.Vaults, func(v config.Vault) bool { return v.Path == path })
}

// agentOptions begin with what is set now, then what needs nothing.
func (w *wizard) agentOptions() []huh.Option[string] {
	options := []huh.Option[string]{huh.NewOption("the built-in Miner: quotes your notes, needs no account and costs nothing", "builtin")}
	for _, program := range w.programs {
		label := fmt.Sprintf("%s (%s)", program.Runner, config.AtHome(program.Path))
		switch {
		case program.Needs != "":
			label += ", cannot start: " + program.Needs + " is missing"
		case !program.LoggedIn:
			label += ", perhaps not logged in"
		}
		options = append(options, huh.NewOption(label, program.Runner))
	}
	for _, m := range w.models {
		if !m.Embeds {
			options = append(options, huh.NewOption(fmt.Sprintf("%s, on this machine by Ollama (%.1f GB)", m.Name, m.Size), "ollama:"+m.Name))
		}
	}
	return withPresent(options, w.told.Agent, "as it is configured now")
}

// withPresent adds what is set now where it is not among the options.
func withPresent(options []huh.Option[string], value, label string) []huh.Option[string] {
	if slices.ContainsFunc(options, func(o huh.Option[string]) bool { return o.Value == value }) {
		return options
	}
	return append([]huh.Option[string]{huh.NewOption(label, value)}, options...)
}

// trayLine says of the icon what will be; nothing where there is none.
func (w *wizard) trayLine(atLogin bool) []string {
	switch {
	case atLogin:
		return []string{"tray       starts when you log in"}
	case w.tray != "":
		return []string{"tray       does not start when you log in"}
	}
	return nil
}
