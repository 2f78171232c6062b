package shown

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"vaultdispatcher/engine/broadcast/shelf"
)

const folder = "Agent/Presentations"

// open returns a room that waits for a busy machine.
func open(folder string, hide func(string) bool) *Room {
	r := New(folder, hide)
	r.Patience = time.Minute
	return r
}

func put(t *testing.T, root string, w shelf.Work) shelf.Placed {
	t.Helper()
	if len(w.Used) == 0 {
		w.Used = []string{"Bar.md"}
	}
	if w.Kind == "" {
		w.Kind, w.Title, w.Subject, w.Date = "briefing", "The Bar", "Bar.md", "2026-11-23"
	}
	p, err := shelf.Put(t.Context(), root, folder, w)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// What the shelf has is listed with all that its front matter says, and opened by its id.
func TestList(t *testing.T) {
	root := t.TempDir()
	put(t, root, shelf.Work{Kind: "mind-map", Title: "The \"Bar\"", Subject: "Bar.md", Date: "2026-11-23", Asked: "Daily/x.md", Author: "codex", Used: []string{"Bar.md", "Ünder 2.md"},
		Omitted: []string{"C.md: it is private"}, Body: "# Mind map: The Bar\n\ntext\n", Files: []shelf.File{{Ext: ".canvas", Text: []byte("{}")}}})
	write(t, filepath.Join(root, folder, "mine.md"), "# My own\n")
	roots := []Root{{Name: "v", Path: root}, {Name: "empty", Path: t.TempDir()}, {Name: "away", Path: root, Silent: true}}
	room := open(folder, nil)
	list := room.List(roots)
	if len(list) != 2 || len(list[0].Works) != 1 || !list[1].Silent || list[1].Vault != "away" {
		t.Fatalf("listed: %+v", list)
	}
	w := list[0].Works[0]
	if w.Title != "Mind map: The Bar" || w.Kind != "mind map" || w.Of != "Bar.md" || w.Asked != "Daily/x.md" || w.By != "codex" || w.Made != "2026-11-23" ||
		!slices.Equal(w.Sources, []string{"Bar.md", "Ünder 2.md"}) || !slices.Equal(w.Left, []string{"C.md: it is private"}) || !slices.Equal(w.Files, []string{".canvas"}) {
		t.Errorf("the work is %+v", w)
	}
	o, err := room.Open(roots, w.ID, ".canvas")
	if err != nil || o.Note != w.Note || !strings.Contains(o.Body, "text") {
		t.Fatalf("opened: %+v, %v", o, err)
	}
	text, err := io.ReadAll(o.File)
	o.File.Close()
	if err != nil || string(text) != "{}" || o.File.Name != "the-bar-mind-map.canvas" {
		t.Errorf("%s is %q, %v", o.File.Name, text, err)
	}
	if _, err := room.Open(roots[:2], w.ID, ".apkg"); !errors.Is(err, ErrNone) {
		t.Errorf("a file that is not there: %v", err)
	}
	for _, id := range []string{"", "..", "mine", "the-bar-mind-map", "../mine.md"} {
		if _, err := room.Open(roots[:2], id, ""); !errors.Is(err, ErrNone) {
			t.Errorf("%q was opened: %v", id, err)
		}
	}
	if _, err := room.Open(roots, "none", ""); !errors.Is(err, ErrSilent) {
		t.Errorf("with a vault that is away: %v", err)
	}
}

// Of more works than are listed the newest are, whatever their names are.
func TestNewestAreListed(t *testing.T) {
	root := t.TempDir()
	text, err := os.ReadFile(filepath.Join(root, put(t, root, shelf.Work{Body: "x"}).Note))
	if err != nil {
		t.Fatal(err)
	}
	day := time.Date(2001, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := range mostWorks + 1 { // the later a name stands, the newer its file is
		name := filepath.Join(root, folder, fmt.Sprintf("%04d.md", i))
		write(t, name, string(text))
		if err := os.Chtimes(name, day, day.Add(time.Duration(i)*time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	s := open(folder, nil).List([]Root{{Name: "v", Path: root}})[0]
	if n := len(s.Works); n != mostWorks || !s.Cut || s.Works[1].Note != folder+"/0500.md" || s.Works[n-1].Note != folder+"/0002.md" {
		t.Errorf("%d works, cut %v, from %s to %s", n, s.Cut, s.Works[1].Note, s.Works[n-1].Note)
	}
}

// A work of a note that nobody is to read now is neither listed nor opened.
func TestHidden(t *testing.T) {
	root := t.TempDir()
	put(t, root, shelf.Work{Kind: "briefing", Title: "A", Subject: "A.md", Used: []string{"A.md", "Diary/B.md"}, Body: "x"})
	put(t, root, shelf.Work{Kind: "briefing", Title: "C", Subject: "C.md", Used: []string{"C.md"}, Body: "x"})
	roots := []Root{{Name: "v", Path: root}}
	all := open(folder, nil).List(roots)[0].Works
	for _, hidden := range []string{"Diary/", folder + "/a-"} {
		room := open(folder, func(rel string) bool { return strings.HasPrefix(rel, hidden) })
		list := room.List(roots)
		if len(list) != 1 || len(list[0].Works) != 1 || list[0].Hidden != 1 || list[0].Works[0].Of != "C.md" {
			t.Errorf("%s: listed %+v", hidden, list)
		}
		for _, w := range all {
			if _, err := room.Open(roots, w.ID, ""); (err == nil) != (w.Of == "C.md") {
				t.Errorf("%s: %s: %v", hidden, w.Note, err)
			}
		}
	}
}

// A note app that writes the front matter anew hides no source from the check; sources that cannot be
// read hide the work.
func TestHiddenAsWrittenAnew(t *testing.T) {
	for sources, isShown := range map[string]bool{
		"wiki-sources:\n  - \"A.md\"\n":                true,
		"wiki-sources:\n- A.md\n":                      true,
		"wiki-sources:\n  - \"Diary/B.md\"\n":          false,
		"wiki-sources:\n  - Diary/B.md\n":              false,
		"wiki-sources:\n- 'Diary/B.md'\n":              false,
		"wiki-sources:\n\n# x\n    - Diary/B.md\n":     false,
		"\"wiki-sources\":\n  - Diary/B.md\n":          false,
		"wiki-sources: [Diary/B.md]\n":                 false,
		"wiki-sources: Diary/B.md\n":                   false,
		"wiki-sources:\n  - \"Diary/B.md\n":            false,
		"wiki-sources:\n  [A.md]\n":                    true,
		"wiki-sources:\n  [Diary/B.md]\n":              false,
		"wiki-sources: {A.md: x}\n":                    false,
		"wiki-sources: [A.md]\nwiki-sources: [A.md]\n": false,
		"": false,
	} {
		root := t.TempDir()
		write(t, filepath.Join(root, folder, "x.md"), "---\nwiki: off\nwiki-kind: briefing\n"+sources+"wiki-hash: \"x\"\n---\n# X\n")
		room := open(folder, func(rel string) bool { return strings.HasPrefix(rel, "Diary/") })
		list := room.List([]Root{{Name: "v", Path: root}})
		if (len(list) == 1 && len(list[0].Works) == 1) != isShown {
			t.Errorf("%q: listed %+v", sources, list)
		}
	}
}

// A folder that leads out of a vault, or is none, has nothing.
func TestOddFolders(t *testing.T) {
	root := t.TempDir()
	write(t, filepath.Join(root, "file"), "x")
	for _, folder := range []string{"", ".", "..", "../x", "/etc", "none", "file"} {
		if list := open(folder, nil).List([]Root{{Name: "v", Path: root}}); len(list) != 0 {
			t.Errorf("%q has %+v", folder, list)
		}
	}
}

// A map is written as lists that fold, with its texts escaped and each card once; a canvas that is none is not.
func TestMap(t *testing.T) {
	o := Opened{Canvas: []byte(`{"nodes":[{"id":"a","type":"text","text":"<b> in the middle"},{"id":"b","type":"file","file":"How-to/N.md","subpath":"#A#Steps"},
		{"id":"c","type":"file","file":"How-to/M.md"}],"edges":[{"fromNode":"a","toNode":"b"},{"fromNode":"a","toNode":"none"},{"fromNode":"b","toNode":"c"},{"fromNode":"c","toNode":"b"}]}`)}
	want := "<ul><li><details open><summary>&lt;b&gt; in the middle</summary><ul><li><details open><summary>Steps</summary><ul><li><details open><summary>M</summary><ul></ul></details></li></ul></details></li></ul></details></li></ul>"
	if got := o.Map(); got != want {
		t.Errorf("drawn as\n%s, want\n%s", got, want)
	}
	for _, bad := range []string{"", "{", "[]", `{"nodes":[]}`, `{"nodes":[{"id":"a"},{"id":"b"}],"edges":[{"fromNode":"a","toNode":"b"},{"fromNode":"b","toNode":"a"}]}`} {
		if got := (Opened{Canvas: []byte(bad)}).Map(); got != "" {
			t.Errorf("%q is drawn as %s", bad, got)
		}
	}
	large := `{"nodes":[{"id":"0"}`
	edges := ""
	for n := range fewUnfolded {
		large += fmt.Sprintf(`,{"id":"%d"}`, n+1)
		edges += fmt.Sprintf(`,{"fromNode":"%d","toNode":"%d"}`, n, n+1)
	}
	got := (Opened{Canvas: []byte(large + `],"edges":[` + edges[1:] + "]}")}).Map()
	if strings.Count(got, "<details open>") != unfolded || strings.Count(got, "<li>") != mostLevels {
		t.Errorf("a large and deep one is drawn as %s", got)
	}
}

// Only a page that consists of what the Broadcaster writes is shown.
func TestIsOurPage(t *testing.T) {
	const ours = "<!DOCTYPE html>\n<html>\n<head>\n<meta charset=\"utf-8\">\n<title>a</title>\n<style>b { c: d }</style></head>\n<body>\n<section><h1>x &lt;b&gt;</h1></section>\n</body>\n</html>\n"
	if !isOurPage([]byte(ours)) {
		t.Error("ours is none")
	}
	for _, bad := range []string{"", "text", "<script>", "<link rel=preconnect href=//evil>", "<section onclick=x>", "<meta http-equiv=refresh content=0>", "<a href=x>", "<img src=x>", "<!-- x -->", "<style>@import 'x'</style>", "<style>@IMPORT 'x'</style>", `<style>@\69mport 'x'</style>`, "< b", "<section/x>"} {
		if isOurPage([]byte(strings.Replace(ours, "<section>", bad+"<section>", 1))) && bad != "" && bad != "text" {
			t.Errorf("%q is taken for ours", bad)
		}
	}
}

// A disk that does not respond keeps a page no longer than a second, and few looks wait for it.
func TestSilentDisk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		room, root, other, back := New(folder, nil), Root{Name: "v", Path: "/v"}, Root{Name: "w", Path: "/w"}, make(chan struct{})
		for range mostLooks + 3 {
			if found := lookAtAll(room, []Root{root, other}, func(r Root) bool {
				if r == root {
					<-back
				}
				return true
			}); found[0] != nil || found[1] == nil {
				t.Errorf("found %v", found)
			}
		}
		synctest.Wait()
		room.mu.Lock()
		if n := room.waiting["/v"]; n != mostLooks {
			t.Errorf("%d wait", n)
		}
		room.mu.Unlock()
		close(back)
		synctest.Wait()
		if found := lookAtAll(room, []Root{root}, func(Root) bool { return true }); found[0] == nil {
			t.Error("back again, it is not looked at")
		}
	})
}

// A map begins with its list, however long its diagram is.
func TestMapBegins(t *testing.T) {
	text := "---\nwiki: off\nwiki-kind: mind-map\nwiki-hash: 1\nwiki-sources: [a.md]\n---\n\n# Mind map: A\n\n```mermaid\n" + strings.Repeat("  n1[\"topic\"]\n", 500) + "```\n\n## Where it stands\n\n- topic\n"
	if w, isWork := readWork([]byte(text)); !isWork || !strings.HasPrefix(strings.TrimSpace(w.Begins), "## Where it stands") {
		t.Errorf("%v, it begins %q", isWork, w.Begins[:min(80, len(w.Begins))])
	}
}
