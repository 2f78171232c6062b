package asking

import (
	"maps"
	"path"
	"slices"
	"strings"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/lazyregexp"
	"vaultdispatcher/engine/note/filename"
	"vaultdispatcher/engine/note/wikilink"
)

// inlineLink is the target of [label](Note.md#Heading).
var inlineLink = lazyregexp.New(`\]\(<?([^()<>\n]*)>?\)`)

// shortest is how many characters a note's name must have to be found in an answer that does not
// link to it: shorter ones are words of any sentence.
const shortest = 4

// Sources returns which of the notes that an agent was handed, or quotes, its answer names: by a link,
// in the order of the answer, and then those that it names without one.
func Sources(answer string, notes []string) []api.Source {
	found := []api.Source{}
	linked := make(map[string]bool)
	for _, s := range findLinks(answer) {
		file := resolveLink(s.File, notes)
		if file == "" {
			continue
		}
		s = api.Source{File: file, Heading: strings.ReplaceAll(strings.Trim(s.Heading, "# "), "#", " › ")}
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

// findLinks returns where the links of an answer lead, as they name it, in their order: those in double brackets and the others.
func findLinks(answer string) []api.Source {
	links := make(map[int]api.Source)
	for l, ok := wikilink.Next(answer, 0); ok; l, ok = wikilink.Next(answer, l.End) {
		file, heading, _ := strings.Cut(l.To, "#")
		links[l.Start] = api.Source{File: file, Heading: heading}
	}
	for _, m := range inlineLink().FindAllStringSubmatchIndex(answer, -1) {
		file, heading, _ := strings.Cut(answer[m[2]:m[3]], "#")
		links[m[0]] = api.Source{File: filename.Unescape(file), Heading: filename.Unescape(heading)}
	}
	var list []api.Source
	for _, at := range slices.Sorted(maps.Keys(links)) {
		list = append(list, links[at])
	}
	return list
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
