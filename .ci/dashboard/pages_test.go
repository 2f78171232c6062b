package dashboard

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// axe returns what keeps people from using the page, one line each.
func (v *visitor) axe() []string {
	v.t.Helper()
	source, err := os.ReadFile(bed["AXE"])
	if err != nil {
		v.t.Fatal(err)
	}
	v.do(chromedp.Evaluate[chromedp.Void](string(source)))
	return value[[]string](v, `axe.run(document, { resultTypes: ["violations"] }).then((r) => r.violations.map((x) =>
		x.id + ": " + x.help + ": " + x.nodes.map((n) => n.html + " " + n.any.concat(n.all, n.none).map((c) => c.message)).join("; ")))`)
}

// shoot keeps a picture of the whole page.
func (v *visitor) shoot(name string) {
	v.t.Helper()
	ctx, cancel := context.WithTimeout(v.ctx, patience)
	defer cancel()
	png, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
	if err != nil {
		v.t.Fatalf("take a picture: %v", err)
	}
	if err := os.WriteFile(filepath.Join(bed["SHOTS"], name+".png"), png, 0o644); err != nil {
		v.t.Fatal(err)
	}
}

// livedIn is an engine in whose vault something of everything goes on.
func livedIn(t *testing.T) (e *engine, answered, failed string) {
	t.Helper()
	e = start(t, "  dispatch: {concurrency: 1}\n  limits: {burst: 0}\n")
	e.fill()
	e.save("Inbox/Printing.md", "> @agent-Printer print the price list, two copies\n")
	failed = e.dispatch("Inbox/Printing.md", "failed").ID
	e.save("Inbox/Invoice.md", "> @agent-Clerk where does this invoice belong?\n")
	e.dispatch("Inbox/Invoice.md", "processing")
	e.save("Inbox/Invoice.md", "The invoice is paid.\n")
	e.open("clerk")
	e.dispatch("Inbox/Invoice.md", "parked")
	e.finds("backups", "backup")
	e.save("Clippings/How others roast.md", "> @agent-Miner what does our own log say about charge temperatures?\n")
	e.dispatch("Clippings/How others roast.md", "held")
	e.save("Inbox/Today.md", "The accountant comes at eleven.\n\n> @agent-Miner what did we decide about backups?\n> @agent-Miner at what temperature do we drop the Lantern Blend?\n")
	answered = e.dispatch("Inbox/Today.md", "done").ID
	e.fillStudio()
	e.save("Inbox/Folder.md", "> @agent-Clerk! Is it filed under suppliers?\n")
	e.dispatch("Inbox/Folder.md", "proposed")
	e.save("Inbox/Letter to Odile.md", "> @agent-Editor make this letter half as long, and thank her for the cups\n")
	e.dispatch("Inbox/Letter to Odile.md", "processing")
	e.save("Inbox/Menu.md", "> @agent-Editor:summer a line for each of the three summer drinks\n")
	e.dispatch("Inbox/Menu.md", "queued")
	return e, answered, failed
}

// squeezed lists the texts that take more than four lines and are four times as high as wide: letters one below the other.
const squeezed = `[...document.querySelectorAll("main :is(th, td, p, li, h2, h3, summary, dd, label)")].filter((e) => {
	const text = document.createRange();
	text.selectNodeContents(e);
	const { width, height } = text.getBoundingClientRect();
	const unseen = e.closest(".hidden") || e.querySelector(".hidden") || getComputedStyle(e.closest("thead") ?? e).position === "absolute"; // for those who hear the page
	return !unseen && e.checkVisibility() && height > 100 && height > 4 * width;
}).map((e) => e.textContent.trim())`

// Everybody can use every page, by day and by night, on a phone and on a desk;
// nothing on it is wider than the screen or squeezed.
func TestPages(t *testing.T) {
	e, answered, failed := livedIn(t)
	v := enter(t, e)
	opened := map[string]string{"palette": "#palette-open", "all-slides": ".turns button:nth-of-type(3)", "turned": ".stage .main", "answered": ".choices button"} // by a click
	nobody := visit(t)
	nobody.base = v.base
	for _, page := range []struct {
		name, path, shows string
		as                *visitor
	}{
		{"now", "/", "make this letter half as long", v},
		{"history", "/history", "print the price list", v},
		{"history-filtered", "/history?status=failed&q=price", "print the price list", v},
		{"dispatch", "/dispatch/" + answered, "What was written", v},
		{"dispatch-failed", "/dispatch/" + failed, "out of paper", v},
		{"answers", "/answers", "Filed under suppliers.", v},
		{"held", "/held", "charge temperatures", v},
		{"proposed", "/proposed", "Change it first", v},
		{"search", "/search?q=backups", "passages for backups, in", v},
		{"search-none", "/search?q=zeppelin", "No note has these words", v},
		{"usage", "/usage", "Answers a day", v},
		{"note", "/note?vault=Roastery&note=%5B%5BBackups%5D%5D", "Links to it", v},
		{"presentations", "/presentations", "Mind map: Dial in espresso", v},
		{"sources", "/presentations?q=backups", "Projects/Backups.md", v},
		{"map", v.made("mind map"), "For Night Shift", v},
		{"slides", v.made("slides"), "1 of ", v},
		{"timeline", v.made("timeline"), "Every sentence stands in its source", v},
		{"audio", v.made("audio"), "Every sentence stands in its source", v},
		{"cards", v.made("cards"), "Turn", v},
		{"turned", v.made("cards"), "Turn", v},
		{"quiz", v.made("quiz"), "A) ", v},
		{"answered", v.made("quiz"), "A) ", v},
		{"all-slides", v.made("slides"), "1 of ", v},
		{"palette", "/", "Find", v},
		{"setup", "/setup", "Who answers", v},
		{"doctor", "/doctor", "Look again", v},
		{"log", "/log", "What the engine has done", v},
		{"docs", "/docs", "Where you write", v},
		{"document", "/docs?page=container.md", "Next: ", v},
		{"documents-found", "/docs?q=tray", "In the panel", v},
		{"document-tables", "/docs?page=configuration-keys.md", "On this page", v},
		{"document-part", "/docs?page=login.md#in-the-panel", "In the panel", v},
		{"refused", "/", "wiki open", nobody},
	} {
		for _, scheme := range []string{"light", "dark"} {
			for _, width := range []int64{360, 800, 1400} {
				name := fmt.Sprintf("%s-%s-%d", page.name, scheme, width)
				page.as.do(chromedp.EmulateViewport(width, 900),
					call(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
						Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}}))
				page.as.look(page.path)
				page.as.sees(page.shows)
				if selector := opened[page.name]; selector != "" {
					page.as.press(selector)
				}
				if wide := value[int64](page.as, "document.documentElement.scrollWidth"); wide > width {
					t.Errorf("%s is %d wide", name, wide)
				}
				for _, text := range value[[]string](page.as, squeezed) {
					t.Errorf("%s squeezes into a column: %s", name, text)
				}
				for _, violation := range page.as.axe() {
					t.Errorf("%s: %s", name, violation)
				}
				page.as.shoot(name)
			}
		}
	}
}
