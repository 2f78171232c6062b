package terms

import (
	"slices"
	"testing"
)

func TestLanguage(t *testing.T) {
	for text, want := range map[string]string{
		"We decided on backups as follows: every night the shop computer is saved to the red disk in the office, and every Sunday the blue disk gets the same.": "en",
		"Wir haben beschlossen, dass der Rechner im Laden jede Nacht auf die rote Platte gesichert wird, und am Sonntag auch auf die blaue, die bei uns ist.":   "de",
		"Nous avons décidé que chaque nuit l'ordinateur du magasin est sauvegardé sur le disque rouge du bureau, et chaque dimanche sur le disque bleu.":        "",
		"Het is de bedoeling dat we elke nacht een kopie maken van de computer in de winkel, en dat we die op zondag bij een ander bewaren, of in de kluis.":    "",
		"Ein Absatz über den Text, wie er ist, und dann: We decided on what the others have said about it, and not to do the same with our notes.":              "",
		"Danke, gut.": "", "": "",
	} {
		if got := Language(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

// A small word of Spanish or French is one of an English question too.
func TestForeignWords(t *testing.T) {
	for question, want := range map[string]bool{
		"why is del not called when I delete the object?": true,
		"¿cuál es el color del gato?":                     false,
		"cuando del gato":                                 false,
	} {
		q := Parse(question)
		if got := slices.ContainsFunc(q.Terms, func(t Term) bool { return t.Word == "del" }); got != want {
			t.Errorf("%q is searched with “del”: %v", question, got)
		}
	}
}
