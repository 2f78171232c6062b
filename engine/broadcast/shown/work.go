package shown

import (
	"io"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/tame"
)

// Work is one thing that was made.
type Work struct {
	ID, Vault   string
	Note        string // its path in the vault
	Title, Kind string
	Begins      string   // the markdown below its title, at most 2 KiB
	Of          string   // the note it was made of first, or what the order named
	Asked       string   // the note it was asked for in; "" where that is not known
	Made        string   // the day
	By          string   // the agent that wrote it; "" = no model
	Sources     []string // notes that it quotes
	Left        []string // notes that it does not, with the reason
	Files       []string // endings of the files beside it, with their dots
}

// Has reports whether a work has a file of this ending beside it.
func (w Work) Has(ending string) bool { return slices.Contains(w.Files, ending) }

// head is the front matter of a work.
type head struct {
	Hash    string   `yaml:"wiki-hash"`
	Kind    string   `yaml:"wiki-kind"`
	Subject string   `yaml:"wiki-of"`
	Asked   string   `yaml:"wiki-asked"`
	Date    string   `yaml:"wiki-made"`
	Author  string   `yaml:"wiki-by"`
	Sources []string `yaml:"wiki-sources"`
	Omitted []string `yaml:"wiki-left-out"`
}

// readWork returns a work by its front matter and its first heading. isWork is false for a text that is no work, or
// whose sources cannot be read: they may be private now.
func readWork(text []byte) (w Work, isWork bool) {
	var h head
	lines := note.Properties(text[:min(len(text), mostHead)])
	if err := yaml.Unmarshal([]byte(strings.Join(lines, "\n")), &h); err != nil {
		return w, false
	}
	w = Work{Kind: strings.ReplaceAll(h.Kind, "-", " "), Of: h.Subject, Asked: h.Asked, Made: h.Date, By: h.Author, Sources: h.Sources, Left: h.Omitted}
	w.Begins = bodyOf(text)
	if _, below, ok := strings.Cut("\n"+w.Begins, "\n# "); ok {
		title, below, _ := strings.Cut(below, "\n")
		w.Title, w.Begins = strings.TrimSpace(title), below
	}
	if drawn, below, ok := strings.Cut(w.Begins, "\n```\n"); ok && strings.HasPrefix(strings.TrimSpace(drawn), "```") {
		w.Begins = below // a diagram as text says nothing
	}
	w.Begins = strings.ToValidUTF8(w.Begins[:min(len(w.Begins), mostBegins)], "")
	return w, note.IsOff(text[:min(len(text), mostHead)]) && h.Hash != "" && h.Kind != "" && len(h.Sources) > 0 && !slices.Contains(h.Sources, "")
}

// readNote reads a note of a folder; false says that it is no work, or not to be read.
func (r *Room) readNote(root Root, dir *os.Root, name string, names []string, most int64, cut bool) (w Work, text []byte, isWork bool) {
	text, err := readFile(dir, name, most, cut)
	if err != nil {
		return w, nil, false
	}
	w, isWork = readWork(text)
	if w.Title == "" {
		w.Title = strings.TrimSuffix(name, ".md")
	}
	w.place(root.Name, r.folder, name, names)
	return w, text, isWork
}

// bodyOf is the text behind the front matter.
func bodyOf(text []byte) string {
	all := strings.ReplaceAll(string(text), "\r\n", "\n")
	if _, body, ok := strings.Cut(strings.TrimPrefix(all, "---\n"), "\n---\n"); ok {
		return body
	}
	return ""
}

// place sets where a work is, and which files of names are beside it.
func (w *Work) place(vault, folder, name string, names []string) {
	w.Vault, w.Note = vault, path.Join(folder, name)
	w.ID = idOf(vault, w.Note)
	base := strings.TrimSuffix(name, ".md")
	for _, ending := range Endings {
		if slices.Contains(names, base+ending) {
			w.Files = append(w.Files, ending)
		}
	}
}

// FindNote returns the id of the work that a link in a vault names, by its path or by its name alone; "" = there is none.
func (r *Room) FindNote(roots []Root, vault, link string) string {
	for _, shelf := range r.List(roots) {
		for _, w := range shelf.Works {
			whole := strings.TrimSuffix(w.Note, ".md")
			if w.Vault == vault && (whole == strings.TrimSuffix(link, ".md") || path.Base(whole) == link) {
				return w.ID
			}
		}
	}
	return ""
}

// Opened is a work with its text, and the one of a file beside it that was asked for.
type Opened struct {
	Work
	Body   string
	Canvas []byte // of a map; nil = none
	Page   []byte // of slides; nil = none
	File   *File  // the file with the ending that was asked for; nil = none was
}

// Open returns a work; with an ending also the file beside it, which the caller closes.
func (r *Room) Open(roots []Root, id, ending string) (o Opened, err error) {
	type result struct {
		Opened
		error
	}
	isSilent := false
	for _, found := range lookAtAll(r, roots, func(root Root) result {
		o, err := r.openWork(root, id, ending)
		return result{o, err}
	}) {
		switch {
		case found == nil:
			isSilent = true // the work may be there
		case found.error == nil:
			return found.Opened, nil
		}
	}
	if isSilent {
		return o, ErrSilent
	}
	return o, ErrNone
}

// openWork looks for a work in one vault.
func (r *Room) openWork(root Root, id, ending string) (o Opened, err error) {
	dir, names, err := r.openFolder(root)
	if err != nil {
		return o, err
	}
	defer dir.Close()
	i := slices.IndexFunc(names, func(name string) bool {
		return path.Ext(name) == ".md" && idOf(root.Name, path.Join(r.folder, name)) == id
	})
	if i < 0 {
		return o, ErrNone
	}
	w, text, isWork := r.readNote(root, dir, names[i], names, mostText, false)
	if !isWork || r.isHidden(w) {
		return o, ErrNone
	}
	o = Opened{Work: w, Body: bodyOf(text)}
	base := strings.TrimSuffix(names[i], ".md")
	if w.Has(".canvas") && ending == "" {
		o.Canvas, _ = readFile(dir, base+".canvas", mostText, false)
	}
	if w.Has(".html") {
		page, _ := readFile(dir, base+".html", mostText, false)
		if isOurPage(page) {
			o.Page = page
		}
	}
	if ending != "" {
		if !w.Has(ending) {
			return o, ErrNone
		}
		f, info, err := openFile(dir, base+ending)
		if err != nil {
			return o, err
		}
		o.File = &File{Name: base + ending, Size: min(info.Size(), mostFile), Changed: info.ModTime(), file: f, room: r, root: root}
	}
	return o, nil
}

// File is read piece by piece, each as long as its reader waits.
type File struct {
	Name    string
	Size    int64
	Changed time.Time

	file   *os.File
	room   *Room
	root   Root
	offset int64
}

// piece is the most that is read at once.
const piece = 256 << 10

// Read implements [io.Reader].
func (f *File) Read(p []byte) (int, error) {
	if f.offset >= f.Size {
		return 0, io.EOF
	}
	buffer := make([]byte, min(int64(len(p)), f.Size-f.offset, piece)) // a read that hangs keeps its own
	type result struct {
		n   int
		err error
	}
	at := f.offset
	done := lookAtAll(f.room, []Root{f.root}, func(Root) result {
		n, err := f.file.ReadAt(buffer, at)
		return result{n, err}
	})[0]
	if done == nil {
		return 0, ErrSilent
	}
	f.offset += int64(done.n)
	if done.n > 0 {
		done.err = nil
	}
	return copy(p, buffer[:done.n]), done.err
}

// Seek implements [io.Seeker].
func (f *File) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += f.offset
	case io.SeekEnd:
		offset += f.Size
	}
	if offset < 0 {
		return f.offset, os.ErrInvalid
	}
	f.offset = offset
	return offset, nil
}

// Close closes the file, without waiting for its disk.
func (f *File) Close() { go f.file.Close() }

// HTML is the text of a work as part of a page whose title is above it. link is the address of the page of a note.
func (o Opened) HTML(link func(target string) string) string {
	return tame.HTML(o.Body, tame.Style{Top: 2, Titled: true, Link: link})
}
