package teaser

import "testing"

func TestOfAnswer(t *testing.T) {
	for answer, want := range map[string]string{
		"": "", "# A\n\nb **c** `d`\n": "b c d", "- one\n- two": "one", "# Only": "# Only", "```\nx\n```": "x", "> > quoted": "quoted", "![[a.canvas]]\nb": "b", "\n\n": "",
		"*a* [[Note#Part|b]] [c](d.md)": "a b c", "[[Composability|composable]]": "composable", "![[a.canvas]] b": "b", "![[a.png|100]] b": "b",
		"A fire. ([[N#H|1]], [[M|2]])": "A fire.", "A [[N|1]] (b)": "A (b)",
		"> Type: [[Cities]]\n> Rating: 7\n>\n> — [[Kyoto]]\n\nAlso in: [[Japan]]":                                                        "Type: Cities · Rating: 7",
		"> With us since October.\n>\n> — [[Wren]]\n\nAlso in: [[Menu]]\n\n*Quoted by the built-in Miner; no model wrote what this is.*": "With us since October.",
	} {
		if got := OfAnswer("what?", answer); got != want {
			t.Errorf("%q: %q, want %q", answer, got, want)
		}
	}
}

// The line that has the question's words is told, not the first one.
func TestOfTheQuestion(t *testing.T) {
	answer := "> We moved the launch to 2 November.\n> Anna writes the *press text*.\n> The press text is short.\n"
	if got := OfAnswer("who writes the press text?", answer); got != "Anna writes the press text." {
		t.Errorf("%q", got)
	}
	answer = "> Type: [[Cities]]\n> Location: [[Japan]]\n>\n> — [[A city of Japan#Japan]]\n"
	if got := OfAnswer("where in Japan?", answer); got != "Location: Japan" {
		t.Errorf("%q", got)
	}
}

// The grid says how each kind begins, and gives no answer of a quiz away.
func TestOfWork(t *testing.T) {
	for begins, want := range map[string]string{
		"\n## One\n\nA fire. ([[N#H|1]], [[M|2]])\n\n## Sources\n\n1. [[N]]\n":                  "One · A fire.",
		"\n#flashcards/x\n\nBloom\n?\nthe first pour ([[N|1]])\n":                               "Bloom · the first pour",
		"\n## 1. Which is it: foam?\n\n- A) Crema\n- B) Dose\n\n> [!success]- Answer\n> A) x\n": "1. Which is it: foam? · A) Crema · B) Dose",
		"\nFrom your notes\n\n---\n\n## Steps\n\n- Flush\n":                                     "Steps · Flush",
		"```mermaid\nmindmap\n  a\n```\n\n## Where it stands\n\n- [[N]]\n    - [[N#P|P]]\n":     "N · P",
		"\n| Note | year |\n| --- | --- |\n| [[A]] |  |\n| [[B]] | 1957 |\n":                    "Note, year · A · B, 1957",
		"```mermaid\nmindmap that was cut":                                                      "",
		"\n## 2026\n\n- **2026-04-06** a test\n":                                                "2026 · 2026-04-06 a test",
	} {
		if got := OfWork(begins); got != want {
			t.Errorf("%q begins %q, want %q", begins, got, want)
		}
	}
}
