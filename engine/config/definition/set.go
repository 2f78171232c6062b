package definition

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/config/site"
	"vaultdispatcher/engine/config/yamltext"
)

// Set holds the built-in definitions and finds those in the user's own
// folder, where a file of the same name wins. Every call reads the folder again, so
// a change needs no restart. A file inside a vault, whatever path leads to it, is
// never read: a sync must not be able to say how an agent behaves. Safe for
// concurrent use.
type Set struct {
	folder  string
	builtin map[string]Definition
	vaults  func() []site.Site // inspected once, when there is a file to compare with them
}

// NewSet returns the definitions of a configuration: the built-in ones at
// the top of builtin, which may be nil, and those in the folder agents beside the
// configuration file.
func NewSet(builtin fs.FS, c config.Config) (*Set, error) {
	d := &Set{builtin: make(map[string]Definition)}
	if c.File != "" {
		d.folder = filepath.Join(filepath.Dir(c.File), "agents")
	}
	var paths []string
	for _, v := range c.Vaults {
		if v.Path != "" {
			paths = append(paths, v.Path)
		}
	}
	d.vaults = sync.OnceValue(func() []site.Site { return config.InspectAll(paths) })
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
		own, err := parseNamed(name, data)
		if err != nil {
			return nil, err
		}
		own.File = ""
		d.builtin[own.Name] = own
	}
	return d, nil
}

// Find returns the definition of a role, or else the general one. The error says
// why the role's own file cannot be used. Nothing replaces such a file, because
// the user asked for another behavior than the general one.
func (d *Set) Find(role string) (Definition, error) {
	files, err := d.listFiles()
	if err != nil {
		return Definition{}, err
	}
	for _, name := range []string{"vault-mind-" + strings.ToLower(role), General} {
		if path, ok := files[name]; ok {
			return d.readFile(path)
		}
		if own, ok := d.builtin[name]; ok {
			return own, nil
		}
	}
	return Definition{}, nil
}

// List returns every definition that can be used, by name, and what is wrong
// with the others.
func (d *Set) List() ([]Definition, error) {
	files, problem := d.listFiles()
	all := maps.Clone(d.builtin)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		delete(all, name)
		own, err := d.readFile(files[name])
		if err == nil {
			all[name] = own
		}
		problem = errors.Join(problem, err)
	}
	var list []Definition
	for _, name := range slices.Sorted(maps.Keys(all)) {
		list = append(list, all[name])
	}
	return list, problem
}

// Names returns the name of every definition, also of one that cannot be used.
func (d *Set) Names() []string {
	files, _ := d.listFiles() // a folder that cannot be read: the built-in ones
	names := slices.AppendSeq(slices.Collect(maps.Keys(files)), maps.Keys(d.builtin))
	slices.Sort(names)
	return slices.Compact(names)
}

// listFiles returns the paths of the folder's markdown files by their names in
// lower case, without ".md". The folder need not exist.
func (d *Set) listFiles() (map[string]string, error) {
	if d.folder == "" {
		return nil, nil
	}
	entries, err := os.ReadDir(d.folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("look for agent definitions: %w", err)
	}
	files := make(map[string]string)
	for _, e := range entries {
		name, ok := strings.CutSuffix(strings.ToLower(e.Name()), ".md")
		own, prefixed := strings.CutPrefix(name, prefix) // a file of Claude Code's has the role's name alone
		if _, taken := files[prefix+own]; ok && !strings.HasPrefix(name, ".") && (prefixed || !taken) {
			files[prefix+own] = filepath.Join(d.folder, e.Name())
		}
	}
	return files, nil
}

func (d *Set) readFile(path string) (Definition, error) {
	if vault := d.findVault(path); vault != "" {
		return Definition{}, config.Problem{File: path,
			Text: fmt.Sprintf("is inside the vault %s, where definitions are never read; move it out of there", yamltext.QuotePath(vault))}
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return Definition{}, fmt.Errorf("read an agent definition: %w", err)
	case !info.Mode().IsRegular():
		return Definition{}, config.Problem{File: path, Text: "is not a regular file; an agent definition is a markdown file"}
	}
	data, err := config.ReadLimited(path)
	if err != nil {
		return Definition{}, fmt.Errorf("read an agent definition: %w", err)
	}
	return parseNamed(path, data)
}

// findVault returns the vault that contains a file, whatever links lead there. A
// link is followed only when its text does not already lead into a vault.
func (d *Set) findVault(path string) string {
	vaults := d.vaults()
	if target, err := os.Readlink(path); err == nil {
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(path), target)
		}
		for _, v := range vaults {
			if site.IsNamedWithin(target, v.Path) {
				return v.Path
			}
		}
	}
	at := site.Inspect(path)
	for _, v := range vaults {
		if at.IsWithin(v) {
			return v.Path
		}
	}
	return ""
}

// parseNamed parses a definition and checks that its name is that of its file. A
// file that cannot be parsed still belongs to the role its name gives.
func parseNamed(path string, data []byte) (Definition, error) {
	d, err := Parse(path, data)
	if err != nil {
		return Definition{}, err
	}
	base := filepath.Base(path)
	if !strings.EqualFold(base, d.Name+".md") && !strings.EqualFold(base, strings.TrimPrefix(d.Name, prefix)+".md") {
		return Definition{}, config.Problems{{File: path, Key: "name",
			Text: fmt.Sprintf("%s does not fit the file's name; call the file %s.md", yamltext.Quote(d.Name), d.Name)}}
	}
	d.File = path
	return d, nil
}
