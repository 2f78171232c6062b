package dashboard

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// works are what the Broadcaster is asked to make: each kind whose page is more than its text.
var works = map[string]string{
	"mind map": "Dial in espresso", "slides": "Dial in espresso", "timeline": "Backups", "audio": "Clean the roaster", "cards": "Terms", "quiz": "Terms",
}

// fillStudio has each of the works made.
func (e *engine) fillStudio() {
	e.t.Helper()
	e.save("Reference/Terms.md", "# Terms\n\n**Bloom**: the first pour of water.\n\n**Crema**: the brown foam on a shot.\n\n"+
		"**Yield**: the weight of the drink in the cup.\n\n**Dose**: the weight of the ground coffee.\n")
	e.finds("brown foam", "Terms")
	for kind, note := range works {
		e.save("Inbox/"+kind+".md", "> @agent-Broadcaster "+kind+" of [["+note+"]]\n")
		e.dispatch("Inbox/"+kind+".md", "done")
	}
}

// made is the path of what was made of a kind.
func (v *visitor) made(kind string) string {
	v.t.Helper()
	v.look("/presentations")
	find := fmt.Sprintf(`[...document.querySelectorAll("main .work")].find((e) => e.querySelector(".status").textContent.startsWith(%s))?.querySelector("a")`, plain(kind))
	v.until(kind+" in the list", find)
	return value[string](v, find+".pathname")
}

// Each kind works by keys: cards count what is known, a quiz what was right, slides turn; a map folds.
func TestStudio(t *testing.T) {
	e := start(t, "")
	e.fill()
	e.fillStudio()
	v := enter(t, e)
	press := func(keys ...string) {
		for _, key := range keys {
			v.do(chromedp.KeyEvent(key))
		}
	}
	shows := func(selector, text string) {
		t.Helper()
		v.until(selector+" shows "+text, fmt.Sprintf(`document.querySelector(%s).textContent.includes(%s)`, plain(selector), plain(text)))
	}

	v.look(v.made("cards"))
	shows(".stage .front", "Bloom")
	press("1") // nothing is judged before it was seen
	shows(".score", "0 known, 0 not yet")
	press(" ", "2", " ", "1")
	shows(".score", "1 known, 1 not yet")
	shows(".number", "3 of 4")
	press(kb.ArrowLeft)
	shows(".number", "2 of 4")

	v.look(v.made("quiz"))
	right := `[...document.querySelectorAll(".choices button")].find((e) => e.textContent.includes("Bloom")).textContent[0].toLowerCase()`
	v.until("the first question", right)
	press(value[string](v, right))
	shows(".score", "1 of 1 right")
	press(kb.ArrowRight)
	v.until("the second question", `document.querySelector(".question h2").textContent.startsWith("2.")`)
	press(value[string](v, `[...document.querySelectorAll(".choices button")].find((e) => !e.textContent.includes("Crema")).textContent[0].toLowerCase()`))
	shows(".score", "1 of 2 right")
	v.until("what would have been right", `document.querySelector(".choices .right").textContent.includes("Crema")`)

	v.look(v.made("slides"))
	shows(".number", "1 of ")
	press(kb.ArrowRight, kb.PageDown)
	shows(".number", "3 of ")
	press(kb.Home)
	shows(".number", "1 of ")
	press("o", kb.Tab, kb.Enter) // the second of all
	shows(".number", "2 of ")

	audio := v.made("audio")
	eventually(t, "a sound with captions", func() bool {
		v.look(audio)
		return value[bool](v, `document.querySelector("track") !== null`)
	}, v.text)
	said := value[string](v, `[...document.querySelectorAll("article h2")][1].textContent`)
	v.until("what is spoken is marked", fmt.Sprintf(`(() => { const [sound, words] = [document.getElementById("sound"), %s];
		const cue = [...(sound.querySelector("track").track.cues ?? [])].find((c) => c.text.startsWith(words));
		if (cue) sound.currentTime = cue.startTime + .1;
		return document.querySelector(".spoken")?.textContent === words; })()`, plain(said)))

	v.look(v.made("mind map"))
	open := `document.querySelectorAll(".map details[open]").length`
	v.until("it is unfolded", open+" === 1")
	v.press(".map summary")
	v.until("it is folded", open+" === 0")
}
