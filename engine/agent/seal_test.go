package agent

import (
	_ "embed"
	"errors"
	"strings"
	"testing"

	"vaultdispatcher/engine/agent/endings"
)

// answers are good answers of one line to a question of a person's.
//
//go:embed testdata/answers.txt
var answers string

//go:embed endings/testdata/everyday.txt
var everyday string

// A sealed answer is written, whatever it says.
func TestSealedAnswersAreWritten(t *testing.T) {
	if a, b := NewSeal(Task{}), NewSeal(Task{}); a == b || len(a) != 8 || NewSeal(Task{Requests: make([]Request, 2)})+NewSeal(Task{Schema: "{}"}) != "" {
		t.Errorf("%q, %q", a, b)
	}
	list := strings.Split(strings.TrimSpace(answers+everyday), "\n")
	if len(list) < 400 {
		t.Fatalf("%d answers", len(list))
	}
	for _, answer := range list {
		for _, program := range []string{"claude", "goose", endings.AnyAgent} {
			seal := NewSeal(Task{})
			c := Completion{Program: program, Seal: seal, Text: "BEGIN" + string(seal) + "\n" + answer + "\nEND" + string(seal) + "\n", End: endings.Good}
			if reply, err := Judge(c); err != nil || strings.TrimSpace(reply.Text) != answer {
				t.Errorf("%q of %s: %q, %v", answer, program, reply.Text, err)
			}
		}
	}
}

// Without a seal that was asked for, what may be a program's is asked for once more, and then refused as what it says. All other text is written.
func TestUnsealed(t *testing.T) {
	for text, want := range map[string]string{
		"Frobnication of the flux service did not succeed (E77)":  "x printed what may be no answer: Frobnication of the flux service",
		"Ratelimit exceeded. Please wait a moment.":               "x is at its rate limit: Ratelimit exceeded.",
		"You have hit your rate limit.":                           "x is at its rate limit: You have hit your rate limit",
		"Not logged in":                                           "x is not logged in; log in: Not logged in",
		"Do you trust the files in this folder? (y/n)":            "x printed what may be no answer: Do you trust",
		"The plan has three steps.\n\nFirst, we re\n\nError: 502": "x failed: Error: 502",
		"TextPart(text='Yes.\nENDABCDEFGH')":                      "x printed what may be no answer: TextPart",
		"On Friday, at nine.":                                     "",
		strings.Repeat("The error is old. ", 200):                 "",
	} {
		runs := 0
		got, _, err := Ask(Task{Requests: make([]Request, 1)}, 1, func(Task) (Reply, error) {
			runs++
			return Judge(Completion{Seal: "ABCDEFGH", Program: endings.AnyAgent, Text: text, End: endings.Good, Speaker: Speaker{Name: "x", LogIn: "log in"}})
		})
		f, _ := errors.AsType[*Failure](err)
		if want == "" && (err != nil || runs != 1 || strings.TrimSpace(got[0]) != strings.TrimSpace(text)) ||
			want != "" && (f == nil || runs != 2 || !strings.HasPrefix(err.Error(), want) || !strings.Contains(f.Cut, text)) {
			t.Errorf("%q: %q after %d runs, %v (%+v)", text, got, runs, err, f)
		}
	}
}
