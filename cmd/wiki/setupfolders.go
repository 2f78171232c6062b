package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"vaultdispatcher/engine/config"
	"vaultdispatcher/installer"
	"vaultdispatcher/installer/doctor"
)

// checkFolders refuses a new folder that cannot be a vault, and one that was perhaps
// not meant unless somebody has said so. One that was configured may be a disk that
// is not connected.
func (a *app) checkFolders(ctx context.Context, p plan) (found []finding, err error) {
	for _, path := range p.choice.Vaults {
		checked, err := a.checkFolder(ctx, p, path)
		if err != nil {
			return nil, err
		}
		found = append(found, checked...)
	}
	return found, nil
}

func (a *app) checkFolder(ctx context.Context, p plan, path string) (found []finding, err error) {
	mode, known := p.now.Config.Watch.Mode, false
	for _, v := range p.now.Config.Vaults {
		if v.Path == path {
			mode, known = p.now.Config.WatchMode(v), true
		}
	}
	if !known {
		doubt, err := a.doubt(ctx, path, p.choice.Vaults)
		if err != nil {
			return nil, err
		}
		if doubt.Never() || doubt.Risk != "" && !p.sure {
			return nil, refusedFolder(path, doubt)
		}
		if doubt.Risk != "" {
			a.tell("vault", "%s", doubted(path, doubt))
		}
	}
	for _, f := range worded(doctor.Folder(path, mode)) {
		found = append(found, f)
		if f.Code.Level() == doctor.Problem && !known {
			return nil, fail("name the folder that holds your notes; nothing was changed", "%s", f.Text)
		}
		a.tell("vault", "%s", f.Text)
	}
	return found, nil
}

// doubt judges a new folder among those that are chosen.
func (a *app) doubt(ctx context.Context, path string, chosen []string) (installer.Doubt, error) {
	state, err := config.StateDir()
	if err != nil {
		return installer.Doubt{}, err
	}
	own, err := a.belongings(state)
	if err != nil {
		return installer.Doubt{}, err
	}
	others := slices.DeleteFunc(slices.Clone(chosen), func(other string) bool { return other == path })
	return installer.ThisMachine().Doubt(ctx, path, own, others), nil
}

// doubtful is the refusal of a folder that may not have been meant.
type doubtful struct{ failure }

func (d *doubtful) Unwrap() error { return &d.failure }

// refusedFolder is the refusal of a folder. Two vaults in one have the exit status
// that the configuration gives them.
func refusedFolder(path string, d installer.Doubt) error {
	text := errors.New(doubted(path, d))
	switch {
	case !d.Never():
		return &doubtful{failure{text, "name the folder in it that holds your notes, or add --yes to take this one; nothing was changed", exitFailed}}
	case d.Risk == installer.Nested:
		return &failure{text, "nothing was changed", exitConfig}
	}
	return &failure{text, "name the folder that holds your notes; nothing was changed", exitFailed}
}

// doubted says what is to be said of a folder.
func doubted(path string, d installer.Doubt) string {
	switch d.Risk {
	case installer.System:
		return path + " belongs to the system and is no place for notes"
	case installer.Ours:
		return path + " belongs to the engine itself and is no place for notes"
	case installer.Nested:
		return d.Detail
	case installer.Around:
		return path + " holds what programs keep, this one too, and perhaps no notes"
	case installer.Home:
		return path + " is your whole home folder, or more: every .md file in it would be a note, those of programs too"
	case installer.Drive:
		return path + " is a whole drive: every .md file on it would be a note, those of programs too"
	case installer.Huge:
		return fmt.Sprintf("%s holds more than %d,000 files, many more than folders of notes do", path, installer.MostFiles/1000)
	}
	return ""
}

// asRoot says what is to be known where this program runs as root; nothing elsewhere.
func asRoot() string {
	if os.Geteuid() != 0 {
		return ""
	}
	if user := os.Getenv("SUDO_USER"); user != "" && user != "root" {
		return "this runs as root, not as " + user + ": the configuration is root's, and agents may do what root may"
	}
	return "this runs as root: agents may do what root may"
}
