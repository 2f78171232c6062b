package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v3"

	"vaultdispatcher/engine/config/place"
	"vaultdispatcher/engine/config/yamltext"
	"vaultdispatcher/engine/files"
	"vaultdispatcher/engine/watch/disk"
)

// ErrOld is returned for a configuration from before the product was renamed, whose
// keys have another meaning now. Its values are not lost: setup offers them.
var ErrOld = errors.New("written before the rename; run `wiki setup`, which offers its values")

// maxFile is far more than any configuration needs. Without it a wrong --config could
// be read for minutes.
const maxFile = 1 << 20

// Load reads the configuration file and the environment over the defaults. An empty
// path means the default place, see [place.ConfigFile], where the file may be missing; a named
// file must exist.
//
// If the content is wrong, the error is [Problems] with all of them at once, or
// [ErrOld]; if others may change the file, a [*disk.Foreign] is in it. To reload, call Load again and compare with [Config.HasSameSettings].
func Load(path string) (Config, error) {
	named := path != ""
	if !named {
		own, err := place.ConfigFile()
		if err != nil {
			return Config{}, err
		}
		path = own
	}
	if err := CheckOwner(path); err != nil {
		return Config{}, err
	}
	data, err := ReadLimited(path)
	if err != nil && (named || !errors.Is(err, fs.ErrNotExist)) {
		return Config{}, fmt.Errorf("reading the configuration: %w", err)
	}
	return parseConfig(path, data)
}

// CheckOwner returns an error with what to type where others may change the configuration file: it names programs to start.
func CheckOwner(file string) error {
	if err := disk.CheckOwner(file); err != nil {
		return fmt.Errorf("the configuration names programs to start, so it is not used while others may change it: %w", err)
	}
	return nil
}

// ReadLimited reads a file of the configuration; one that is far too large for that is refused.
func ReadLimited(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, isWhole, err := files.ReadLimited(f, maxFile)
	if err == nil && !isWhole {
		err = fmt.Errorf("%s is larger than %d bytes, so it is not a configuration", path, maxFile)
	}
	return data, err
}

// parseConfig is Load without the file system.
func parseConfig(file string, data []byte) (Config, error) {
	root, problem := yamltext.Parse(data, "a block that begins with wiki:")
	if problem != nil {
		return Config{}, refuseSyntax(file, problem)
	}
	if isOld(root) {
		return Config{}, fmt.Errorf("%s: %w", file, ErrOld)
	}
	l := newLoader(file)
	l.config = Default()
	if abs, err := filepath.Abs(file); err == nil {
		file = abs
	}
	l.config.File = file
	l.collectValues("", root)
	l.readSettings()
	l.expandModel()
	l.readVaults()
	l.readAgents()
	l.readSchedule()
	l.config.checkAll(l.vaultKeys, l.refuse)
	l.warnVariables()
	l.countWarnings()
	if len(l.problems) > 0 {
		return Config{}, l.problems.sortByPlace()
	}
	return l.config, nil
}

// loader is the state of one call of parseConfig.
type loader struct {
	config    Config
	file      string
	values    map[string]*yaml.Node // the values of the file, by key as in the table of settings
	origins   map[string]origin     // where a key got its value
	vaultKeys []string              // the key of each vault of config
	problems  Problems
	refused   map[string]bool // keys of problems
	unknown   int             // number of unknown keys, with or without a warning
}

func newLoader(file string) *loader {
	return &loader{file: file, values: make(map[string]*yaml.Node),
		origins: make(map[string]origin), refused: make(map[string]bool)}
}

// origin is where a value was set: a variable, or a line of the file.
type origin struct {
	variable string
	line     int
}

// refuse records a problem with a key. Only the first problem of a key counts; later
// ones follow from it.
func (l *loader) refuse(key string, err error) {
	if l.refused[key] {
		return
	}
	l.refused[key] = true
	p := Problem{Key: key, Text: err.Error()}
	switch at := l.findOrigin(key); {
	case at.variable != "":
		p.Key = at.variable
	case at.line > 0:
		p.File, p.Line = l.file, at.line
	}
	l.problems = append(l.problems, p)
}

// findOrigin returns where a key got its value or, for a missing value, where its block
// is.
func (l *loader) findOrigin(key string) origin {
	for ; key != ""; key = parentKey(key) {
		if at, ok := l.origins[key]; ok {
			return at
		}
	}
	return origin{}
}

// collectValues adds the values of the mapping at prefix to l.values, enters its blocks
// and warns about unknown keys.
func (l *loader) collectValues(prefix string, n *yaml.Node) {
	for _, e := range yamltext.Entries(n) {
		key, ok := known[strings.ToLower(prefix+e.Key)]
		_, twice := l.origins[key]
		switch {
		case !ok:
			l.warnUnknown(prefix+e.Key, knownKeys)
			continue
		case twice:
			l.refuse(key, fmt.Errorf("is set twice, again on line %d; keep one", e.Line))
			continue
		}
		l.origins[key] = origin{line: e.Line}
		switch {
		case yamltext.IsNull(e.Value):
		case !blocks[key]:
			l.values[key] = e.Value
		case e.Value.Kind != yaml.MappingNode:
			l.refuse(key, fmt.Errorf("expected a block of keys, found %s", yamltext.Describe(e.Value)))
		default:
			l.collectValues(key+".", e.Value)
		}
	}
}

// readSettings reads each value from its variable, else from the file, else leaves the default. An empty variable is none.
func (l *loader) readSettings() {
	for _, s := range settings {
		l.readSetting(s)
	}
}

func (l *loader) readSetting(s setting) {
	field, node := s.field(&l.config), l.values[s.key]
	if text := os.Getenv(s.variableName()); text != "" {
		l.origins[s.key] = origin{variable: s.variableName()}
		node = yamltext.VariableNode(text, field)
	}
	if node == nil {
		return
	}
	if err := yamltext.Decode(node, field); err != nil {
		l.refuse(s.key, err)
	}
}
