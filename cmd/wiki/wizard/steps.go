package wizard

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"charm.land/huh/v2"
	"charm.land/lipgloss/v2"
	"golang.org/x/term"
)

// The steps of the form. Questions about one thing are one step.
const (
	stepPort    = "port"
	stepNotes   = "notes"
	stepAnswers = "answers"
	stepSearch  = "search"
	stepStart   = "start"
	stepWrite   = "write"
)

// findSteps finds the steps that the command line and this machine leave open.
func (w *wizard) findSteps() {
	w.steps = []string{stepNotes, stepAnswers, stepSearch, stepStart, stepWrite}
	if w.refusal != nil {
		w.steps = slices.Insert(w.steps, 0, stepPort)
	}
	w.steps = slices.DeleteFunc(w.steps, func(step string) bool {
		return step == stepAnswers && w.baseline.Choice.Agent != "" || step == stepSearch && w.meaningSaid()
	})
}

// title is a question with the number of its step. One that follows others of its step has none, so that no two pages are
// "4 of 5".
func (w *wizard) title(step, question string, follows bool) string {
	if follows {
		return question
	}
	return fmt.Sprintf("%d of %d: %s", slices.Index(w.steps, step)+1, len(w.steps), question)
}

// welcome says what will be asked, before the first question.
func (w *wizard) welcome() string {
	return fmt.Sprintf("Questions in your notes are answered where they stand.\n"+
		"Setup has %d steps and changes nothing before the last.\nCtrl-C leaves.\n\n", len(w.steps))
}

func (w *wizard) portTitle() string {
	if w.refusal == nil {
		return ""
	}
	return fmt.Sprintf("Use port %d?", w.refusal.Port)
}

func (w *wizard) portRefusal() string {
	if w.refusal == nil {
		return ""
	}
	return quoted(w.refusal.Error())
}

// folderTitle asks for the first folder, or for one that is not in the list.
func (w *wizard) folderTitle() string {
	if len(w.folders) == 0 {
		return "Which folder holds your notes, such as ~/Notes?"
	}
	return "Another folder of notes? (empty for none)"
}

// frame is what the form draws beside the text of a line, and below the options.
const frame = 4

// selectField is a question with one answer of several. The height is said because the
// library leaves no room for the options where there is much to read above them. Where
// the terminal is too low for all options, the text says that there are more.
func (w *wizard) selectField(title, about string, value *string, options ...huh.Option[string]) huh.Field {
	if len(options) == 1 && w.options.Plain { // there is nothing to choose: the line is read and not asked
		return huh.NewNote().Title(title).Description(strings.TrimPrefix(about+"\n"+options[0].Key, "\n"))
	}
	width, rows := w.size()
	above := countRows(title, width) + countRows(about, width)
	needed := above
	for _, o := range options {
		needed += countRows(o.Key, width)
	}
	if needed > rows-frame {
		more := fmt.Sprintf("%d choices; the arrow keys show those that do not fit here.", len(options))
		about = strings.TrimPrefix(about+"\n"+more, "\n")
		needed = max(rows-frame, above+countRows(more, width)+3)
	}
	return huh.NewSelect[string]().Title(title).Description(about).Options(options...).Height(needed + 1).Value(value)
}

// countRows is how many rows a text takes on a terminal.
func countRows(text string, width int) (rows int) {
	if text == "" {
		return 0
	}
	for line := range strings.Lines(text) {
		rows += max(1, (lipgloss.Width(line)+frame+width-1)/width)
	}
	return rows
}

// size is that of the terminal; without one there is room for everything.
func (w *wizard) size() (columns, rows int) {
	if w.options.Plain {
		return sizeOf(nil)
	}
	return sizeOf(w.output)
}

func sizeOf(out io.Writer) (columns, rows int) {
	if f, ok := out.(*os.File); ok {
		if columns, rows, err := term.GetSize(int(f.Fd())); err == nil && columns > 0 && rows > 0 {
			return columns, rows
		}
	}
	return 1 << 10, 1 << 10
}

// Wrap breaks the lines of a text between words, so that they fit on the terminal behind so many columns.
func Wrap(out io.Writer, text string, indent int) string {
	columns, _ := sizeOf(out)
	return wrap(text, columns-indent)
}

func wrap(text string, columns int) string { return lipgloss.Wrap(text, max(20, columns), "") }
