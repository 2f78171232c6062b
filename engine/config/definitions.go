package config

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// Definitions are all definitions there are: the built-in ones and the files of
// a person's own folder, where a file of the same name wins. The folder is
// looked at again whenever a definition is asked for, so a change needs no
// restart. A file that lies in a vault, whatever path leads to it, is never
// read: what a sync brings must not say how an agent behaves. Safe for
// concurrent use.
type Definitions struct {
	folder  string
	vaults  []string // their folders, as configured
	builtin map[string]Definition

	mu    sync.Mutex // guards the fields below
	files map[string]definitionFile
	sites []Site // of vaults; nil before there was a file to compare them with
}

// definitionFile is what a file held when it was last read.
type definitionFile struct {
	info       fs.FileInfo
	at         time.Time // when it was read
	definition Definition
	err        error // why it cannot be used
}

// NewDefinitions returns the definitions of a configuration: the built-in ones at
// the top of builtin, if there are any, and those in the folder agents beside the configuration.
func NewDefinitions(builtin fs.FS, c Config) (*Definitions, error) {
	d := &Definitions{builtin: make(map[string]Definition)}
	if c.File != "" {
		d.folder = filepath.Join(filepath.Dir(c.File), "agents")
	}
	for _, v := range c.Vaults {
		if v.Path != "" {
			d.vaults = append(d.vaults, v.Path)
		}
	}
	if builtin == nil {
		return d, nil
	}
	names, err := fs.Glob(builtin, "*.md")
	if err != nil {
		return nil, fmt.Errorf("list the built-in definitions: %w", err)
	}
	for _, name := range names {
		data, err := fs.ReadFile(builtin, name)
		if err != nil {
			return nil, fmt.Errorf("read a built-in definition: %w", err)
		}
		own, err := named(name, data)
		if err != nil {
			return nil, err
		}
		own.File = ""
		d.builtin[own.Name] = own
	}
	return d, nil
}

// Folder returns where a person's own definitions are looked for.
func (d *Definitions) Folder() string { return d.folder }

// Find returns the definition of a role, or else the general one. The error says
// why the role's own file cannot be used; then nothing takes its place, because
// that would be another behaviour than the one that was asked for.
func (d *Definitions) Find(role string) (Definition, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.refresh(); err != nil {
		return Definition{}, err
	}
	for _, name := range []string{"vault-mind-" + strings.ToLower(role), GeneralDefinition} {
		if file, ok := d.files[name]; ok {
			return file.definition, file.err
		}
		if own, ok := d.builtin[name]; ok {
			return own, nil
		}
	}
	return Definition{}, nil
}

// List returns every definition that can be used, by name, and what is wrong
// with the others.
func (d *Definitions) List() ([]Definition, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	problem := d.refresh()
	all := maps.Clone(d.builtin)
	for name, file := range d.files {
		delete(all, name)
		if file.err == nil {
			all[name] = file.definition
		}
		problem = errors.Join(problem, file.err)
	}
	var list []Definition
	for _, name := range slices.Sorted(maps.Keys(all)) {
		list = append(list, all[name])
	}
	return list, problem
}

// refresh reads what has changed in the folder; the caller holds mu.
func (d *Definitions) refresh() error {
	if d.folder == "" {
		return nil
	}
	entries, err := os.ReadDir(d.folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) { // nobody has to have one
		return fmt.Errorf("look for agent definitions: %w", err)
	}
	found := make(map[string]definitionFile)
	for _, e := range entries {
		name, ok := strings.CutSuffix(strings.ToLower(e.Name()), ".md")
		if !ok || strings.HasPrefix(name, ".") {
			continue
		}
		found[name] = d.look(filepath.Join(d.folder, e.Name()), d.files[name])
	}
	d.files = found
	return nil
}

// look reads a file, unless it is as it was.
func (d *Definitions) look(path string, before definitionFile) definitionFile {
	if root := d.inVault(path); root != "" {
		return definitionFile{err: Problem{File: path,
			Text: fmt.Sprintf("lies in the vault %s, where definitions are never read; move it out of there", quotePath(root))}}
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return definitionFile{err: fmt.Errorf("read an agent definition: %w", err)}
	case !info.Mode().IsRegular():
		return definitionFile{err: Problem{File: path, Text: "no regular file; an agent definition is a markdown file"}}
	}
	if unchanged(before, info) {
		return before
	}
	at := time.Now()
	data, err := read(path)
	if err != nil {
		return definitionFile{err: fmt.Errorf("read an agent definition: %w", err)}
	}
	own, err := named(path, data)
	return definitionFile{info: info, at: at, definition: own, err: err}
}

// unchanged goes by what a save changes. A file that was read right after its
// change may have changed once more within the same time stamp.
func unchanged(before definitionFile, now fs.FileInfo) bool {
	return before.info != nil && os.SameFile(before.info, now) && before.info.Size() == now.Size() &&
		before.info.ModTime().Equal(now.ModTime()) && before.at.Sub(now.ModTime()) > 2*time.Second
}

// surveyTime is how long the disks of all vaults may take to say which folders
// they are. A disk that hangs holds no definition that could be read.
const surveyTime = time.Second

// inVault returns the vault that contains a file, whatever links lead there. A
// link is followed only when its text does not already lead into a vault. The
// caller holds mu.
func (d *Definitions) inVault(path string) string {
	if target, err := os.Readlink(path); err == nil {
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(path), target)
		}
		for _, v := range d.vaults {
			if isNamedWithin(target, v) {
				return v
			}
		}
	}
	if d.sites == nil {
		ctx, cancel := context.WithTimeout(context.Background(), surveyTime)
		d.sites = SurveyAll(ctx, d.vaults)
		cancel()
	}
	at := Survey(path)
	for _, v := range d.sites {
		if at.isWithin(v) {
			return v.path
		}
	}
	return ""
}

// named parses a definition that must be called as its file is, so that even a
// broken file says whose it is.
func named(path string, data []byte) (Definition, error) {
	d, err := ParseDefinition(path, data)
	if err != nil {
		return Definition{}, err
	}
	if base := filepath.Base(path); !strings.EqualFold(base, d.Name+".md") {
		return Definition{}, Problems{{File: path, Key: "name",
			Text: fmt.Sprintf("%s does not fit the file's name; call the file %s.md", quote(d.Name), d.Name)}}
	}
	d.File = path
	return d, nil
}
