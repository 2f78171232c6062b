package installer

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/config/place"
	"vaultdispatcher/engine/files"
)

// Present is the configuration that is there.
type Present struct {
	File     string
	Exists   bool
	Config   config.Config
	Old      bool     // it was written before the rename; Config is what it says today
	Obsolete []string // keys of an old one whose values mean nothing now

	asked string // the file as it was named; empty = the usual one
	text  []byte
}

// Read reads the configuration at a path, or at its usual place when that is empty.
// One that is not there, or was written before the rename, is no error; one that
// cannot be used is config.Problems, and nothing is read of one that others may change.
func Read(file string) (Present, error) {
	asked := file
	if file == "" {
		own, err := place.ConfigFile()
		if err != nil {
			return Present{}, err
		}
		file = own
	}
	file, err := filepath.Abs(file)
	if err != nil {
		return Present{}, fmt.Errorf("find the configuration: %w", err)
	}
	p := Present{File: file, Exists: true, asked: asked}
	if err := config.CheckOwner(file); err != nil {
		return p, err
	}
	p.text, err = os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		p.Exists = false
		_, err = linkTarget(file)
	}
	if err != nil {
		return p, fmt.Errorf("read the configuration: %w", err)
	}
	if _, err := config.Load(file); p.Exists && errors.Is(err, config.ErrOld) {
		p.Old = true
		if _, p.Obsolete, err = config.Convert(file, p.text); err != nil {
			return p, err
		}
	}
	_, p.Config, err = config.Edit(file, p.text, config.Change{})
	return p, err
}

// Written is what became of the configuration. There is no backup when nothing was
// there before, or nothing has changed.
type Written struct {
	api.ConfigWritten
	Config config.Config `json:"-"`
}

// Write makes the choice the configuration. An engine of this process moves to the
// chosen port; nothing is written if it cannot have that port.
func (p Plan) Write() (w Written, err error) {
	write := func() (err error) {
		w, err = Write(p.Present, p.Change())
		return err
	}
	port := p.Choice.Port
	if p.Host == nil || port == 0 || p.Host.HasFixedPort() || port == p.Host.Port() {
		err = write()
		return w, err
	}
	var problem error
	err = p.Host.Move(port, func() error {
		problem = write()
		return problem
	})
	if err != nil && problem == nil {
		err = &Refusal{Field: "port", Err: err, Port: SuggestPort(port)}
	}
	return w, err
}

// Write makes a change in the configuration. It is checked before anything is
// replaced, and a file that has changed since it was read is not.
func Write(p Present, change config.Change) (Written, error) {
	text, cfg, err := config.Edit(p.File, p.text, change)
	if err != nil {
		return Written{}, err
	}
	// The texts are compared, because the environment may hide what the file says.
	if as, _, err := config.Edit(p.File, p.text, config.Change{}); p.Exists && !p.Old && err == nil && bytes.Equal(as, text) {
		return Written{api.ConfigWritten{File: p.File}, cfg}, nil // not even the spelling
	}
	return replaceFile(p, text, cfg)
}

// Text returns the configuration as it was read.
func (p Present) Text() []byte { return p.text }

// WriteText makes a text the configuration, as [Write] does a change.
func WriteText(p Present, text []byte) (Written, error) {
	_, cfg, err := config.Edit(p.File, text, config.Change{})
	if err != nil || p.Exists && bytes.Equal(p.text, text) {
		return Written{api.ConfigWritten{File: p.File}, cfg}, err
	}
	return replaceFile(p, text, cfg)
}

func replaceFile(p Present, text []byte, cfg config.Config) (Written, error) {
	w := Written{api.ConfigWritten{File: p.File}, cfg}
	file, err := linkTarget(p.File)
	if err != nil {
		return Written{}, err
	}
	mode := fs.FileMode(0o600)
	if p.Exists {
		now, err := os.ReadFile(file)
		if err != nil || !bytes.Equal(now, p.text) {
			return Written{}, errors.Join(errors.New("the configuration was changed by somebody else meanwhile"), err)
		}
		if info, err := os.Stat(file); err == nil {
			mode = info.Mode().Perm()
		}
		if w.Backup, err = files.KeepCopy(file, p.text, mode); err != nil {
			return Written{}, fmt.Errorf("keep a copy of the configuration: %w", err)
		}
	}
	if err := files.Write(file, text, mode); err != nil {
		return Written{}, fmt.Errorf("write the configuration: %w", err)
	}
	w.Changed = true
	return w, nil
}

// linkTarget returns the file to write, which a person's own link leads to; the link is kept. A link without a target
// is an error, since the target may only be away for now.
func linkTarget(file string) (string, error) {
	real, err := filepath.EvalSymlinks(file)
	if err == nil {
		return real, nil
	}
	if to, noLink := os.Readlink(file); noLink == nil {
		return "", fmt.Errorf("%s is a link to %s, which cannot be followed: %w", file, to, err)
	}
	return file, nil
}
