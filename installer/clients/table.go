package clients

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

var (
	ourTable  = regexp.MustCompile(`^\s*\[\s*mcp_servers\s*\.\s*["']?` + Entry + `["']?\s*(\.[^\]]*)?\]`)
	anyTable  = regexp.MustCompile(`^\s*\[`)
	tomlPlace = "mcp_servers"
)

// putTable puts our table behind what a file of TOML has.
func putTable(text []byte, command string, args []string) ([]byte, error) {
	next, err := dropTable(text)
	if err != nil {
		return nil, err
	}
	table := "[mcp_servers." + Entry + "]\ncommand = " + strconv.Quote(command) + "\nargs = ["
	for i, arg := range args {
		table += strings.Repeat(", ", min(i, 1)) + strconv.Quote(arg)
	}
	table += "]\n"
	if set := placesSet(); len(set) > 0 {
		table += "\n[mcp_servers." + Entry + ".env]\n"
		for _, name := range slices.Sorted(maps.Keys(set)) {
			table += name + " = " + strconv.Quote(set[name]) + "\n"
		}
	}
	if len(next) > 0 { // an empty line, or the end that the last line lacks
		table = "\n" + table
	}
	if bytes.Contains(next, []byte("\r\n")) {
		table = strings.ReplaceAll(table, "\n", "\r\n")
	}
	next = append(slices.Clip(next), table...)
	return next, isSameBut(text, next, "")
}

// dropTable takes this program's table out, with the tables in it and the text that putTable has put before it. It
// keeps the text behind the table's last value, such as the words above the next table.
func dropTable(text []byte) ([]byte, error) {
	var next, behind, last []byte // behind: empty lines and comments after a value of ours
	ours, found, glued := false, false, false
	for line := range bytes.Lines(text) {
		blank := len(bytes.TrimSpace(last)) == 0
		if isHeader := anyTable.Match(line); isHeader {
			if ours = ourTable.Match(line); ours && !found {
				found, glued = true, !blank
				if blank {
					next = next[:len(next)-len(last)]
				}
			}
		}
		last = line
		switch bare := bytes.TrimSpace(line); {
		case !ours:
			next, behind, glued = append(append(next, behind...), line...), nil, glued && !found
		case len(bare) == 0 || bare[0] == '#':
			behind = append(behind, line...)
		default:
			behind = nil
		}
	}
	if next = append(next, behind...); glued && len(behind) == 0 {
		next = bytes.TrimSuffix(bytes.TrimSuffix(next, []byte("\n")), []byte("\r"))
	}
	return next, isSameBut(text, next, "")
}

// readAll reads a file; without a key it is TOML.
func readAll(text []byte, key string) (all map[string]any, err error) {
	text = bytes.TrimPrefix(text, []byte("\uFEFF"))
	if key == "" {
		return all, toml.Unmarshal(text, &all)
	}
	return all, json.Unmarshal(text, &all)
}

// entryOf is the entry of our name, if there is one.
func entryOf(text []byte, key string) (entry any, there bool) {
	all, _ := readAll(text, key) // an unreadable file has no entry
	servers, _ := all[cmp.Or(key, tomlPlace)].(map[string]any)
	entry, there = servers[Entry]
	return entry, there
}

// isSameBut compares two files without our entry, and without the place of all entries where it
// is empty.
func isSameBut(before, after []byte, key string) error {
	read := func(text []byte) (map[string]any, error) {
		all, err := readAll(text, key)
		if servers, ok := all[cmp.Or(key, tomlPlace)].(map[string]any); ok {
			if delete(servers, Entry); len(servers) == 0 {
				delete(all, cmp.Or(key, tomlPlace))
			}
		}
		if len(all) == 0 {
			all = nil
		}
		return all, err
	}
	a, err := read(before)
	b, other := read(after)
	if err = cmp.Or(err, other); err == nil && !reflect.DeepEqual(a, b) {
		err = errors.New("more than our entry would change")
	}
	return err
}
