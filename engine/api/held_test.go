package api

import (
	"fmt"
	"slices"
	"testing"
)

func TestHeldScope(t *testing.T) {
	held := func(kind, vault, file string) Dispatch {
		return Dispatch{Status: "held", Vault: vault, File: file, Hold: &Hold{Kind: kind}}
	}
	for _, c := range []struct {
		some HeldScope
		d    Dispatch
		want bool
	}{
		{HeldScope{}, held("untrusted", "v", "a.md"), true},
		{HeldScope{Vault: "v"}, held("old", "w", "a.md"), false},
		{HeldScope{Kind: "burst"}, held("burst", "v", "a.md"), true},
		{HeldScope{Kind: "burst"}, held("old", "v", "a.md"), false},
		{HeldScope{Kind: "burst", Note: "./sub/a.md"}, held("burst", "v", "sub/a.md"), true},
		{HeldScope{Kind: "burst", Note: "a.md"}, held("burst", "v", "sub/a.md"), false},
		{HeldScope{Kind: "burst", Folder: "sub/"}, held("burst", "v", "sub/deep/a.md"), true},
		{HeldScope{Kind: "burst", Folder: "sub"}, held("burst", "v", "subway/a.md"), false},
		{HeldScope{Kind: "burst", Folder: "."}, held("burst", "v", "a.md"), true},
		{HeldScope{Kind: "untrusted"}, held("of a later version", "v", "a.md"), true},
		{HeldScope{Kind: "untrusted"}, Dispatch{Status: "held"}, true},
		{HeldScope{}, Dispatch{Status: "queued"}, false},
	} {
		if got := c.some.Has(c.d); got != c.want {
			t.Errorf("%+v has %+v: %v", c.some, c.d, got)
		}
	}
}

// A proof is of the list that was shown: it chooses that, never what came later, and nothing where
// the list has become another one.
func TestProofOfAList(t *testing.T) {
	shown := []Dispatch{{ID: "b2", File: "a.md", Markers: 1}, {ID: "b4", File: "b.md", Markers: 2}}
	proof := ProveShown(shown)
	late := Dispatch{ID: "b5", File: "a.md", Markers: 1}
	renamed := Dispatch{ID: "b4", File: "c.md", Markers: 2}
	for name, c := range map[string]struct {
		now  []Dispatch
		seen string
		is   bool
	}{
		"the same":                {shown, proof, true},
		"in another order":        {[]Dispatch{shown[1], shown[0]}, proof, true},
		"one came later":          {[]Dispatch{shown[0], shown[1], late}, proof, true},
		"an older one is held":    {append([]Dispatch{{ID: "b3", File: "a.md", Markers: 1}}, shown...), proof, false},
		"the oldest one is held":  {append([]Dispatch{{ID: "b1", File: "a.md", Markers: 1}}, shown...), proof, false},
		"one is gone":             {shown[:1], proof, false},
		"the newest one is gone":  {shown[1:], proof, false},
		"a note has another name": {[]Dispatch{shown[0], renamed}, proof, false},
		"nothing is held":         {nil, proof, false},
		"a proof of nothing":      {shown, ProveShown(nil), false},
		"a proof of more":         {shown, ProveShown(append(slices.Clone(shown), late)), false},
		"no proof":                {shown, "", false},
		"all there is":            {shown, "zzzz", false},
	} {
		chosen, is := ChooseShown(c.now, c.seen)
		if is != c.is || is && !slices.EqualFunc(chosen, shown, func(a, b Dispatch) bool { return a.ID == b.ID }) {
			t.Errorf("%s: %v %v", name, is, chosen)
		}
	}
}

// Of very many the oldest are listed, and the proof is of these.
func TestListHeld(t *testing.T) {
	var all []Dispatch
	for i := range 40 {
		d := Dispatch{ID: fmt.Sprintf("d%02d", i), Status: "held", Markers: 2, Hold: &Hold{Kind: HeldKinds[i%4].Kind}}
		all = append([]Dispatch{d}, all...)
	}
	all = append(all, Dispatch{ID: "done", Status: "done"}, Dispatch{ID: "x", Status: "held", Markers: 1})
	list := ListHeld(all, 4)
	if len(list.Kinds) != 5 {
		t.Fatalf("%d kinds", len(list.Kinds))
	}
	for i, g := range list.Kinds[:4] {
		if g.HeldKind != HeldKinds[i] || g.Count != 10 || g.Questions != 20 || g.Unlisted() != 6 || g.Dispatches[0].ID != fmt.Sprintf("d%02d", i) || (g.Seen != "") != (g.Kind == "burst") {
			t.Errorf("%+v", g)
		}
		if g.Why == "" || g.Does == "" || g.How == "" || g.Title == "" {
			t.Errorf("%s is not explained", g.Kind)
		}
	}
	if g := list.Kinds[4]; g.Kind != "untrusted" || g.Count != 1 {
		t.Errorf("what is not known is taken for %s", g.Kind)
	}
	of := HeldScope{Kind: "burst"}
	burst := slices.DeleteFunc(all, func(d Dispatch) bool { return !of.Has(d) })
	if chosen, is := ChooseShown(burst, list.Kinds[3].Seen); !is || len(chosen) != 4 {
		t.Errorf("%d are chosen by the proof of a cut list", len(chosen))
	}
}

// What a person was shown of a question proves that this question and this agent were shown.
func TestReading(t *testing.T) {
	d := Detail{Dispatch: Dispatch{ID: "d1", File: "a.md", Role: "Editor"}, Answers: []Answer{{Line: 3, Instruction: "whole\ntext"}}}
	agents := []Agent{{Role: "*", Runner: "pi", Reach: "reads all"}, {Role: "editor", Runner: "claude", Reach: "reads nothing"}, {Role: "Other", Runner: "x"}}
	r := ReadingOf(d, agents)
	if r.Agent != "claude" || r.Reach != "reads nothing" || r.Later == "" {
		t.Errorf("%+v", r)
	}
	if other := ReadingOf(d, agents[:1]); other.Agent != "pi" || other.Seen == r.Seen {
		t.Errorf("%+v", other)
	}
	if nobody := ReadingOf(d, nil); nobody.Seen == r.Seen || nobody.Agent == "" {
		t.Errorf("%+v", nobody)
	}
	agents[1].Reach = "runs a shell"
	if ReadingOf(d, agents).Seen == r.Seen {
		t.Error("an agent that can do more has the same proof")
	}
	agents[1].Reach = "reads nothing"
	d.Answers[0].Instruction = "whole\ntext and more"
	if ReadingOf(d, agents).Seen == r.Seen {
		t.Error("another text has the same proof")
	}
}
