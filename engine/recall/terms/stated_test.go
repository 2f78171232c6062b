package terms

import (
	"strings"
	"testing"
)

// Who does something, and how it is done, is said only where the word for it is said of the very thing.
func TestStates(t *testing.T) {
	for _, row := range []struct {
		question, text, names string
		want                  bool
	}{
		{"who develops Logseq?", "Right now plugin development needs the Logseq desktop app.", "Plugins 01", false},
		{"who develops Logseq?", "We showed how to get started developing Logseq plugins.", "Plugins 02", false},
		{"who develops Logseq?", "Those who want to develop Logseq need Clojure.", "", false},
		{"who develops Logseq?", "The development of Logseq began in 2020.", "", false},
		{"who develops Logseq?", "Turn on the developer mode.", "Logseq", false},
		{"who develops Logseq?", "Logseq develops fast.", "", false},
		{"who develops Logseq?", "Tienson develops Logseq.", "", true},
		{"who develops Logseq?", "Logseq is developed by Tienson.", "", true},
		{"who develops Logseq?", "Developed by Tienson since 2020.", "Logseq", true},
		{"who develops Logseq?", "Since: 2020\nDeveloper: Tienson", "Logseq", true},
		{"who develops Logseq?", "Tienson and others.", "Logseq\nDevelopers", true},
		{"who waters the garden?", "The water of the garden is hard.", "", false},
		{"who waters the garden?", "Bob waters the garden.", "", true},
		{"who can water the garden?", "Bob will water our garden.", "", true},
		{"wer entwickelt Logseq?", "Logseq wird von Tienson entwickelt.", "", true},
		{"wer entwickelt Logseq?", "Wie man ein Plugin entwickelt, steht bei Logseq.", "", false},
		{"wer hat den Garten angelegt?", "Anna hat einen Weg angelegt, und Bob fegt den Garten.", "", false},
		{"wer hat den Garten angelegt?", "Der Garten wurde von Anna angelegt.", "", true},
		{"qui dirige la DINUM ?", "Les liens sont dirigés ou non; la DINUM les garde.", "", false},
		{"qui dirige la DINUM ?", "Anna dirige la DINUM.", "", true},
		{"how do I rename a block?", "Fix: should update `:block/namespace` while renaming pages", "Changelog", false},
		{"how do I rename a block?", "Rename the block namespace in its menu.", "", false},
		{"how do I rename a block?", "Click it to rename the block.", "", true},
		{"how do I rename a block?", "A block is renamed by a click.", "", true},
		{"how do I rename a block?", "Click its name.", "Renaming blocks", true},
		{"how do I rename a block?", "Click its name.", "Blocks\nRenaming", true},
		{"how do I rename a block?", "Click its name.", "Blocks\nRenaming pages", false},
		{"how do I wind the lamp?", "Wind it by thirty turns.", "Lamp", true},
		{"Wie finde ich Sponsoren?", "Dort finden die Kinder Tische. Für Sponsoren ist das wichtig.", "", false},
		{"Wie finde ich Sponsoren?", "Wie finde ich Sponsoren? Frag im Ort.", "", true},
		{"Wie kann ich Sponsoren finden?", "Um Sponsoren zu finden, frag im Ort.", "", true},
		{"Comment trouver des sponsors ?", "Trouver une salle; les sponsors viennent.", "", false},
		{"how do I make butter?", "Some advice for making butter based biscuits.", "Butter-based biscuit and cookies", false},
		{"how do I make butter?", "Shake the cream.", "Butter", true},
		{"how do I make butter?", "To make butter, shake the cream.", "Milk", true},
		{"where is the lamp?", "Anything.", "", true},
		{"what does Ann's daughter do?", "I'm Ann from Ulm, and we have a clever daughter.", "Team", false},
		{"what does the eraser do?", "Click and drag to delete.", "Eraser", true},
		{"what does the eraser do?", "Near the pen.\nThe eraser deletes shapes.", "", true},
		{"why do we water the garden?", "We water the garden.", "", false},
		{"why do we water the garden?", "It is dry, therefore.", "Garden", true},
		{"why do we water the garden?", "Thus it grows.", "Garden", true},
		{"why do we water the garden?", "It is dry.", "Why water the garden", true},
		{"what is the most anyone here can earn?", "You earn four hours of leave each month.", "", false},
		{"what is the most anyone here can earn?", "What you earn has a limit of nine hours.", "", true},
		{"was kann man am meisten verdienen?", "Man verdient vier Stunden im Monat.", "", false},
		{"was kann man am meisten verdienen?", "Man verdient höchstens vier Stunden.", "", true},
	} {
		if got := Parse(row.question).States(row.text, strings.Split(row.names, "\n")); got != row.want {
			t.Errorf("%s is stated %v by %q, %q", row.question, got, row.names, row.text)
		}
	}
}
