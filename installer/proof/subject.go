package proof

import (
	"cmp"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/config/glob"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/filename"
	"vaultdispatcher/engine/note/origin"
	"vaultdispatcher/engine/notes"
	"vaultdispatcher/engine/patience"
	"vaultdispatcher/engine/recall/terms"
	"vaultdispatcher/engine/sharing"
)

// subject is what a proof asks about: the name of a note, or one of its headings, and a paragraph of it.
type subject struct{ rel, title, text string }

// question asks about the subject.
func (s subject) question() string { return "what do my notes say about " + s.title + "?" }

// copyTo writes the subject as a note into a folder that it makes, and nothing else of its note.
func (s subject) copyTo(vault string) error {
	file := filepath.Join(vault, filepath.FromSlash(s.rel))
	if s.rel == "" {
		return os.Mkdir(vault, 0o700)
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	return os.WriteFile(file, []byte("# "+s.title+"\n\n"+s.text+"\n"), 0o600)
}

// fitness says how well a paragraph serves as an answer that is seen first: it is about what the name says, and short.
func (s subject) fitness() (n int) {
	if terms.Parse(s.title).Mask(s.text) != 0 {
		n++
	}
	if countLines(s.text) <= proofLines {
		n++
	}
	return n
}

// countLines is how many lines of eighty columns a text has, as prose: without the marks of a quote and the link below it.
func countLines(text string) (n int) {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(strings.TrimLeft(line, "> ")); line != "" && !strings.HasPrefix(line, "— ") {
			n += (utf8.RuneCountInString(line) + 79) / 80
		}
	}
	return n
}

// How far a subject is looked for: in so many of the newest notes, in so much of each, and how many
// are offered.
const (
	mostNotes    = 200
	mostBytes    = 64 << 10
	mostSubjects = 3
	proofLines   = 5 // of an answer that is seen first, where there is one so short
)

// findSubjects returns the parts of a vault that a proof may ask about, of the newest notes first, or else why it
// found none (api.NoNotes and so on). It leaves out notes that are private, excluded, from elsewhere or switched off,
// and text in or below an answer.
func findSubjects(cfg config.Config, vault string) (found []subject, missing string) {
	type result struct {
		subjects []subject
		missing  string
	}
	got, responds := patience.Await(func() (r result) {
		rels, missing := newestNotes(cfg, vault)
		r.missing = missing
		for _, rel := range rels {
			src, err := readStart(filepath.Join(vault, filepath.FromSlash(rel)))
			if err != nil || origin.IsClipped(note.NewPage(src)) || note.IsOff(src) {
				continue
			}
			r.missing = api.NoSubject
			if s, ok := readSubject(rel, string(src)); ok {
				r.subjects = append(r.subjects, s)
			}
		}
		slices.SortStableFunc(r.subjects, func(a, b subject) int { return cmp.Compare(b.fitness(), a.fitness()) })
		r.subjects = r.subjects[:min(len(r.subjects), mostSubjects)]
		return r
	})
	switch {
	case !responds:
		return nil, api.NoResponse
	case len(got.subjects) > 0:
		return got.subjects, ""
	}
	return nil, got.missing
}

// newestNotes returns the notes whose text any agent may read, the newest first, and what is missing if none of them
// can be read.
func newestNotes(cfg config.Config, vault string) (rels []string, missing string) {
	type aged struct {
		rel  string
		time time.Time
	}
	var all []aged
	rules := sharing.NewRules(cfg, func(string) bool { return true })
	hidden := slices.Concat(cfg.Exclude, cfg.Untrusted, cfg.Index.Exclude)
	missing = api.NoNotes
	_ = notes.Walk(vault, nil, func(rel string, info fs.FileInfo) {
		missing = api.NoPublic
		if !glob.Match(hidden, rel) && !rules.IsPrivate(rel) {
			all = append(all, aged{rel, info.ModTime()})
		}
	})
	slices.SortStableFunc(all, func(a, b aged) int { return b.time.Compare(a.time) })
	for _, n := range all[:min(len(all), mostNotes)] {
		rels = append(rels, n.rel)
	}
	return rels, missing
}

func readStart(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, mostBytes))
}

// readSubject finds the first paragraph, below a heading that says more than the note's name does.
func readSubject(rel, text string) (subject, bool) {
	name, _ := headingOf("# " + filename.TrimExtension(path.Base(rel)))
	title, code := name, false
	text, _, _ = strings.Cut(text, "<!-- agent-response")
	lines := strings.Split(note.UnifyLineEnds(text), "\n")
	for i, line := range lines {
		line = strings.TrimRight(line, " \t")
		if strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~") || strings.HasPrefix(line, "---") {
			code = !code && line[0] != '-'
		}
		line = strings.TrimPrefix(line, "- ")
		switch plain, isHeading := headingOf(line); {
		case code || line == "":
		case isHeading && (name == "" || len(terms.SearchWords(plain)) > 1):
			title = plain
		case isHeading:
			title = name
		case title != "" && isProse(line) && len(line) >= 40:
			for _, next := range lines[i+1:] {
				if !isProse(next) {
					break
				}
				line += "\n" + next
			}
			return subject{rel, title, line}, true
		}
	}
	return subject{}, false
}

// headingOf returns the text of a heading, if it names something in plain words.
func headingOf(line string) (title string, isHeading bool) {
	title = strings.TrimLeft(line, "#")
	if level := len(line) - len(title); level == 0 || level > 6 || !strings.HasPrefix(title, " ") {
		return "", false
	}
	title = strings.TrimSpace(strings.TrimRight(title, "#"))
	odd := strings.ContainsFunc(title, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && !strings.ContainsRune(" ,'’&-", r)
	})
	if n := utf8.RuneCountInString(title); odd || n > 60 || !strings.ContainsFunc(title, unicode.IsLetter) || len(terms.SearchWords(title)) == 0 {
		return "", true
	}
	return title, true
}

// isProse reports whether a line is one of a paragraph and nothing else.
func isProse(line string) bool {
	first, _ := utf8.DecodeRuneInString(line)
	return unicode.IsLetter(first) && utf8.ValidString(line) && !strings.Contains(line, "::") && !strings.ContainsAny(line, "@<>|`$%{}")
}
