package config

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"go.yaml.in/yaml/v3"
)

// value is what was found for a setting: a node of the file, or without one
// the text of a variable.
type value struct {
	node *yaml.Node
	text string
}

// into reads the value into a field. The error says what was expected.
func (v value) into(field any) error {
	switch field := field.(type) {
	case *int:
		return v.intoInt(field)
	case *float64:
		return v.intoFloat(field)
	case *bool:
		return v.intoBool(field)
	case *string:
		return v.intoString(field)
	case *time.Duration:
		return v.intoDuration(field)
	case *[]string:
		return v.intoList(field)
	case interface{ read(*yaml.Node) error }:
		return field.read(v.node)
	}
	return fmt.Errorf("no way to read a %T", field)
}

func (v value) intoInt(field *int) error {
	if v.node == nil {
		n, err := strconv.Atoi(v.text)
		if err != nil {
			return fmt.Errorf("expected a whole number, found %s", quote(v.text))
		}
		*field = n
		return nil
	}
	if v.node.ShortTag() != "!!int" {
		return fmt.Errorf("expected a whole number, found %s", kind(v.node))
	}
	if v.node.Decode(field) != nil {
		return fmt.Errorf("%s is too large a number", shorten(v.node.Value))
	}
	return nil
}

func (v value) intoFloat(field *float64) error {
	text := v.text
	if v.node != nil {
		if tag := v.node.ShortTag(); tag != "!!int" && tag != "!!float" {
			return fmt.Errorf("expected a number, found %s", kind(v.node))
		}
		text = v.node.Value
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(x) {
		return fmt.Errorf("expected a number such as 0.5, found %s", quote(text))
	}
	*field = x
	return nil
}

func (v value) intoBool(field *bool) error {
	if v.node == nil {
		b, err := strconv.ParseBool(v.text)
		if err != nil {
			return fmt.Errorf("expected true or false, found %s", quote(v.text))
		}
		*field = b
		return nil
	}
	if v.node.ShortTag() != "!!bool" || v.node.Decode(field) != nil {
		return fmt.Errorf("expected true or false, found %s", kind(v.node))
	}
	return nil
}

// intoString takes what stands in the file, letter by letter: a model called
// 4.10 must not become 4.1.
func (v value) intoString(field *string) error {
	if v.node == nil {
		*field = v.text
		return nil
	}
	if v.node.Kind != yaml.ScalarNode {
		return fmt.Errorf("expected a text, found %s", kind(v.node))
	}
	if v.node.ShortTag() == "!!binary" {
		return errors.New("expected a text, found binary data")
	}
	if isNull(v.node) { // null is how YAML spells nothing
		*field = ""
		return nil
	}
	*field = v.node.Value
	return nil
}

func (v value) intoDuration(field *time.Duration) error {
	text := v.text
	if v.node != nil {
		if v.node.Kind != yaml.ScalarNode || v.node.ShortTag() == "!!bool" {
			return fmt.Errorf("expected a duration such as 2.5s, found %s", kind(v.node))
		}
		text = v.node.Value
	}
	if n, err := strconv.ParseFloat(text, 64); err == nil && !math.IsInf(n, 0) && !math.IsNaN(n) && n != 0 {
		return fmt.Errorf("%s has no unit; write %ss or %sms", shorten(text), shorten(text), shorten(text))
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		return fmt.Errorf("%s is not a duration; write it like 500ms, 2.5s or 10m", quote(text))
	}
	*field = d
	return nil
}

func (v value) intoList(field *[]string) error {
	if v.node == nil || v.node.Kind != yaml.SequenceNode {
		return fmt.Errorf("expected a list in brackets such as [one, two], found %s", kind(v.node))
	}
	var list []string
	for _, item := range v.node.Content {
		item = resolve(item)
		var text string
		if isNull(item) {
			return fmt.Errorf("entry %d is empty; put it in quotes or take it out", len(list)+1)
		}
		if err := (value{node: item}).into(&text); err != nil {
			return fmt.Errorf("entry %d: %w", len(list)+1, err)
		}
		list = append(list, text)
	}
	*field = list
	return nil
}

func number(key string, field func(*Config) *int, least, most int, wrong string) setting {
	return setting{key: key,
		read: func(c *Config, v value) error { return v.into(field(c)) },
		check: func(c *Config) error {
			if n := *field(c); n < least || n > most {
				return fmt.Errorf("%d %s; use %d to %d", n, wrong, least, most)
			}
			return nil
		}}
}

func decimal(key string, field func(*Config) *float64, least, most float64, wrong string) setting {
	return setting{key: key,
		read: func(c *Config, v value) error { return v.into(field(c)) },
		check: func(c *Config) error {
			if x := *field(c); x < least || x > most {
				return fmt.Errorf("%v %s; use %v to %v", x, wrong, least, most)
			}
			return nil
		}}
}

// words is any text.
func words(key string, field func(*Config) *string) setting {
	return setting{key: key,
		read:  func(c *Config, v value) error { return v.into(field(c)) },
		check: func(*Config) error { return nil }}
}

func duration(key string, field func(*Config) *time.Duration, least, most time.Duration) setting {
	return setting{key: key,
		read:  func(c *Config, v value) error { return v.into(field(c)) },
		check: func(c *Config) error { return checkDuration(*field(c), least, most) }}
}

// interval is a duration that may also be 0.
func interval(key string, field func(*Config) *time.Duration, least, most time.Duration) setting {
	s := duration(key, field, least, most)
	s.check = func(c *Config) error {
		if *field(c) == 0 {
			return nil
		}
		return checkDuration(*field(c), least, most)
	}
	return s
}

func checkDuration(d, least, most time.Duration) error {
	switch {
	case d < least:
		return fmt.Errorf("%s is too short; use %s to %s", brief(d), brief(least), brief(most))
	case d > most:
		return fmt.Errorf("%s is too long; use %s to %s", brief(d), brief(least), brief(most))
	}
	return nil
}

// brief writes a round duration as people do: 24h, not 24h0m0s.
func brief(d time.Duration) string {
	if d == 0 {
		return "0"
	}
	s := d.String()
	if rest, ok := strings.CutSuffix(s, "m0s"); ok {
		s = rest + "m"
	}
	if rest, ok := strings.CutSuffix(s, "h0m"); ok {
		s = rest + "h"
	}
	return s
}

func choice(key string, field func(*Config) *string, options ...string) setting {
	return setting{key: key,
		read:  func(c *Config, v value) error { return v.into(field(c)) },
		check: func(c *Config) error { return checkChoice(*field(c), options) }}
}

func checkChoice(s string, options []string) error {
	if slices.Contains(options, s) {
		return nil
	}
	last := len(options) - 1
	return fmt.Errorf("%s is unknown; use %s or %s", quote(s), strings.Join(options[:last], ", "), options[last])
}

func flag(key string, field func(*Config) *bool) setting {
	return setting{key: key,
		read:  func(c *Config, v value) error { return v.into(field(c)) },
		check: func(*Config) error { return nil }}
}

func globs(key string, field func(*Config) *[]string) setting {
	return setting{key: key, list: true,
		read: func(c *Config, v value) error { return v.into(field(c)) },
		check: func(c *Config) error {
			for _, p := range *field(c) {
				if wrong := checkPattern(p); wrong != "" {
					return errors.New(wrong)
				}
			}
			return nil
		}}
}

func checkModel(c *Config) error {
	if p := c.Embedding.Provider; p != "none" && c.Embedding.Model == "" {
		return fmt.Errorf("missing; the provider %s needs to know which model", quote(p))
	}
	return nil
}

func checkURL(c *Config) error {
	if c.Embedding.URL == "" {
		if c.Embedding.Provider == "openai" {
			return errors.New("missing; the provider \"openai\" needs the address of its server, such as http://127.0.0.1:8080")
		}
		return nil
	}
	if _, ok := parseAddress(c.Embedding.URL); !ok {
		if strings.ContainsAny(c.Embedding.URL, "@?#") { // it may hold a key, and is not repeated
			return errNoAddress
		}
		return fmt.Errorf("%s is not an address; write it like http://127.0.0.1:11434", quote(c.Embedding.URL))
	}
	return nil
}

func checkKeyVariable(c *Config) error { return checkVariableName(c.Embedding.APIKeyEnv) }

// checkVariableName keeps keys themselves out of the file.
func checkVariableName(name string) error {
	if strings.ContainsFunc(name, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}) || len(name) > 64 {
		return errors.New("not the name of an environment variable; put the key into one, and its name here")
	}
	return nil
}

func checkFolder(c *Config) error {
	f := c.Broadcast.Folder
	if f == "" {
		return errors.New("empty; name a folder in the vault such as Agent/Presentations")
	}
	if strings.ContainsAny(f, `*?:`) {
		return fmt.Errorf("%s has one of the characters : * ? in it; leave them out, not every system can have them in a folder", quote(f))
	}
	if strings.HasPrefix(f, ".") || strings.Contains(f, "/.") {
		return fmt.Errorf("%s is in a folder that begins with a dot; notes there are never seen", quote(f))
	}
	if wrong := checkPattern(f); wrong != "" {
		return errors.New(wrong)
	}
	return nil
}

func checkOwner(c *Config) error {
	if strings.ContainsFunc(c.Owner, unicode.IsControl) {
		return fmt.Errorf("%s is not the name of a machine", quote(c.Owner))
	}
	return nil
}
