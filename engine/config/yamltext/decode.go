package yamltext

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"go.yaml.in/yaml/v3"
)

// Decode reads a node into a field. The error says what was expected.
func Decode(n *yaml.Node, field any) error {
	switch field := field.(type) {
	case *int:
		return decodeScalar(n, field, "a whole number", "!!int")
	case *float64:
		return decodeScalar(n, field, "a number", "!!int", "!!float")
	case *bool:
		return decodeScalar(n, field, "true or false", "!!bool")
	case **bool:
		*field = new(bool)
		return decodeScalar(n, *field, "true or false", "!!bool")
	case *string:
		return DecodeText(n, field)
	case *time.Duration:
		return decodeDuration(n, field)
	case *[]string:
		return decodeList(n, field)
	case *map[string]string:
		return decodeVariables(n, field)
	}
	return fmt.Errorf("no way to read a %T", field)
}

// decodeScalar lets the YAML library convert. It compares the tag first, because the
// library takes 80.5 for 80 and yes for true:
// https://github.com/yaml/go-yaml/blob/v3.0.4/decode.go#L642
func decodeScalar(n *yaml.Node, field any, expected string, tags ...string) error {
	if !slices.Contains(tags, n.ShortTag()) {
		return fmt.Errorf("expected %s, found %s", expected, Describe(n))
	}
	if n.Decode(field) != nil {
		return fmt.Errorf("%s is too large a number", Shorten(n.Value))
	}
	return nil
}

// DecodeText copies the text of the file letter by letter: a model called 4.10 must
// not become 4.1.
func DecodeText(n *yaml.Node, field *string) error {
	if n.Kind != yaml.ScalarNode || n.ShortTag() == "!!binary" {
		return fmt.Errorf("expected a text, found %s", Describe(n))
	}
	*field = n.Value
	if IsNull(n) {
		*field = ""
	}
	return nil
}

func decodeDuration(n *yaml.Node, field *time.Duration) error {
	if n.Kind != yaml.ScalarNode || n.ShortTag() == "!!bool" {
		return fmt.Errorf("expected a duration such as 2.5s, found %s", Describe(n))
	}
	if x, err := strconv.ParseFloat(n.Value, 64); err == nil && !math.IsInf(x, 0) && !math.IsNaN(x) && x != 0 {
		text := Shorten(n.Value)
		return fmt.Errorf("%s has no unit; write %ss or %sms", text, text, text)
	}
	d, err := time.ParseDuration(n.Value)
	if err != nil {
		return fmt.Errorf("%s is not a duration; write it like 500ms, 2.5s or 10m", Quote(n.Value))
	}
	*field = d
	return nil
}

func decodeList(n *yaml.Node, field *[]string) error {
	if n.Kind != yaml.SequenceNode {
		return fmt.Errorf("expected a list in brackets such as [one, two], found %s", Describe(n))
	}
	var list []string
	for i, item := range n.Content {
		item = Resolve(item)
		if IsNull(item) {
			return fmt.Errorf("entry %d is empty; put it in quotes or take it out", i+1)
		}
		var text string
		if err := DecodeText(item, &text); err != nil {
			return fmt.Errorf("entry %d: %w", i+1, err)
		}
		list = append(list, text)
	}
	*field = list
	return nil
}

// decodeVariables reads variables of the environment, whose names keep their spelling.
func decodeVariables(n *yaml.Node, field *map[string]string) error {
	if n.Kind != yaml.MappingNode {
		return fmt.Errorf("expected variables such as {NAME: value}, found %s", Describe(n))
	}
	for _, e := range Entries(n) {
		var text string
		if err := DecodeText(e.Value, &text); err != nil {
			return fmt.Errorf("%s: %w", Shorten(e.Key), err)
		}
		if *field == nil {
			*field = make(map[string]string)
		}
		(*field)[e.Key] = text
	}
	return nil
}

// VariableNode returns the text of a variable as a node for a field.
func VariableNode(text string, field any) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode, Value: text}
	switch field.(type) {
	case *string:
		n.Tag = "!!str"
	case *bool:
		if b, err := strconv.ParseBool(text); err == nil { // takes 1 and 0 too
			n.Value = strconv.FormatBool(b)
		}
	}
	return n
}
