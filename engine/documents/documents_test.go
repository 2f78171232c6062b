package documents

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"vaultdispatcher/assets"
)

// shelf has a first document that leads to two others, one of them in a folder, and a third that it does not name.
func shelf() *Shelf {
	return Open(fstest.MapFS{
		"README.md":    {Data: []byte("# Documents\n\n**Begin**\n\n- [Login](login.md#in-the-panel) · [Proof](sub/proof.md)\n\n**Others**\n\n- [again](login.md)\n")},
		"login.md":     {Data: []byte("made by a program\n\n# When you log in\n\nA service starts it.\n\n## In the panel\n\nThe tray has a menu. Its icon `is` the\nlogo.\n\n| key | what |\n|---|---|\n| port | a number |\n")},
		"sub/proof.md": {Data: []byte("# Proof\n\n[back](../login.md#in-the-panel)\n\n## Trays\n\nNone.\n")},
		"more.md":      {Data: []byte("# More\n\nUninstalling the tray is described elsewhere, at length and with care.\n")},
		"a.png":        {Data: []byte("x")}, "secret.txt": {Data: []byte("x")},
	})
}

// The documents are in the order and the groups of the first one; what it does not name is at the end.
func TestDocumentsHaveAnOrder(t *testing.T) {
	var got []string
	for _, g := range shelf().Groups() {
		for _, p := range g.Pages {
			got = append(got, g.Name+": "+p.Title+" "+p.Name)
		}
	}
	if want := ": Documents README.md|Begin: When you log in login.md|Begin: Proof sub/proof.md|: More more.md"; strings.Join(got, "|") != want {
		t.Errorf("%q", got)
	}
	v, err := shelf().Show("login.md")
	if err != nil || v.Before.Name != First || v.After.Name != "sub/proof.md" || len(v.Parts) != 1 || !strings.Contains(v.HTML, `<h2 id="in-the-panel">In the panel</h2>`) || strings.Contains(v.HTML, "made by") {
		t.Errorf("%+v, %v", v, err)
	}
	if v, err := shelf().Show("sub/proof.md"); err != nil || !strings.Contains(v.HTML, `<a href="/docs?page=login.md#in-the-panel">`) {
		t.Errorf("%+v, %v", v, err)
	}
}

// No other file is read, nor one outside of the folder.
func TestNoOtherFiles(t *testing.T) {
	for _, name := range []string{"secret.txt", "../login.md", "/login.md", "gone.md", "sub", ""} {
		if _, err := shelf().File(name); err == nil {
			t.Errorf("%s is read", name)
		}
		if _, err := shelf().Show(name); err == nil {
			t.Errorf("%s is shown", name)
		}
	}
	none := Open(nil)
	if _, err := none.Show(First); !errors.Is(err, fs.ErrNotExist) || len(none.Pages()) != 0 || none.Find("tray", 9) != nil {
		t.Errorf("without documents: %v, %v", err, none.Pages())
	}
}

// The parts with the words in their headings come first, then those with most of them in their text, in any form and also as the
// beginning of longer ones. Each says its sentence with the words.
func TestFind(t *testing.T) {
	for query, want := range map[string]string{
		"panel":            "When you log in › In the panel",
		"tray":             "Proof › Trays|When you log in › In the panel|More",
		"tra":              "Proof › Trays|When you log in › In the panel|More",
		"ray":              "",
		"log in":           "When you log in|When you log in › In the panel",
		"uninstalled":      "More",
		"tray menu":        "When you log in › In the panel",
		"menu xyzzy":       "When you log in › In the panel",
		"menu xyzzy plugh": "",
		"":                 "",
	} {
		var got []string
		for _, f := range shelf().Find(query, 5) {
			got = append(got, f.Label())
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%q finds %q, want %s", query, got, want)
		}
	}
	for query, want := range map[string]string{"icon": "Its icon is the logo.", "port": "port · a number"} {
		if f := shelf().Find(query, 1)[0]; f.Says != want || f.Address() != "/docs?page=login.md#in-the-panel" {
			t.Errorf("%q: %+v", query, f)
		}
	}
	if n := len(shelf().Find("tray", 2)); n != 2 {
		t.Errorf("%d are found", n)
	}
}

// What a person looks for in the documents of the program is at the top.
func TestFindsInTheDocuments(t *testing.T) {
	s := Open(assets.Docs())
	for query, want := range map[string]string{
		"tray": "When you log in › In the panel", "icon in the panel": "When you log in › In the panel", "how do I uninstall": "Install, upgrade, uninstall › Uninstall",
		"obsidian": "Our plugin for Obsidian", "cost": "What it costs", "api key": "Ollama and other models behind a server › A model with a key",
	} {
		if found := s.Find(query, 5); len(found) == 0 || found[0].Label() != want || found[0].Says == "" {
			t.Errorf("%q finds %+v", query, found)
		}
	}
	for _, p := range s.Pages() {
		if p.Title == "" || p.Group == "" && p.Name != First {
			t.Errorf("the first document does not lead to %+v", p)
		}
	}
}
