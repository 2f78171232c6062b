package apps

import (
	"fmt"
	"slices"
	"testing"
)

func TestWhyBin(t *testing.T) {
	for name, want := range map[string]string{
		"#recycle": "the bin of a Synology share", "$RECYCLE.BIN": "the bin of Windows",
		"_v_recycle_bin": "the bin of VNote", "vx_recycle_bin": "the bin of VNote", "@Trash": "the bin of NotePlan",
		"trash": "", "Trash": "", "recycle_bin": "", "bak": "", "": "",
	} {
		if got := WhyBin(name); got != want {
			t.Errorf("%q is %q, want %q", name, got, want)
		}
	}
}

// A place that needs something beside it is named with the folder where that has to be.
func TestKept(t *testing.T) {
	id := "0123456789abcdef0123456789abcdef.md"
	for rel, want := range map[string]string{
		"logseq/bak":                          "[logseq/bak in . with [pages journals]]",
		"logseq/bak/pages/Plan/a.md":          "[logseq/bak in . with [pages journals]]",
		"x/y/logseq/version-files/pages/a.md": "[x/y/logseq/version-files in x/y with [pages journals]]",
		"trash/1.md":                          "[trash in . with [notes.sqlite]]",
		"Notes/trash":                         "[Notes/trash in Notes with [notes.sqlite]]",
		id:                                    "[ in . with [.resource]]",
		"sync/" + id:                          "[ in sync with [.resource]]",
		"logseq":                              "[]", "logseq/a.md": "[]", "logseq/pages/bak/a.md": "[]", "bak/a.md": "[]", "my logseq/bak/a.md": "[]", "logseq/bak.md": "[]",
		"version-files/a.md": "[]", "trash.md": "[]", "my trash/a.md": "[]", "x" + id: "[]", id + "/a.md": "[]",
	} {
		var got []string
		for _, c := range Kept(rel) {
			got = append(got, fmt.Sprintf("%s in %s with %v", c.Folder, c.Parent, c.Companions))
		}
		if fmt.Sprint(got) != want {
			t.Errorf("%s: %v, want %s", rel, got, want)
		}
	}
}

func TestFindPlaceholders(t *testing.T) {
	for text, want := range map[string]int{
		"{{date}}": 1, "{{ date:YYYY-MM-DD }}": 1, "{{DATE}} {{title}}": 2, "{{time:HH:mm}}": 1, "{{date+1d:YYYY}}": 1, "{{monday:YYYY-MM-DD}}": 1,
		"{{yesterday}}": 1, "{{VALUE}}": 1, "{{VDATE:due,YYYY}}": 1, "{{datetime}}": 1, "{{#custom_datetime}}M d{{/custom_datetime}}": 1,
		"<% tp.file.title %>": 1, "<%* let a = 1\nlet b = 2 -%>": 1, "<%today%>": 1, "<% current page %>": 1,
		"{{c1::a}}": 0, "{{embed [[a]]}}": 0, "{{query (task now)}}": 0, "{{video x}}": 0, "{{ user.name }}": 0, "${{ env.date }}": 0, "{{date_of_birth}}": 0,
		"{{dates}}": 0, "<%": 0, "5 <% 6": 0, "<%%>": 0, "{date}": 0, "{{title|x}}": 0, "{{{embed}}}": 0,
	} {
		if got := len(FindPlaceholders([]byte(text))); got != want {
			t.Errorf("%q has %d, want %d", text, got, want)
		}
		if want > 0 && !MayFill([]byte(text)) {
			t.Errorf("%q is not looked at", text)
		}
	}
}

func TestMakesTemplate(t *testing.T) {
	for line, want := range map[string]bool{
		"template:: meeting": true, "Template::meeting": true,
		"template::": false, "template:: [[Daily]]": false, "template-including-parent:: false": false, "template: x": false, "a template:: x": false,
	} {
		if MakesTemplate(line) != want {
			t.Errorf("%q: %v", line, !want)
		}
	}
	for tag, want := range map[string]bool{
		"meta/template/page": true, "#meta/template/page": true, "meta/template": true, "Meta/Template/Slash": true,
		"template": false, "meta": false, "meta/templates": false, "": false,
	} {
		if TagsTemplate(tag) != want {
			t.Errorf("the tag %q: %v", tag, !want)
		}
	}
}

// A file of settings, a bin or a place stands in one row.
func TestRowsDiffer(t *testing.T) {
	seen := make(map[string]bool)
	add := func(what string) {
		if seen[what] {
			t.Errorf("%s is there twice", what)
		}
		seen[what] = true
	}
	for _, s := range Settings() {
		add(s.File)
	}
	for _, p := range places() {
		add(p.Path + p.Item)
	}
	isApp := func(d Daily) bool { return d.Plugin == "" }
	d := Dailies()
	if first := slices.IndexFunc(d, isApp); first < 1 || slices.ContainsFunc(d[first:], func(d Daily) bool { return !isApp(d) }) {
		t.Errorf("%d settings of daily notes: plugins count before apps", len(d))
	}
}
