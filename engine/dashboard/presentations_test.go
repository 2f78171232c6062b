package dashboard

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/testdata/apitest"
	"vaultdispatcher/engine/broadcast/kinds"
	"vaultdispatcher/engine/broadcast/order"
)

const presentations = "Agent/Presentations"

// shelfID is the id of a work of the vault v, by its name.
func shelfID(name string) string {
	sum := sha256.Sum256([]byte("v\x00" + presentations + "/" + name + ".md"))
	return hex.EncodeToString(sum[:10])
}

// presentationPages are those of what fillShelf puts on the shelf.
var presentationPages = []string{"/presentations", "/presentations/" + shelfID("all")}

// workOf is a work whose texts are all the same.
func workOf(text, body string) string {
	q := strconv.QuoteToGraphic(text)
	return "---\nwiki: off\nwiki-kind: slides\nwiki-of: " + q + "\nwiki-made: " + q + "\nwiki-sources:\n  - " + q + "\nwiki-left-out:\n  - " + q +
		"\nwiki-asked: " + q + "\nwiki-by: " + q + "\nwiki-hash: x\n---\n\n# T" + text + "\n\n" + body + "\n"
}

const slidesOfTest = "<!DOCTYPE html>\n<html>\n<head>\n<title>a</title>\n</head>\n<body>\n<section><h1>A slide</h1></section>\n</body>\n</html>\n"

// fillShelf puts a work with everything beside it into a vault.
func fillShelf(t testing.TB, vault string) {
	t.Helper()
	body := "## In short\n\n- one [[N#H|1]]\n\n### Deeper\n\n> [!success]- Answer\n> B\n\n| A |\n| --- |\n| b |\n\nOne\n?\nTwo\n"
	canvas := `{"nodes":[{"id":"a","type":"text","x":0,"y":0,"width":360,"height":160,"text":"A card"}],"edges":[]}`
	for name, text := range map[string]string{"all.md": workOf("plain", body), "all.html": slidesOfTest, "all.canvas": canvas, "all.wav": "RIFFsound", "all.vtt": "WEBVTT\n", "all.csv": "a,b\n",
		"odd.md": workOf("odd", "x"), "odd.html": slidesOfTest + "<script>x</script>", "mine.md": "# Mine\n", "mine.wav": "mine",
		"private.md": workOf("Diary/x.md", "x"), "private.wav": "private"} {
		file := filepath.Join(vault, filepath.FromSlash(presentations), name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// A line may part behind a whole date or path, so a sign that ends there is in it and not behind it.
func TestNoSignBeginsALine(t *testing.T) {
	b := openSite(t).browser(t)
	loose := regexp.MustCompile(`class="whole">[^<]*</span>[,.;:]`)
	for _, path := range presentationPages {
		if html := b.get(t, path).text; loose.MatchString(html) || !strings.Contains(html, `class="whole">plain`) {
			t.Errorf("%s: %q", path, loose.FindString(html))
		}
	}
}

// What was made is listed, and shown with what stands beside it; nothing else of the folder is.
func TestPresentations(t *testing.T) {
	b := openSite(t).browser(t)
	list := b.get(t, "/presentations").text
	for _, want := range []string{`<a href="/presentations/` + shelfID("all") + `">Tplain</a>`, "of 1 note, ", ", 1 left out", "Not shown: 1 made of notes"} {
		if !strings.Contains(list, want) {
			t.Errorf("the list lacks %q:\n%s", want, list)
		}
	}
	if strings.Contains(list, "Mine") || strings.Contains(list, "Diary") {
		t.Errorf("the list has too much:\n%s", list)
	}
	all := "/presentations/" + shelfID("all")
	page := b.get(t, all).text
	for _, want := range []string{"<h1>Tplain</h1>", "<h2>In short</h2>", `<source src="` + all + `/wav" type="audio/wav"><track kind="captions" src="` + all + `/vtt" default>`, `<a class="button" href="` + all + `/csv" download>`, "<li><span>A card</span></li>", `href="` + all + `/slides"`, "Written by plain"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q:\n%s", want, page)
		}
	}
	for path, status := range map[string]int{
		all + "/wav": 200, all + "/csv": 200, all + "/mp3": 404, all + "/md": 404, all + "/../../note.md": 404, "/presentations/" + shelfID("mine"): 404,
		"/presentations/" + shelfID("mine") + "/wav": 404, "/presentations/" + shelfID("private"): 404, "/presentations/" + shelfID("private") + "/wav": 404,
		"/presentations/" + shelfID("odd"): 200, "/presentations/" + shelfID("odd") + "/slides": 404, "/presentations/" + shelfID("../../note"): 404,
	} {
		if a := b.get(t, path); a.status != status {
			t.Errorf("%s: %d", path, a.status)
		}
	}
	if strings.Contains(b.get(t, "/presentations/"+shelfID("odd")).text, "/slides") {
		t.Error("slides that somebody changed are offered")
	}
	b.cookie = nil
	for _, path := range []string{"/presentations", all, all + "/slides", all + "/wav"} {
		if a := b.get(t, path); a.status != http.StatusUnauthorized {
			t.Errorf("%s without a session: %d", path, a.status)
		}
	}
}

// A sound is played in parts, and slides are of no origin.
func TestPresentationFiles(t *testing.T) {
	b := openSite(t).browser(t)
	all := "/presentations/" + shelfID("all")
	a := b.send(t, "GET", all+"/wav", map[string]string{"Range": "bytes=4-6", "Accept": "*/*", "Sec-Fetch-Dest": "audio", "Sec-Fetch-Site": "same-origin"}, "")
	if a.status != http.StatusPartialContent || a.text != "sou" || a.header.Get("Content-Type") != "audio/wav" || a.header.Get("Content-Range") != "bytes 4-6/9" {
		t.Errorf("%d %v %q", a.status, a.header, a.text)
	}
	if a = b.get(t, all+"/csv"); a.text != "a,b\n" || a.header.Get("Content-Disposition") != "attachment; filename=all.csv" || a.header.Get("Content-Security-Policy") != policy {
		t.Errorf("%v %q", a.header, a.text)
	}
	if a = b.get(t, all+"/slides"); a.text != slidesOfTest || a.header.Get("Content-Security-Policy") != slidesPolicy || a.header.Get("X-Frame-Options") != "DENY" {
		t.Errorf("%v %q", a.header, a.text)
	}
	for _, part := range []string{"default-src 'none'", "sandbox"} {
		if !slices.Contains(strings.Split(slidesPolicy, "; "), part) {
			t.Errorf("the policy of slides lacks %s", part)
		}
	}
}

// The grid says what each kind is called.
func TestCalled(t *testing.T) {
	for kind, want := range map[string]string{"table": "comparison", "mind map": "mind map", "faq": "questions and answers", "unknown": "unknown"} {
		if got := (presentationsView{}).Called(kind); got != want {
			t.Errorf("%q is called %q, want %q", kind, got, want)
		}
	}
}

// HEAD of a page or a file tells what GET would, without a body.
func TestHead(t *testing.T) {
	b := openSite(t).browser(t)
	all := "/presentations/" + shelfID("all")
	for _, path := range []string{"/", "/presentations", all, all + "/slides", all + "/wav"} {
		a, got := b.send(t, "HEAD", path, nil, ""), b.get(t, path)
		if a.status != 200 || a.text != "" || a.header.Get("Content-Type") != got.header.Get("Content-Type") || a.header.Get("Content-Security-Policy") != got.header.Get("Content-Security-Policy") {
			t.Errorf("%s: %d %v %q", path, a.status, a.header, a.text)
		}
	}
	b.cookie = nil
	if a := b.send(t, "HEAD", "/", nil, ""); a.status != http.StatusUnauthorized {
		t.Errorf("without a session: %d", a.status)
	}
}

// Nothing that stands in a work changes the page around it.
func TestPresentationsEscape(t *testing.T) {
	r := openSite(t)
	b := r.browser(t)
	file := filepath.Join(r.backend.Vaults[0].Path, filepath.FromSlash(presentations), "all.md")
	pages := func(text, body string) (list, page []element) {
		if err := os.WriteFile(file, []byte(workOf(text, body)), 0o644); err != nil {
			t.Fatal(err)
		}
		list, said := parsed(t, b.get(t, presentationPages[0]).text)
		page, also := parsed(t, b.get(t, presentationPages[1]).text)
		if !strings.Contains(said, text) || !strings.Contains(also, text) {
			t.Errorf("%q is not shown", text)
		}
		return list, page
	}
	list, page := pages("plain", "x")
	for _, hostile := range hostileTexts {
		if strings.Contains(hostile, "\u202e") {
			continue // quoted, it is written with its number
		}
		gotList, gotPage := pages(hostile, "x")
		if skeleton(gotList) != skeleton(list) || skeleton(gotPage) != skeleton(page) {
			t.Errorf("with %q they are other pages", hostile)
		}
		_, gotPage = pages("plain", hostile+"\n\n"+hostile+" ![["+hostile+"]] ["+hostile+"]("+hostile+") ![x](http://evil.example/x.png)\n\n> [!a] "+hostile+"\n> x\n")
		checkTargets(t, presentationPages[1], gotPage)
		for _, e := range gotPage {
			isAllowed := e.name != "script" || isOurScript(e)
			if !isAllowed || slices.Contains([]string{"style", "base", "iframe", "object", "embed"}, e.name) || e.name == "img" && e.attrs["src"] != "/icon.svg" {
				t.Errorf("%q made <%s %v>", hostile, e.name, e.attrs)
			}
			for name := range e.attrs {
				if name == "style" || strings.HasPrefix(name, "on") {
					t.Errorf("%q made <%s %s>", hostile, e.name, name)
				}
			}
		}
	}
}

// What is being made stands above what was made, with how far it is, and can be cancelled.
func TestPresentationInTheMaking(t *testing.T) {
	backend := &making{}
	b := openSite(t, func(s *parts) { backend.Backend = s.backend.(*apitest.Backend); s.backend = backend }).browser(t)
	text := b.get(t, "/presentations").text
	for _, want := range []string{"section 2 of 5", `action="/dispatch/d1/cancel"`, "30 seconds spoken"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	for _, none := range []string{"d2/cancel", "/dispatch/d3"} {
		if strings.Contains(text, none) {
			t.Errorf("%q is in\n%s", none, text)
		}
	}
}

// making is a backend at work.
type making struct{ *apitest.Backend }

func (b *making) Status(ctx context.Context, follows bool) (api.Status, error) {
	st, err := b.Backend.Status(ctx, follows)
	st.Dispatches = []api.Dispatch{
		{ID: "d1", Role: "Broadcaster", Status: "processing", Progress: "section 2 of 5"},
		{ID: "d2", Role: "podcast", Status: "done", Progress: "30 seconds spoken"},
		{ID: "d3", Role: "Miner", Status: "processing"},
	}
	return st, err
}

// What the form chooses is an order that the Broadcaster reads, for every kind it offers.
func TestMakeIsUnderstood(t *testing.T) {
	backend := &told{status: api.Status{Agents: []api.Agent{{Role: maker, Ready: true}}, Vaults: []api.Vault{{Name: "v"}}}}
	b := openSite(t, func(s *parts) {
		backend.Backend = s.backend.(*apitest.Backend)
		s.backend = backend
	}).browser(t)
	offered := regexp.MustCompile(`name="kind" value="([^"]*)"`).FindAllStringSubmatch(b.get(t, "/presentations").text, -1)
	if len(offered) != len(kinds.All)-1 {
		t.Errorf("it offers %v", offered)
	}
	for _, kind := range offered {
		b.submit(t, "/presentations/make", url.Values{"kind": {kind[1]}, "of": {"[[A]], trips/"}, "length": {"short"}})
		o := order.Parse(backend.Asked.Question)
		if backend.Asked.Role != maker || o.Kind != kind[1] || o.Words != 120 || len(o.Sources) != 2 || o.Rest != "" {
			t.Errorf("%q is read as %+v", backend.Asked.Question, o)
		}
	}
	b.submit(t, "/presentations/make", url.Values{"kind": {"quiz"}, "source": {"Trips/Kyoto, in spring.md", "A.md"}, "of": {"#tag"}, "lang": {"de"}})
	if o := order.Parse(backend.Asked.Question); o.Kind != "quiz" || len(o.Sources) != 3 || o.Lang != "de" || o.Rest != "" {
		t.Errorf("%q is read as %+v", backend.Asked.Question, o)
	}
	if a := b.submit(t, "/presentations/make", url.Values{"kind": {"quiz"}}); a.status != 400 {
		t.Errorf("it is made of nothing: %d", a.status)
	}
	backend.status.Agents[0].Ready = false
	if strings.Contains(b.get(t, "/presentations").text, "/presentations/make") {
		t.Error("it is offered without a Broadcaster")
	}
}

// Sources are looked for by words, in one vault, and ticked; a note that no link can name is not offered.
func TestSourcesToTick(t *testing.T) {
	backend := &finding{hits: []api.Hit{
		{Vault: "v", Note: "Trips/Kyoto.md", Text: "**Kyoto** in spring: [[Tea]]\nand more"}, {Vault: "v", Note: "Trips/Kyoto.md", Text: "again"},
		{Vault: "other", Note: "Elsewhere.md"}, {Vault: "v", Note: "C# and so on.md"},
	}}
	b := openSite(t, func(s *parts) {
		backend.Backend = s.backend.(*apitest.Backend)
		s.backend = &toldFinding{backend, api.Status{Agents: []api.Agent{{Role: maker, Ready: true}}, Vaults: []api.Vault{{Name: "v"}, {Name: "other"}}}}
	}).browser(t)
	html := b.get(t, "/presentations?q=kyoto&vault=v").text
	if got := regexp.MustCompile(`name="source" value="([^"]*)"`).FindAllStringSubmatch(html, -1); len(got) != 1 || got[0][1] != "Trips/Kyoto.md" {
		t.Errorf("it offers %q", got)
	}
	for _, want := range []string{`<p class="minor">Kyoto in spring: Tea and more</p>`, `value="kyoto"`, `<option selected>v</option>`} {
		if !strings.Contains(html, want) {
			t.Errorf("no %q in\n%s", want, html)
		}
	}
	if html := b.get(t, "/presentations?q=kyoto&vault=none").text; !strings.Contains(html, "Trips/Kyoto.md") {
		t.Errorf("of a vault that is not there:\n%s", html)
	}
}

// toldFinding is one that finds, with a status.
type toldFinding struct {
	*finding
	status api.Status
}

func (b *toldFinding) Status(context.Context, bool) (api.Status, error) { return b.status, nil }

// A link to a presentation, as an answer has it, leads to its page, by its path or by its name.
func TestLinkToAPresentation(t *testing.T) {
	b := openSite(t).browser(t)
	for _, link := range []string{"[[" + presentations + "/all]]", "[[all]]"} {
		if a := b.get(t, noteAddress("v", link)); a.status != http.StatusSeeOther || a.header.Get("Location") != "/presentations/"+shelfID("all") {
			t.Errorf("%s leads to %d %v", link, a.status, a.header)
		}
	}
	for _, link := range []string{"[[mine]]", "[[private]]"} {
		if a := b.get(t, noteAddress("v", link)); a.status != http.StatusOK || !strings.Contains(a.text, "<h1>"+strings.Trim(link, "[]")+"</h1>") {
			t.Errorf("%s leads to %d\n%s", link, a.status, a.text)
		}
	}
}
