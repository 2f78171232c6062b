package shelf

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"regexp"
	"strconv"
	"strings"

	"vaultdispatcher/engine/note"
)

// The front matter says what a work is, so that it can be made anew.
const (
	kindKey = "wiki-kind"
	ofKey   = "wiki-of"
	hashKey = "wiki-hash"
	fileKey = "wiki-file"
)

// write is a work as a file: front matter, whose hash is that of everything else, and body.
func (w Work) write(body, name string, old []byte) []byte {
	var head strings.Builder
	head.WriteString("---\nwiki: off\n")
	for _, line := range w.Head {
		head.WriteString(line + "\n")
	}
	fmt.Fprintf(&head, "%s: %s\n%s: %s\nwiki-made: %s\n", kindKey, w.Kind, ofKey, quote(w.Subject), quote(w.Date))
	writeList(&head, "wiki-sources", w.Used)
	writeList(&head, "wiki-left-out", w.Omitted)
	writeText(&head, "wiki-asked", w.Asked)
	writeText(&head, "wiki-by", w.Author)
	var sums []string
	for _, f := range w.Files {
		sums = append(sums, hashOf(f.Text)+" "+path.Base(name)+f.Ext)
	}
	for _, ext := range w.Pending {
		if sum := fileSum(old, path.Base(name)+ext); sum != "" {
			sums = append(sums, sum+" "+path.Base(name)+ext)
		}
	}
	writeList(&head, fileKey, sums)
	text := head.String() + "---\n\n" + strings.TrimSpace(body) + "\n"
	line := hashKey + ": " + hashOf(withoutSchedules([]byte(text))) + "\n"
	return []byte(head.String() + line + text[head.Len():])
}

func writeText(b *strings.Builder, key, text string) {
	if text != "" {
		b.WriteString(key + ": " + quote(text) + "\n")
	}
}

func writeList(b *strings.Builder, key string, list []string) {
	if len(list) == 0 {
		return
	}
	b.WriteString(key + ":\n")
	for _, v := range list {
		b.WriteString("  - " + quote(v) + "\n")
	}
}

// quote is a text in quotes as YAML and JSON have them.
func quote(text string) string {
	return strconv.QuoteToGraphic(strings.ToValidUTF8(strings.Join(strings.Fields(text), " "), "�"))
}

func hashOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:12])
}

// isOurs reports whether a file is an unchanged work of this kind and of the same sources.
func isOurs(text []byte, kind, of string) bool {
	text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	is, sum := make(map[string]bool), ""
	var rest []byte
	for _, line := range note.Properties(text) {
		is[line] = true
		if value, ok := strings.CutPrefix(line, hashKey+": "); ok && sum == "" {
			sum = value
			rest = bytes.Replace(text, []byte(line+"\n"), nil, 1)
		}
	}
	return sum != "" && is[kindKey+": "+kind] && is[ofKey+": "+quote(of)] && hashOf(withoutSchedules(rest)) == sum
}

// fileSum is the hash that a work has of a file beside it, "" for none.
func fileSum(text []byte, base string) string {
	for _, line := range note.Properties(text) {
		if sum, name, ok := strings.Cut(unquote(line), " "); ok && name == base && len(sum) == 24 {
			return sum
		}
	}
	return ""
}

// unquote returns the text of an entry of a list, or "".
func unquote(line string) string {
	value, _ := strconv.Unquote(strings.TrimPrefix(strings.TrimSpace(line), "- "))
	return value
}

// valueOf is the value that a work has for a key, "" for none.
func valueOf(text []byte, key string) string {
	for _, line := range note.Properties(text) {
		if value, ok := strings.CutPrefix(line, key+": "); ok {
			return value
		}
	}
	return ""
}

// schedule is when a card is asked again, as the plugin Spaced Repetition writes it below the card
// or behind it (https://github.com/st3v3nmw/obsidian-spaced-repetition).
var schedule = regexp.MustCompile(`[ \t]*\n?<!--SR:[!0-9A-Z,.:+-]*-->`)

func withoutSchedules(text []byte) []byte {
	return bytes.TrimRight(schedule.ReplaceAll(text, nil), "\n")
}

// keepSchedules puts the schedules of an old work below the same cards of a new text. A card is
// known by its first line; where a schedule has no card any more, the old work is not replaced.
func keepSchedules(old []byte, text string) (string, error) {
	if !bytes.Contains(old, []byte("<!--SR:")) {
		return text, nil
	}
	kept := make(map[string]string)
	for _, block := range strings.Split(strings.ReplaceAll(string(old), "\r\n", "\n"), "\n\n") {
		if s := schedule.FindString(block); s != "" {
			first, _, _ := strings.Cut(strings.TrimSpace(block), "\n")
			kept[withoutSchedule(first)] = strings.TrimSpace(s)
		}
	}
	blocks := strings.Split(strings.TrimSpace(text), "\n\n")
	for i, block := range blocks {
		first, _, _ := strings.Cut(block, "\n")
		if s := kept[first]; s != "" {
			blocks[i] = block + "\n" + s
			delete(kept, first)
		}
	}
	if len(kept) > 0 {
		return "", errTaken
	}
	return strings.Join(blocks, "\n\n") + "\n", nil
}

func withoutSchedule(line string) string { return schedule.ReplaceAllString(line, "") }
