package agent

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"vaultdispatcher/engine/agent/endings"
)

// What ended well and cannot be read is asked for its form once. Whatever comes of that is final, so nothing is paid three times,
// and all that was said is kept.
func TestAskForForm(t *testing.T) {
	formless := endings.End{Meaning: endings.Formless, Says: "printed what cannot be read"}
	form := `{"responses":[{"request":1,"answer":"red"},{"request":2,"answer":"blue"}]}`
	good, unread := Completion{Text: form, End: endings.Good}, Completion{Text: "Red, I think.", End: formless}
	prose := Completion{Text: "Blue, I think.", End: endings.Good}
	for name, c := range map[string]struct {
		back  []Completion
		want  string // how the failure begins; "" = there are answers
		tries int    // how often the whole may be asked
		cut   string
	}{
		"read at once":                      {[]Completion{good}, "", 1, ""},
		"no form, then one":                 {[]Completion{unread, good}, "", 1, ""},
		"prose, then the form":              {[]Completion{prose, good}, "", 1, ""},
		"no form twice":                     {[]Completion{unread, unread}, "claude printed what cannot be read", 1, "Red, I think.\n\nRed, I think."},
		"no form, then prose":               {[]Completion{unread, prose}, "the reply cannot be used: ", 1, "Red, I think.\n\nBlue, I think."},
		"prose, then no form":               {[]Completion{prose, unread}, "claude printed what cannot be read", 1, "Blue, I think.\n\nRed, I think."},
		"prose, then broken off":            {[]Completion{prose, {Text: "Re"}}, "claude broke its answer off", 1, "Blue, I think.\n\nRe"},
		"no form, then a limit of tokens":   {[]Completion{unread, {Text: "Re", End: endings.Tokens}}, "claude came to its limit of tokens", 1, "Red, I think.\n\nRe"},
		"no form, then a server that fails": {[]Completion{unread, {Refusal: &endings.Refusal{Status: 503}}}, "claude failed with status 503", 2, "Red, I think."},
		"broken off":                        {[]Completion{{Text: "Re"}}, "claude broke its answer off", 2, "Re"},
		"nothing that cannot be read":       {[]Completion{{End: formless}}, "claude printed what cannot be read", 2, ""},
	} {
		task := Task{Text: "the task", Requests: make([]Request, 2)}
		var asked []Task
		answers, _, err := Ask(task, 2, func(task Task) (Reply, error) {
			asked = append(asked, task)
			back := c.back[len(asked)-1]
			back.Speaker.Name = "claude"
			return Judge(back)
		})
		if len(asked) != len(c.back) || asked[0].Text != "the task" {
			t.Errorf("%s: %d calls, want %d", name, len(asked), len(c.back))
		}
		if len(asked) == 2 {
			if form := asked[1].Text; !strings.HasPrefix(form, "the task\n\n") || !strings.Contains(form, c.back[0].Text) || !strings.Contains(form, "Reply with one JSON object") {
				t.Errorf("%s: the form is asked for with %q", name, form)
			}
		}
		f, failed := errors.AsType[*Failure](err)
		switch {
		case c.want == "" && (err != nil || !slices.Equal(answers, []string{"red", "blue"})):
			t.Errorf("%s: %q, %v", name, answers, err)
		case c.want != "" && (!failed || !strings.HasPrefix(f.Reason, c.want) || f.Cut != c.cut || (f.Kind == Permanent) != (c.tries == 1) || f.Kind == Transient && f.Tries != c.tries):
			t.Errorf("%s: %+v", name, f)
		}
	}
}
