package evidence

import (
	"strings"
	"testing"
)

// What a question has left below its answer, and the lines of one that waits, are no evidence. A person's next line is.
func TestHidden(t *testing.T) {
	const answer = "<!-- agent-response -->\nWool.\n<!-- /agent-response -->\n"
	questions := map[string][]Question{
		"> @agent-Miner do I have\n> wool socks?\nOwn.\n":                    {{0, 1, 1}},
		"> @agent-Miner do I have\nwool socks?\nOwn.\n":                      {{0, 0, 1}},
		"> @agent-Miner do I have wool socks?\nI have some.\n":               {{0, 0, 0}},
		"> @agent-Miner compare:\n> - tea\n> - coffee\n":                     {{0, 0, 2}},
		"One.\n\n> @agent-Miner what about\n> the tram\n> and so on?\nOwn\n": {{2, 4, 4}},
	}
	for src, want := range map[string]string{
		"Own.\n" + answer + "wool socks?\nMore.\n":                           "Own.|More.",
		"Own.\n" + answer + "Wool socks?\n":                                  "Own.",
		answer + "the backups\nwere made.\n":                                 "were made.",
		answer + "Socken aus Wolle\n\nOwn.\n":                                "|Own.",
		answer + "Today I drank coffee with Anna.\n":                         "Today I drank coffee with Anna.",
		answer + "The tram in Lisbon is yellow and\ngoes up.\n":              "The tram in Lisbon is yellow and|goes up.",
		answer + "\nwool socks?\n":                                           "|wool socks?",
		answer + "- wool socks\n":                                            "- wool socks",
		answer + "> wool socks\n":                                            "> wool socks",
		answer + "colour:: red\n":                                            "colour:: red",
		answer + "Ann: five o'clock\n":                                       "Ann: five o'clock",
		"> @agent-Miner do I have\n> wool socks?\nOwn.\n":                    "> @agent-Miner do I have|Own.",
		"> @agent-Miner do I have\nwool socks?\nOwn.\n":                      "> @agent-Miner do I have|Own.",
		"> @agent-Miner do I have wool socks?\nI have some.\n":               "> @agent-Miner do I have wool socks?|I have some.",
		"> @agent-Miner compare:\n> - tea\n> - coffee\n":                     "> @agent-Miner compare:|> - tea|> - coffee",
		"One.\n\n> @agent-Miner what about\n> the tram\n> and so on?\nOwn\n": "One.||> @agent-Miner what about|Own",
		"```\n" + answer + "code\n```\n":                                     "```|code|```",
		"<!-- agent-response -->\nopen\n":                                    "",
	} {
		var shown []string
		text := strings.Split(strings.TrimSuffix(src, "\n"), "\n")
		hidden := Hidden(text, questions[src])
		for i, line := range text {
			if !hidden[i] {
				shown = append(shown, line)
			}
		}
		if got := strings.Join(shown, "|"); got != want {
			t.Errorf("%q: %q, want %q", src, got, want)
		}
	}
}
