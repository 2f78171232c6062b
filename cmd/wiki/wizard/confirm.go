package wizard

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/huh/v2"
)

// confirm is a question with the answers Yes and No. What is to be read before is made when the question is shown, and
// the form gets the height for it then: the library fixes the height before it knows such texts
// (https://github.com/charmbracelet/huh/blob/v2.0.0/form.go, Update).
type confirm struct {
	*huh.Confirm
	w       *wizard
	title   string
	preface func() string
	isBack  bool // it returns to the question before, which no answer forbids
}

// confirmField is such a question. Where refusal is not empty, No is refused with it.
func (w *wizard) confirmField(title string, about func() string, value *bool, refusal string) *confirm {
	c := &confirm{Confirm: huh.NewConfirm().Title(title).Value(value), w: w, title: title, preface: about}
	c.Validate(func(yes bool) error {
		if yes || c.isBack || refusal == "" {
			return nil
		}
		return errors.New(refusal)
	})
	return c
}

// ask is a question with the answers Yes and No.
func (w *wizard) ask(title string, about func() string, value *bool, skip func() bool) question {
	return question{field: w.confirmField(title, about, value, ""), skip: skip, preface: about}
}

// nameAnother is what to do instead of watching a folder that may not have been meant.
const nameAnother = "then name another folder"

// askIfSure asks about folders that may not have been meant. Where the answer is No nothing else is asked but which folder is.
func (w *wizard) askIfSure(skip func() bool) question {
	return question{field: w.confirmField("Watch it anyway?", w.doubtLines, &w.Sure, nameAnother+": shift+tab"), skip: skip, preface: w.doubtLines, retreat: 2}
}

func say(text string) func() string { return func() string { return text } }

// Focus implements huh.Field.
func (c *confirm) Focus() tea.Cmd {
	c.Description(c.w.fitText(c.title, c.preface()))
	return tea.Batch(c.Confirm.Focus(), tea.RequestWindowSize)
}

// Update implements huh.Field.
func (c *confirm) Update(msg tea.Msg) (huh.Model, tea.Cmd) {
	switch msg {
	case huh.PrevField():
		c.isBack = true
	case huh.NextField():
		c.isBack = false
	}
	_, cmd := c.Confirm.Update(msg)
	return c, cmd
}

// fitText is a text without what does not fit on the terminal between its title and the buttons; then its last line says how
// much that is.
func (w *wizard) fitText(title, text string) string {
	width, rows := w.size()
	room := max(1, rows-frame-1-countRows(title, width))
	if countRows(text, width) <= room {
		return text
	}
	lines := strings.Split(text, "\n")
	shown := lines
	for len(shown) > 0 && countRows(strings.Join(shown, "\n"), width)+1 > room {
		shown = shown[:len(shown)-1]
	}
	return strings.Join(append(slices.Clone(shown), fmt.Sprintf("and %d more that do not fit here", len(lines)-len(shown))), "\n")
}
