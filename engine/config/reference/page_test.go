package reference

import (
	"fmt"
	"strings"
)

// pageOfKeys returns the page of all keys, assets/docs/configuration-keys.md.
func pageOfKeys() string {
	var b strings.Builder
	b.WriteString("<!-- Made by go test ./engine/config/reference -update; do not edit. -->\n# Every key of the configuration\n\n" +
		"Where the file is and how it is changed: [Configuration](configuration.md). An example is what\n" +
		"`wiki config set KEY VALUE` takes and `wiki config get KEY` prints; put it in quotes for your shell.\n" + variableRule + "\n")
	rows := make(map[string]string)
	var blocks []string
	for _, k := range Keys() {
		block := blockOf(k.Key)
		if rows[block] == "" {
			blocks = append(blocks, block)
		}
		rows[block] += fmt.Sprintf("| `%s` | %s | %s | %s | %s | %s |\n", k.Key, k.Text, k.Type, shownDefault(k), code(k.Example), k.FirstVersion)
	}
	for _, block := range blocks {
		fmt.Fprintf(&b, "\n## %s\n\n| key | what it is | type | default | example | since |\n|---|---|---|---|---|---|\n%s", block, rows[block])
	}
	return b.String()
}

// blockOf names the part of the page that a key stands in.
func blockOf(key string) string {
	parts := strings.Split(key, ".")
	switch {
	case strings.HasPrefix(key, agentsKey):
		return "Agents"
	case len(parts) == 2:
		return "General"
	}
	return strings.ToUpper(parts[1][:1]) + parts[1][1:]
}

// shownDefault returns the default of a key: a value as code, or words.
func shownDefault(k Key) string {
	if unset := texts[k.Key].unset; unset != "" || k.Default == "" {
		return unset
	}
	return code(k.Default)
}

// code is a value in a cell of a table.
func code(value string) string { return "`" + strings.ReplaceAll(value, "|", `\|`) + "`" }
