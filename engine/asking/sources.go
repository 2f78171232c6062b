package asking

import (
	"path"
	"slices"
	"strings"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/lazyregexp"
	"vaultdispatcher/engine/note/filename"
)

// links are the two forms of a link: target and heading of [[Note#Heading|label]], and of
// [label](Note.md#Heading).
var links = lazyregexp.New(`\[\[([^\[\]|#\n]*)#?([^\[\]|\n]*)(?:\|[^\[\]\n]*)?\]\]|\]\(<?([^()<>#\n]*)#?([^()<>\n]*)>?\)`)

// shortest is how many characters a note's name must have to be found in an answer that does not
// link to it: shorter ones are words of any sentence.
const shortest = 4

// Sources returns which of the notes that an agent was handed, or quotes, its answer names: by a link,
// in the order of the answer, and then those that it names without one.
func Sources(answer string, notes []string) []api.Source {
	found := []api.Source{}
	linked := make(map[string]bool)
	for _, m := range links().FindAllStringSubmatch(answer, -1) {
		target, heading := m[1]+m[3], m[2]+m[4]
		if m[3] != "" {
			target, heading = filename.Unescape(target), filename.Unescape(heading)
		}
		file := resolveLink(target, notes)
		if file == "" {
			continue
		}
		s := api.Source{File: file, Heading: strings.Join(strings.Split(strings.Trim(heading, "# "), "#"), " › ")}
		if !slices.Contains(found, s) {
			found, linked[file] = append(found, s), true
		}
	}
	folded := strings.ToLower(answer)
	for _, file := range notes {
		name := strings.ToLower(filename.TrimExtension(path.Base(file)))
		if !linked[file] && len([]rune(name)) >= shortest && strings.Contains(folded, name) {
			found = append(found, api.Source{File: file})
		}
	}
	return found
}

// resolveLink returns the one of notes that a link means, by its path or by its name, or "".
func resolveLink(target string, notes []string) string {
	wanted := strings.ToLower(filename.TrimExtension(strings.Trim(strings.TrimSpace(target), "/")))
	if wanted == "" {
		return ""
	}
	for _, by := range []func(string) string{func(s string) string { return s }, path.Base} {
		for _, file := range notes {
			if strings.ToLower(filename.TrimExtension(by(file))) == by(wanted) {
				return file
			}
		}
	}
	return ""
}
