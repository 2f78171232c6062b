package server

import (
	"bytes"
	"encoding/json"
	"net/url"
	"runtime"
	"slices"
	"strings"
	"unicode/utf8"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/lazyregexp"

	"golang.org/x/text/encoding/charmap"
)

// reading is one way to understand the body of a scan: the path it may name,
// and the form of body in which it was found, for the log.
type reading struct {
	path   string
	form   string
	strict bool // the body says exactly this; no guess
}

// listReadings lists what the body of a scan may mean, without looking at any file.
// A strict reading comes first and beats the others; those undo what shells do
// to a path on its way through a command line. Which of them is meant is decided
// by the notes that exist.
//
// With lax, forms and plain paths are read too: bodies a web page can send
// without asking first, so they are for clients without an Origin only.
func listReadings(body []byte, contentType string, lax bool) []reading {
	body = bytes.TrimSpace(bytes.TrimPrefix(body, []byte("\xef\xbb\xbf")))
	text, form := decodeText(string(body))
	if len(body) == 0 {
		return nil
	}
	var all []reading
	switch {
	case body[0] == '{':
		all = jsonReadings(text)
	case !lax:
	case contentType == "application/x-www-form-urlencoded" || strings.HasPrefix(text, "file="):
		all = formReadings(text)
	}
	if len(all) == 0 && lax && looksLikePath(text) {
		all = guessPaths(text, "text")
		all[0].strict = true
		if unquoted, ok := unquote(text); ok {
			all = append(all, guessPaths(unquoted, "text")...)
		}
	}
	for i := range all {
		all[i].form += form
		if decoded, again := decodeText(all[i].path); again != "" { // percent-encoded CP1252
			all[i].path, all[i].form, all[i].strict = decoded, all[i].form+again, false
		}
	}
	return distinctReadings(all)
}

// looksLikePath keeps other texts from being taken for the path of a note.
func looksLikePath(text string) bool {
	return text[0] != '{' && !strings.HasPrefix(text, "file=") &&
		(strings.ContainsAny(text, `/\`) || api.HasNoteExtension(strings.Trim(text, `"'`)))
}

// decodeText reads bytes that are not UTF-8 as CP1252, the code page in which
// Windows shells hand them over.
func decodeText(text string) (string, string) {
	if utf8.ValidString(text) {
		return text, ""
	}
	decoded, err := charmap.Windows1252.NewDecoder().String(text)
	if err != nil {
		return text, ""
	}
	return decoded, ", CP1252"
}

// jsonReadings reads an object with the key file, as JSON and as what is left of
// it after a shell.
func jsonReadings(text string) []reading {
	if json.Valid([]byte(text)) {
		file, raw, ok := strictJSON(text)
		if !ok {
			return nil // JSON that says something else; nothing to guess
		}
		return append([]reading{{file, "JSON", true}}, guessPaths(raw, "unescaped JSON")...)
	}
	var all []reading
	for _, raw := range rawValues(text) {
		all = append(all, guessPaths(raw, "broken JSON")...)
	}
	return all
}

// strictJSON returns the value of the top-level key "file" of a valid object,
// as it is meant and as it is written. The key counts in exactly this case and
// only once; half a surrogate pair is no letter of a path.
func strictJSON(text string) (file, raw string, ok bool) {
	dec := json.NewDecoder(strings.NewReader(text))
	if open, err := dec.Token(); err != nil || open != json.Delim('{') {
		return "", "", false
	}
	seen := 0
	for dec.More() {
		key, _ := dec.Token()
		var value json.RawMessage
		if dec.Decode(&value) != nil {
			return "", "", false
		}
		if key != "file" {
			continue
		}
		if seen++; value[0] != '"' || json.Unmarshal(value, &file) != nil {
			return "", "", false
		}
		raw = string(value[1 : len(value)-1])
	}
	halved := strings.Contains(file, "\ufffd") && !strings.Contains(raw, "\ufffd") && !strings.Contains(strings.ToLower(raw), `\ufffd`)
	return file, raw, seen == 1 && !halved
}

var fileKey = lazyregexp.New(`[{,]\s*\\?["']?file\\?["']?\s*:\s*`)

// valueEnd is where a string's end may be: at a quote before the next key or
// before the object's end.
var valueEnd = lazyregexp.New(`\\?["']\s*(?:,\s*\\?["']|\}\s*$)`)

// rawValues returns the text of the value of "file" as it is in the body.
// There are two where a quote in the name could be the end as well.
func rawValues(text string) []string {
	at := fileKey().FindStringIndex(text)
	if at == nil {
		return nil
	}
	rest := text[at[1]:]
	quoted := strings.TrimPrefix(rest, `\`)
	if quoted == "" || quoted[0] != '"' && quoted[0] != '\'' {
		return []string{strings.TrimSpace(strings.TrimSuffix(rest, "}"))}
	}
	quoted = quoted[1:]
	ends := valueEnd().FindAllStringIndex(quoted, -1)
	if ends == nil {
		return nil
	}
	first, last := quoted[:ends[0][0]], quoted[:ends[len(ends)-1][0]]
	if first == last {
		return []string{first}
	}
	return []string{first, last}
}

// formReadings reads file=..., encoded as forms are or not at all.
func formReadings(text string) []reading {
	var all []reading
	values, err := url.ParseQuery(text)
	if err == nil && len(values["file"]) > 1 {
		return nil
	}
	if err == nil && values.Get("file") != "" {
		all = append(all, reading{values.Get("file"), "form", true})
	}
	raw, ok := strings.CutPrefix(text, "file=")
	if !ok {
		return all
	}
	if plain, err := url.PathUnescape(raw); err == nil {
		all = append(all, guessPaths(plain, "form, plus signs kept")...)
	}
	all = append(all, guessPaths(raw, "form, not encoded")...)
	if unquoted, ok := unquote(raw); ok {
		all = append(all, guessPaths(unquoted, "form, quoted")...)
	}
	return all
}

// guessPaths undoes, one at a time, what shells and programs do to a path.
func guessPaths(raw, form string) []reading {
	all := []reading{
		{path: raw, form: form},
		{path: strings.ReplaceAll(raw, `\\`, `\`), form: form + ", doubled backslashes"},
		{path: removeEscapes(raw, '`'), form: form + ", PowerShell backticks"},
	}
	if runtime.GOOS != "windows" {
		all = append(all, reading{path: removeEscapes(raw, '\\'), form: form + ", backslash-escaped"})
	}
	return all
}

// removeEscapes removes the escape character before every other one.
func removeEscapes(text string, escape byte) string {
	if strings.IndexByte(text, escape) < 0 {
		return text
	}
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		if text[i] == escape && i+1 < len(text) {
			i++
		}
		out = append(out, text[i])
	}
	return string(out)
}

func unquote(text string) (string, bool) {
	if n := len(text); n >= 2 && text[0] == text[n-1] && (text[0] == '"' || text[0] == '\'') {
		return text[1 : n-1], true
	}
	return "", false
}

// distinctReadings keeps the first of the readings that name the same path.
func distinctReadings(all []reading) []reading {
	seen := make(map[string]bool, len(all))
	return slices.DeleteFunc(all, func(r reading) bool {
		again := seen[r.path]
		seen[r.path] = true
		return again
	})
}
