package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/viper"
	"go.yaml.in/yaml/v3"

	"vaultdispatcher/engine/config/yamltext"
)

// ErrOld says that a configuration was written before the product had its
// present name, in words that mean something else now. Its values are not
// lost: setup offers them.
var ErrOld = errors.New("written before the rename; run `wiki setup`, which offers its values")

// maxFile is far beyond any configuration and keeps a wrong --config from
// being read for minutes.
const maxFile = 1 << 20

// Load reads the configuration file and the environment over the defaults. An
// empty path means the default place, see [Path], where a missing file is no
// error; a file that was named must be there.
//
// What is wrong with the content comes back as [Problems], all of it at once,
// or as [ErrOld]. To reload call Load again and compare with [Config.Equal].
func Load(path string) (Config, error) {
	named := path != ""
	if !named {
		own, err := Path()
		if err != nil {
			return Config{}, err
		}
		path = own
	}
	data, err := readLimited(path)
	if err != nil && (named || !errors.Is(err, fs.ErrNotExist)) {
		return Config{}, fmt.Errorf("reading the configuration: %w", err)
	}
	return parseConfig(path, data)
}

func readLimited(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err == nil && len(data) > maxFile {
		err = fmt.Errorf("%s is larger than %d bytes, so it is no configuration", path, maxFile)
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
	l.config.checkAll(l.vaultKeys, l.refuse)
	l.warnVariables()
	l.countWarnings()
	if len(l.problems) > 0 {
		return Config{}, l.problems.sortByPlace()
	}
	return l.config, nil
}

// loader carries one call of parse.
type loader struct {
	config    Config
	file      string
	values    map[string]*yaml.Node // what the file says, by key as in the table of settings
	origins   map[string]origin     // where a key got its value
	vaultKeys []string              // the key of each vault of config
	problems  Problems
	refused   map[string]bool // keys of problems
	unknown   int             // keys that mean nothing, those without a warning included
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

// refuse notes a problem with a key. What a key is refused for first counts;
// anything found later follows from it.
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

// findOrigin returns where a key got its value or, when a value is missing, where
// the block is that misses it.
func (l *loader) findOrigin(key string) origin {
	for ; key != ""; key = parentKey(key) {
		if at, ok := l.origins[key]; ok {
			return at
		}
	}
	return origin{}
}

// readSettings lets viper choose between variable and file for each single
// value. Keys are full of dots and spelled by people, so the delimiter is one
// that no key holds and every key is flat.
func (l *loader) readSettings() {
	v := viper.NewWithOptions(viper.KeyDelimiter("\x00"))
	said := make(map[string]any, len(l.values))
	for key, node := range l.values {
		said[key] = node
	}
	err := v.MergeConfigMap(said)
	for _, s := range settings {
		if s.variableName() != "" {
			err = errors.Join(err, v.BindEnv(s.key, s.variableName()))
		}
	}
	if err != nil { // only if viper changes its mind about flat maps and named variables
		l.refuse("wiki", err)
		return
	}
	for _, s := range settings {
		l.readSetting(s, v.Get(s.key))
	}
}

func (l *loader) readSetting(s setting, found any) {
	field := s.field(&l.config)
	node, _ := found.(*yaml.Node)
	if text, ok := found.(string); ok {
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
