package broadcast

import (
	"strings"
	"testing"

	"vaultdispatcher/engine/agent"
)

// Sources are what a line names, or what is about its words; and what of the line was not followed is told.
func TestSourcesAreAbout(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		"Tea":           "Tea is brewed with [[Water]] that is nearly boiling. Green tea wants it cooler than black tea does.\n",
		"Water":         "The water of our house is hard and leaves white marks. Filters of the tap are changed in spring.\n",
		"Stove":         "Green tea and black tea are made on the stove of the kitchen. The stove is cleaned each Friday by Ada.\n",
		"Cellar":        "# Cellar\n\nThe cellar is cold in winter and dry in summer.\n\n## Garden tools\n\nThe spade of the garden hangs behind the door. Its handle is new since May.\n\n## Wine\n\nOld bottles of wine are kept below the stairs there.\n",
		"Garden":        "The garden has four beds and one apple tree. It is watered in the evening by Bob.\n",
		"Street":        "---\nmayor: Eve\n---\nThe street was paved again in March of that year.\n\nAn oak tree was felled there, since its roots had lifted the stones. The oak was older than any of the houses there.\n\nThe lamps were replaced by new ones in April.\n",
		"helpers_of_us": "---\ntitle: Who comes along\n---\nThey know the tools of the house and come early in the day. Each of them has one group.\n",
		"Every":         "We use this page for all that comes up during the week. The price per piece is looked up each time.\n",
	} {
		writeNote(t, root, name+".md", text)
	}
	c := openVault(t, root)
	for order, want := range map[string]struct{ has, hasNot string }{
		"briefing of [[Tea]]":                    {"Sources: [[Tea]].", "Stove;hard and leaves;not understood"},
		"briefing of [[Tea]] and related notes":  {"[[Tea]], [[Water]]", "not understood"},
		"briefing about the garden":              {"[[Garden]];[[Cellar]]", "Stove;Every"},
		"Zusammenfassung über garden":            {"[[Garden]]", "not understood"},
		"briefing about price per use":           {"[[Every]]", "Garden;Cellar;Stove"},
		"compare Tea and Water":                  {"there are too few in [[Tea]], [[Water]].", "Stove"},
		"briefing about helpers":                 {"[[helpers_of_us|Who comes along]]", "Nothing"},
		"briefing of all my notes":               {"**Briefing: All notes**;[[Cellar]]", "not understood"},
		"briefing de toutes mes notes":           {"**Briefing: All notes**;[[Cellar]]", "not understood"},
		"briefing of this week's notes":          {"**Nothing was made.** Notes of a time cannot be chosen here", "[["},
		"briefing of recent notes":               {"**Nothing was made.** Notes of a time cannot be chosen here", "[["},
		"briefing of [[Garden]] length: 5 pages": {"**Nothing was made.** “5 pages” is no length", "[["},
		"a 5-page summary of [[Garden]]":         {"**Nothing was made.** “5 page” is no length", "[["},
		"briefing about submarines":              {"Nothing was made;“submarines” (no note is about it)", "[["},
		"briefing about submarine gardens":       {"Nothing was made;“submarine” (no note is about it)", "[["},
		"compare Garden and Osaka":               {"“Osaka” (no note is about it)", "Garden"},
		"compare Kyoto, Garden and Osaka":        {"“Kyoto Osaka” (no note is about it)", "Garden"},
		"briefing of [[Garden]] by Friday":       {"“by Friday” was not understood", "Nothing"},
		"translate [[Garden]] into German":       {"**Nothing was made.** “translate” is not among what the Broadcaster makes; ask a role with an agent", "[[Garden"},
		"Übersetze [[Garden]] ins Englische":     {"**Nothing was made.** “Übersetze” is not among", "[[Garden"},
	} {
		got := ask(t, c, root, order)
		for w := range strings.SplitSeq(want.has, ";") {
			if !strings.Contains(got, w) {
				t.Errorf("%s: no %q in\n%s", order, w, got)
			}
		}
		for w := range strings.SplitSeq(want.hasNot, ";") {
			if strings.Contains(got, w) {
				t.Errorf("%s: %q is in\n%s", order, w, got)
			}
		}
	}
	reply, err := c.Run(t.Context(), agent.Task{Root: root, Role: "Broadcaster", Requests: []agent.Request{{Line: 1, Instruction: "briefing"}}})
	if err != nil || !strings.HasSuffix(strings.TrimSpace(reply.Text), "there is no note to look in.") {
		t.Errorf("asked in no note, of nothing: %v\n%s", err, reply.Text)
	}
	if text := madeOf(t, root, ask(t, c, root, "briefing about oak")); !strings.Contains(text, "felled") || strings.Contains(text, "paved") || strings.Contains(text, "lamps") {
		t.Errorf("of a note that speaks of it in one paragraph:\n%s", text)
	}
	if got := ask(t, c, root, "cards about oak"); !strings.HasPrefix(got, "**Nothing was made.**") {
		t.Errorf("the properties of a note that only speaks of it are on cards:\n%s", got)
	}
	if text := madeOf(t, root, ask(t, c, root, "briefing about the garden")); strings.Contains(text, "wine") || !strings.Contains(text, "spade") {
		t.Errorf("of a note with one section about it:\n%s", text)
	}
}

// This folder is that of the note which asks, and no other of its name.
func TestThisFolder(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		"Trips/Japan.md":     "Japan was visited in spring, when the cherry trees of the parks were in bloom.\n",
		"Trips/Near/Lake.md": "The lake was reached by train, and a boat took us over to the other shore. The water of the lake was clear and cold in the evening.\n",
		"Old/Trips/Rome.md":  "Rome was visited in autumn, when the days were long enough for walks.\n",
		"Home.md":            "The house has two floors and a cellar that is cold in winter.\n",
	} {
		writeNote(t, root, name, text)
	}
	c := openVault(t, root)
	for note, want := range map[string]string{
		"Trips/Japan.md":     "**Briefing: Trips**;Sources: [[Japan]], [[Lake]].",
		"Trips/Near/Lake.md": "**Briefing: Near**;Sources: [[Lake]].",
		"Home.md":            "**Briefing: All notes**;[[Home]];[[Japan]];[[Lake]];[[Rome]]",
		"":                   "**Nothing was made.**;“this folder” (no note asks)",
	} {
		reply, err := c.Run(t.Context(), agent.Task{Root: root, Role: "Broadcaster", Note: note, Requests: []agent.Request{{Line: 1, Instruction: "briefing of this folder"}}})
		for w := range strings.SplitSeq(want, ";") {
			if err != nil || !strings.Contains(reply.Text, w) {
				t.Errorf("%q wants %s: %v\n%s", note, w, err, reply.Text)
			}
		}
	}
}
