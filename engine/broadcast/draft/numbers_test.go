package draft

import "testing"

// A number of two digits or more stands in a passage that the item names, whatever language it is written in.
func TestNumbersAreOfThePassages(t *testing.T) {
	from := []Source{{Location: "Rent 2026", Text: "The rent is 1,250.50 a month from 15 October 2025. Twelve of 40 rooms are let."}}
	for text, want := range map[string]string{
		"The rent is 1.250,50.": "", "It is 1250.50 now.": "", "It is 1 of 3 parts.": "", "Since 2025-10-15.": "", "Seit 15.10.2025.": "", "Since 2025-10-16.": "16",
		"In 2026.": "", "40 rooms, 012 let.": "012", "It costs 4711 dollars.": "4711", "It began on 3 May 1987.": "1987", "Ab 15. Oktober 2025.": "", "No number.": "",
	} {
		if got := findForeign(Item{Text: map[string]string{"text": text}, Sources: from}); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
