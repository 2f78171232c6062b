package rules

import (
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/untaken"
)

// Facts are what rules may ask about a question, its note and its vault. nil and zero say that a fact is not known, or that
// there is nothing of it.
type Facts struct {
	Time    time.Time // of the judgement
	Request bool      // a person asks for the question
	Vault   string    // its name
	Doc     note.Doc

	PerNote, Burst int // the limits of the configuration

	Unmet  bool // the earlier questions of the vault are not known yet
	Paused bool // the engine does not look at its saves

	Unanswered  func(m note.Marker) untaken.Row      // why no agent answers the role; no kind = one does
	Private     func(m note.Marker) string           // why its agent may not be told, a sentence with its mend
	NoNote      func() string                        // why the file is no note, a sentence with its mend
	ReadOnly    func() string                        // why no answer can be written, a sentence with its mend
	Template    func() Template                      // the template that the note is, or folder with templates that it is in
	Part        func(m note.Marker) Part             // the part of the note that is a template, if the question is in one
	Copy        func() Copy                          // the note that this one is a copy of by what it says
	Version     func() Version                       // the note that this one is a version of by its name
	Refused     func() string                        // why the vault is left alone
	Foreign     func() string                        // which machine answers it
	Alike       func(m note.Marker) string           // the note where the question was asked, if this one is almost a copy of it
	Overwritten func(m note.Marker) bool             // its answer was written over
	Unsettled   func(m note.Marker) bool             // its line may still be being typed
	SettleDue   time.Time                            // when the first unsettled one settles
	Stray       func(m note.Marker) bool             // it may belong to a note that is gone
	Origin      func(m note.Marker) journal.HoldKind // why it is held, if it came with its note; "" = it did not
	Bulk        func(m note.Marker) bool             // it came with many others
	Decision    func(m note.Marker) bool             // it says yes or no, by which a person decides about a proposal
}

// Template is a template, or a folder with templates, and the file of settings that names it.
type Template struct {
	Path, Setting string // "" = no template
	IsNote        bool
}

// Part is the line of a note by which a part of it is a template, and the sign in that line.
type Part struct {
	Line int // 0 = no part
	Sign string
}

// Copy is the note that another one is a copy of, and what is known of that.
type Copy struct {
	Original string // "" = no original
	Equals   bool   // both say the same now
	Missing  bool   // it is gone, and may have another name
	Linked   bool   // it is the same file
}

// Version is the note that another one is a second version of by its name, and the program that gives
// the name.
type Version struct {
	Original, Program string    // "" = no original
	Expiry            time.Time // when the original is believed to be gone; zero = it is there
}

// Each asks a fact once for each question.
func Each[T any](ask func(m note.Marker) T) func(m note.Marker) T {
	known := make(map[note.Span]T)
	return func(m note.Marker) T {
		if _, is := known[m.Span]; !is {
			known[m.Span] = ask(m)
		}
		return known[m.Span]
	}
}

// one returns a fact of the note, of that of a question; zero where it is not known.
func one[T any](fact func() T) (value T) {
	if fact != nil {
		value = fact()
	}
	return value
}

func of[T any](fact func(m note.Marker) T, m note.Marker) (value T) {
	if fact != nil {
		value = fact(m)
	}
	return value
}
