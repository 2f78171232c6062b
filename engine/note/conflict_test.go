package note

import (
	"strings"
	"testing"
)

// A conflict of git's or Jujutsu's is one wherever it is not code.
func TestConflict(t *testing.T) {
	const ask = "\n> @agent-Miner q\n"
	const whole = "<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> side\n"
	for src, want := range map[string]int{
		"text\n" + whole + ask: 2,
		whole + ask:            1,
		ask + whole:            3,
		"<<<<<<< HEAD\n> @agent-Miner a\n||||||| base\n> @agent-Miner b\n=======\n> @agent-Miner c\n>>>>>>> 0a1b2c3 (a subject)":                                   1,
		"<<<<<<< Updated upstream\n=======\n>>>>>>> Stashed changes" + ask:                                                                                         1,
		"<<<<<<<\na\n=======\nb\n>>>>>>>" + ask:                                                                                                                    1,
		"---\n<<<<<<< HEAD\ntags: [a]\n=======\ntags: [b]\n>>>>>>> side\n---" + ask:                                                                                2,
		"- item\n" + whole + "- item" + ask:                                                                                                                        2,
		"<!-- agent-response -->\n" + whole + "<!-- /agent-response -->" + ask:                                                                                     2,
		"<<<<<<< HEAD\n```\ncode\n=======\n```sh\nmore\n>>>>>>> side\n```" + ask:                                                                                   1, // one side opens code
		"<<<<<<< HEAD\na\n<<<<<<< inner\nb\n=======\nc\n>>>>>>> inner\n=======\nd\n>>>>>>> side" + ask:                                                             3,
		"<<<<<<< conflict 1 of 1\n+++++++ abc\n> @agent-Miner a\n------- base\nb\n+++++++ def\nc\n>>>>>>> conflict 1 of 1 ends" + ask:                              1,
		"<<<<<<< Conflict 1 of 1\n%%%%%%% Changes from base to side #1\n-a\n+> @agent-Miner b\n+++++++ Contents of side #2\nc\n>>>>>>> Conflict 1 of 1 ends" + ask: 1,
		"```\nx\n```\n" + whole + ask: 4,

		"```\n" + whole + "```" + ask:                                   0,
		"~~~diff\n" + whole + "~~~" + ask:                               0,
		"    " + strings.ReplaceAll(whole, "\n", "\n    ") + "\n" + ask: 0,
		"> <<<<<<< HEAD\n> a\n> =======\n> b\n> >>>>>>> side" + ask:     0,
		"<<<<<<< HEAD\na\n=======\nb" + ask:                             0,
		"<<<<<<< HEAD\na\n-------\nb\n>>>>>>> side" + ask:               0,
		"%%%%%%% a\n<<<<<<< HEAD\na\n>>>>>>> side" + ask:                0,
		"<<<<<<< HEAD\na\n>>>>>>> side" + ask:                           0,
		">>>>>>> side\n=======\n<<<<<<< HEAD" + ask:                     0,
		"=======\n>>>>>>> seven levels of a quote" + ask:                0,
		"Title\n=======\n\ntext" + ask:                                  0,
		"<<<<<< HEAD\na\n======\nb\n>>>>>> side" + ask:                  0,
		"<<<<<<<< HEAD\na\n========\nb\n>>>>>>>> side" + ask:            0,
		"<<<<<<<HEAD\na\n=======\nb\n>>>>>>>side" + ask:                 0,
		"it says <<<<<<< HEAD\n=======\nand >>>>>>> side" + ask:         0,
		"<!--\n-->\n<<<<<<< HEAD\n====\n>>>>>>> side" + ask:             0,
		"\\<<<<<<< HEAD\na\n=======\nb\n>>>>>>> side" + ask:             0,
	} {
		for _, src := range []string{src, "\ufeff" + strings.ReplaceAll(src, "\n", "\r\n")} {
			if got := Parse([]byte(src)).Conflict; got != want {
				t.Errorf("%q: line %d, want %d", src, got, want)
			}
		}
	}
}
