package broadcast

import (
	"fmt"
	"strings"
	"testing"
)

const freezer = "# Freezer\n\nThe freezer stands in the cellar behind the door.\n\n## Rules\n\nAlpha says the first thing about the matter here. Alpha also says another thing of it.\n\n" +
	"## Doors\n\nBeta says the second thing about the matter here. Beta also says another thing of it.\n\n## Empty\n"

// What the order names is taken as it names it, and what is not there is said.
func TestSectionsAreNamed(t *testing.T) {
	for order, want := range map[string]struct{ has, hasNot string }{
		"briefing of [[Freezer#Rules]] and [[Freezer#Doors]]": {"Alpha Beta", "cellar"},
		"briefing of [[Freezer#Rules]] and [[Freezer]]":       {"Alpha Beta cellar", ""},
		"briefing of [[Freezer]] and [[Freezer#Rules]]":       {"Alpha Beta cellar", ""},
		"briefing of [[Freezer#Doors]]":                       {"Beta", "Alpha cellar"},
		"briefing of [it](Odd/Freezer.md#Doors)":              {"Beta", "Alpha cellar"},
		"briefing of [[Freezer#Nope]]":                        {"Nothing was made, Odd/Freezer › Nope (the note has no text below such a heading)", "Alpha"},
		"briefing of [[Freezer#Rules]] [[Freezer#Nope]]":      {"Alpha, Odd/Freezer › Nope (the note has no text below such a heading)", "Beta"},
		"briefing of [[Freezer#Nope]] [[Freezer#Rules]]":      {"Alpha, Odd/Freezer › Nope (the note has no text below such a heading)", "Beta"},
	} {
		root := t.TempDir()
		writeNote(t, root, "Odd/Freezer.md", freezer)
		got := ask(t, openVault(t, root), root, order)
		if at, _, ok := strings.Cut(strings.TrimPrefix(got, "![["), "]]"); ok && strings.HasPrefix(got, "![[") {
			got += readFile(t, root, at+".md")
		}
		has, said, _ := strings.Cut(want.has, ", ")
		words := strings.Fields(has)
		if strings.HasPrefix(has, "Nothing") {
			words = []string{has}
		}
		for _, w := range words {
			if !strings.Contains(got, w) {
				t.Errorf("%s: no %q in\n%s", order, w, got)
			}
		}
		for w := range strings.FieldsSeq(want.hasNot) {
			if strings.Contains(got, w) {
				t.Errorf("%s: %q is in\n%s", order, w, got)
			}
		}
		if !strings.Contains(got, said) {
			t.Errorf("%s: not said that %q:\n%s", order, said, got)
		}
	}
}

// Only the same order replaces what was made: others that have the same title do not.
func TestOtherOrderReplacesNothing(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{"Work/Meet/Red", "Work/Meet/Rust", "Home/Meet/Blue", "Home/Meet/Bark"} {
		writeNote(t, root, name+".md", "# "+name[strings.LastIndex(name, "/")+1:]+"\n\nThe meeting at "+name+" decided on a door for the house. It will be painted in May of the year.\n\n#meet\n")
	}
	c := openVault(t, root)
	for _, tt := range []struct{ order, want string }{
		{"briefing of Work/Meet/", "meet-briefing"},
		{"briefing of Home/Meet/", "meet-briefing 2"},
		{"briefing of #meet", "meet-briefing 3"},
		{"briefing of Work/Meet/ length: short", "meet-briefing"},
		{"briefing of Home/Meet/", "meet-briefing 2"},
		{"briefing of [[Red]] [[Blue]]", "red-briefing"},
		{"briefing of [[Red]] [[Rust]]", "red-briefing 2"},
		{"briefing of [[Red]]", "red-briefing 3"},
		{"briefing of [[Red]] and [[Blue]]", "red-briefing"},
	} {
		if got := ask(t, c, root, tt.order); !strings.HasPrefix(got, "![[Agent/Presentations/"+tt.want+"]]") {
			t.Errorf("%s: %s", tt.order, strings.SplitN(got, "\n", 2)[0])
		}
	}
}

// A length that is none makes nothing.
func TestLengthIsNone(t *testing.T) {
	root := t.TempDir()
	writeNote(t, root, "Odd/Freezer.md", freezer)
	if got := ask(t, openVault(t, root), root, "briefing of [[Freezer]] length: huge"); !strings.HasPrefix(got, "**Nothing was made.** “huge” is no length. Lengths are: `short`") {
		t.Error(got)
	}
}

// A note whose name or properties have a day stands in the timeline also where it has no whole sentence, and of what is left
// out nothing is said that is not so.
func TestTimelineOfShortNotes(t *testing.T) {
	root := t.TempDir()
	writeNote(t, root, "Log/2026-03-01.md", "- bread\n- milk\n")
	writeNote(t, root, "Log/Album.md", "---\ndate: 2026-04-02\n---\n![[cover.png]]\n")
	writeNote(t, root, "Log/Trip.md", "---\ndate: 2026-02-05\n---\nWe went to the sea with all of the children.\n")
	writeNote(t, root, "Log/Undated.md", "Nobody knows when this was written or by whom it was. Today, January 25th, 2022, you have ten days left.\n\nFor example, it is June 19th, 2022, and the year ends.\n")
	writeNote(t, root, "Log/2026-03-03.md", "# Tuesday 3 March 2026\n\nClosed today, so it was a day for repairs.\n") // its heading says the day again
	got := ask(t, openVault(t, root), root, "timeline of Log/")
	if !strings.Contains(got, ", 4 events from 4 notes. It goes from 2026-02-05 to 2026-04-02. Last: [[Album]].") {
		t.Error(got)
	}
	made := readFile(t, root, "Agent/Presentations/log-timeline.md")
	for _, want := range []string{
		"- **2026-02-05** [[Trip]]: We went to the sea", "\n- **2026-03-01** [[2026-03-01]]\n- **2026-03-03** Closed today", "\n- **2026-04-02** [[Album]]\n",
		`"Log/Undated.md: nothing of it was taken"`, "1. [[Trip]]\n2. [[2026-03-01]]\n3. [[2026-03-03]]\n4. [[Album]]\n",
	} {
		if !strings.Contains(made, want) {
			t.Errorf("no %q in\n%s", want, made)
		}
	}
}

// Of two kinds the first is made, and that the other is not is said.
func TestTwoKinds(t *testing.T) {
	root := t.TempDir()
	writeNote(t, root, "Odd/Freezer.md", freezer)
	c := openVault(t, root)
	if got := ask(t, c, root, "briefing and mind map of [[Freezer]]"); !strings.Contains(got, "**Briefing: Freezer**") || !strings.Contains(got, "\n\nOne line makes one thing; ask for `mind map` on a line of its own.\n\n") {
		t.Error(got)
	}
	if got := ask(t, c, root, "briefing of [[Freezer]]"); strings.Contains(got, "One line") {
		t.Error(got)
	}
}

// A length that the notes do not fill, or that a kind does not have, is said; one that is met is not.
func TestLengthIsTold(t *testing.T) {
	root := t.TempDir()
	writeNote(t, root, "Odd/Freezer.md", freezer)
	long, han := "# Long\n", "# 茶\n"
	for i := range 40 {
		long += fmt.Sprintf("\nThe item a%[1]d lies beside b%[1]d and c%[1]d in the box d%[1]d.\n", i)
		han += "\n"
		for r := range 24 {
			han += string(rune(0x4E00 + 24*i + r))
		}
		han += "。\n"
	}
	writeNote(t, root, "Long.md", long)
	writeNote(t, root, "茶.md", han)
	c := openVault(t, root)
	for order, want := range map[string]string{
		"briefing of [[Freezer]] length: 10000 words": "The sentences chosen have 41 words; 10000 were asked for.",
		"audio of [[Freezer]] length: 5min":           "; 750 were asked for.",
		"slides of [[Freezer]] length: long":          "; 800 were asked for.",
		"cards of [[Freezer]] length: 200 words":      "",
		"briefing of [[Freezer]]":                     "",
		"briefing of [[Long]] length: 200 words":      "",
		"briefing of [[茶]] length: short":             ", 10 sentences from 1 note",
	} {
		got := ask(t, c, root, order)
		if told := strings.Contains(got, "were asked for"); told != strings.Contains(want, "asked") || !strings.Contains(got, want) {
			t.Errorf("%s: want %q in\n%s", order, want, got)
		}
		if strings.HasPrefix(order, "cards") != strings.Contains(got, "Without an agent `length:` has no effect.") && !strings.HasPrefix(got, "**Nothing") {
			t.Errorf("%s: no effect?\n%s", order, got)
		}
	}
}

// A folder all of whose notes are private is said to be, and none of them is named.
func TestFolderIsPrivate(t *testing.T) {
	root := t.TempDir()
	writeNote(t, root, "Private/Diary.md", freezer)
	c := openVault(t, root)
	c.port.Private = func(rel string) bool { return strings.HasPrefix(rel, "Private/") }
	got := ask(t, c, root, "briefing of Private/")
	if want := "Left out: Private/ (it is private, and the folder of what is made is not)."; !strings.Contains(got, want) || strings.Contains(got, "Diary") {
		t.Errorf("want %q in\n%s", want, got)
	}
}

// A folder whose name has blanks, without quotes, is taken for its last word; the answer says how to name it, and
// names no folder that is private.
func TestFolderWithBlanks(t *testing.T) {
	root := t.TempDir()
	writeNote(t, root, "Home/Old Trips/Lisbon.md", freezer)
	writeNote(t, root, "Private/My Diary/May.md", freezer)
	c := openVault(t, root)
	c.port.Private = func(rel string) bool { return strings.HasPrefix(rel, "Private/") }
	for order, want := range map[string]string{
		"briefing of Old Trips/":         `Trips/ (a name with spaces needs quotes: "Old Trips/")`,
		"briefing of Home/Old trips/":    `trips/ (a name with spaces needs quotes: "Old Trips/")`,
		"briefing of ips/":               "ips/ (no folder of this name holds notes)",
		"briefing of My Diary/":          "Diary/ (no folder of this name holds notes)",
		`briefing of "Old Trips/"`:       "Sources: [[Lisbon]].",
		`briefing from: "Old Trips/, B"`: "Sources: [[Lisbon]].",
	} {
		if got := ask(t, c, root, order); !strings.Contains(got, want) || strings.Contains(got, "May") {
			t.Errorf("%s: want %q in\n%s", order, want, got)
		}
	}
}
