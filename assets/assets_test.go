package assets

import (
	"bytes"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// notes returns the sample vault with the demo's note in it.
func notes(t *testing.T) map[string]string {
	t.Helper()
	all := make(map[string]string)
	err := fs.WalkDir(Vault(), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(Vault(), name)
		all[name] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 28 {
		t.Errorf("%d notes are no vault", len(all))
	}
	name, text := DemoNote()
	if _, there := all[name]; there || len(text) == 0 {
		t.Errorf("the demo's note %q: in the vault %v, %d bytes", name, there, len(text))
	}
	all[name] = string(text)
	return all
}

func TestNotesAreClean(t *testing.T) {
	for name, text := range notes(t) {
		lines := strings.Split(text, "\n")
		switch {
		case path.Ext(name) != ".md":
			t.Errorf("%s is no note", name)
		case !utf8.ValidString(text) || strings.ContainsAny(text, "\r\t\u00a0\ufeff"):
			t.Errorf("%s holds a character that is not plain text", name)
		case !strings.HasSuffix(text, "\n") || strings.HasSuffix(text, "\n\n"):
			t.Errorf("%s does not end with one line end", name)
		case len(lines) < 15 || len(lines) > 60:
			t.Errorf("%s has %d lines", name, len(lines))
		case strings.Contains(text, "<!-- agent-response"):
			t.Errorf("%s is answered already", name)
		}
		for i, line := range lines {
			if strings.TrimRight(line, " ") != line {
				t.Errorf("%s:%d ends in a space", name, i+1)
			}
		}
	}
}

var (
	wikilink = regexp.MustCompile(`\[\[([^\]|#]*)(?:#([^\]|]*))?(?:\|[^\]]*)?\]\]`)
	heading  = regexp.MustCompile(`(?m)^#+ (.+)$`)
	aliases  = regexp.MustCompile(`(?m)^aliases: \[(.*)\]$`)
	fence    = regexp.MustCompile("(?ms)^```.*?^```$")
)

// targets maps what a link may say, in lower case, to the notes it may mean.
func targets(all map[string]string) map[string][]string {
	of := make(map[string][]string)
	for name, text := range all {
		full := strings.TrimSuffix(name, ".md")
		names := []string{full}
		if base := path.Base(full); base != full {
			names = append(names, base)
		}
		if m := aliases.FindStringSubmatch(text); m != nil {
			names = append(names, strings.Split(m[1], ", ")...)
		}
		for _, n := range names {
			of[strings.ToLower(n)] = append(of[strings.ToLower(n)], name)
		}
	}
	return of
}

func TestLinksResolve(t *testing.T) {
	all := notes(t)
	of := targets(all)
	links := 0
	linked := make(map[string]bool)
	for name, text := range all {
		for _, m := range wikilink.FindAllStringSubmatch(fence.ReplaceAllString(text, ""), -1) {
			links++
			found := []string{name}
			if m[1] != "" {
				found = of[strings.ToLower(m[1])]
			}
			if len(found) != 1 {
				t.Errorf("%s: %s means %q", name, m[0], found)
				continue
			}
			linked[found[0]] = true
			if m[2] != "" && !slices.Contains(headings(all[found[0]]), m[2]) {
				t.Errorf("%s: %s: no such heading", name, m[0])
			}
		}
		if strings.Count(text, "[[") != len(wikilink.FindAllString(text, -1)) {
			t.Errorf("%s holds a broken link", name)
		}
	}
	if links < 2*len(all) {
		t.Errorf("%d links in %d notes: they hardly talk to one another", links, len(all))
	}
	for said, names := range of {
		if len(names) > 1 {
			t.Errorf("%q may mean any of %q", said, names)
		}
	}
	demo, _ := DemoNote()
	for name := range all {
		if lonely := !linked[name]; lonely && name != demo && !strings.HasPrefix(name, "Daily/") && name != "Templates/Daily.md" {
			t.Errorf("nothing links to %s", name)
		}
	}
}

func headings(text string) []string {
	var found []string
	for _, m := range heading.FindAllStringSubmatch(fence.ReplaceAllString(text, ""), -1) {
		found = append(found, m[1])
	}
	return found
}

// In the vault itself nothing waits for an answer; the one note that explains
// markers shows them in code.
func TestVaultHasNoMarkers(t *testing.T) {
	demo, _ := DemoNote()
	explained := 0
	for name, text := range notes(t) {
		if name == demo {
			continue
		}
		shown := strings.Count(text, "@agent-")
		if strings.Contains(fence.ReplaceAllString(text, ""), "@agent-") {
			t.Errorf("%s asks something", name)
		}
		if shown > 0 && !strings.HasPrefix(name, "How-to/") {
			t.Errorf("%s shows a marker and is no how-to", name)
		}
		explained += shown
	}
	if explained == 0 {
		t.Error("no how-to shows a marker")
	}
}

func TestDemoNote(t *testing.T) {
	name, text := DemoNote()
	if !fs.ValidPath(name) || path.Ext(name) != ".md" {
		t.Errorf("%q is no note's name", name)
	}
	marker := regexp.MustCompile(`(?m)^.*@agent-.*$`)
	var live []string
	for _, line := range marker.FindAll(fence.ReplaceAll(text, nil), -1) {
		live = append(live, string(line))
	}
	want := []string{
		"> @agent-Miner what did we decide about backups?",
		"> @agent-Miner at what temperature do we drop the Lantern Blend?",
		"> @agent-Miner:backups how long does restoring the whole server take?",
	}
	if !slices.Equal(live, want) {
		t.Errorf("got\n%s", strings.Join(live, "\n"))
	}
	if all := marker.FindAll(text, -1); len(all) != len(want)+1 {
		t.Errorf("%d lines look like markers, want one more in a code block", len(all))
	}
	for _, q := range want {
		if !bytes.Contains(text, []byte("\n\n"+q+"\n\n")) {
			t.Errorf("%q does not stand alone", q)
		}
	}
}

// Each question of the demo has its answer in one place, in these words.
func TestDemoQuestionsHaveAnAnswer(t *testing.T) {
	all := notes(t)
	for name, sentence := range map[string]string{
		"Meetings/2026-03-12 Backups and the shop computer.md": "every night at 02:30 the shop computer is saved",
		"Coffees/Lantern Blend.md":                             "We drop the Lantern Blend at a temperature of 208 °C.",
		"How-to/Restore a backup.md":                           "Restoring the whole server takes about 50 minutes",
	} {
		for other, text := range all {
			if strings.Contains(text, sentence) != (other == name) {
				t.Errorf("%q: in %s %v", sentence, other, strings.Contains(text, sentence))
			}
		}
	}
}

// The engine asks for these roles and for the general one; each file is called
// after its role.
func TestAgents(t *testing.T) {
	for _, role := range []string{"miner", "broadcaster", "manager", "heavy-lifter", "general"} {
		text, err := fs.ReadFile(Agents(), "vault-mind-"+role+".md")
		if err != nil || !strings.Contains(string(text), "\nname: vault-mind-"+role+"\n") {
			t.Errorf("%s: %v, %.60q", role, err, text)
		}
	}
}

// Every state of the tray has its icon in every form.
func TestIcons(t *testing.T) {
	for _, state := range []string{"idle", "busy", "paused", "error", "offline"} {
		icons := Icon(state)
		for form, data := range map[string][]byte{"\x89PNG": icons.PNG, "\x00\x00\x01\x00": icons.ICO, "\x89PNG\r": icons.Template} {
			if !bytes.HasPrefix(data, []byte(form)) {
				t.Errorf("%s: %d bytes that do not begin with %q", state, len(data), form)
			}
		}
	}
	if none := Icon("other"); none.PNG != nil || none.ICO != nil || none.Template != nil {
		t.Error("there is an icon of no state")
	}
}
