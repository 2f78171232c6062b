package dashboard

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/server"
)

// heldView is what waits for a person, the kinds apart.
type heldView struct {
	Kinds    []heldKind
	Together int // questions that the big button starts
	Others   int // questions that it leaves
	Released int // dispatches that the button before has started
}

// heldKind is what is held for one kind. A burst comes note by note, each with its own button.
type heldKind struct {
	api.HeldGroup
	Reason  string     // of all, where it is the same
	Parts   []heldPart // the notes of a burst; else one without a name
	Folders []heldPart // of a burst, where they are some of it
}

// OneByOne reports whether each is read before it is released.
func (k heldKind) OneByOne() bool { return k.Kind == "untrusted" }

// heldPart is what one button of a burst starts.
type heldPart struct {
	Vault, Name     string
	Questions, Rows int
	Seen            string
	Dispatches      []api.Dispatch
}

func (d *Dashboard) heldPage(c server.Call) (any, error) {
	list, err := d.server.Questions.ListHeld(c.Request.Context(), api.HeldScope{})
	if err != nil {
		return nil, err
	}
	v := heldView{}
	v.Released, _ = strconv.Atoi(c.Request.URL.Query().Get("released"))
	for _, g := range list.Kinds {
		k := heldKind{HeldGroup: g, Reason: sameReason(g.Dispatches), Parts: []heldPart{{Dispatches: g.Dispatches}}}
		if g.Seen != "" {
			k.Parts = partsOf(g.Dispatches, func(d api.Dispatch) []string { return []string{d.File} })
			k.Folders = slices.DeleteFunc(partsOf(g.Dispatches, foldersOf), func(p heldPart) bool {
				return p.Rows == len(g.Dispatches) || len(k.Parts) == 1
			})
		}
		if slices.Contains(api.ReleasedTogether, g.Kind) {
			v.Together += g.Questions
		} else {
			v.Others += g.Questions
		}
		v.Kinds = append(v.Kinds, k)
	}
	return d.showPage(c, "held", "Waiting for you", v)
}

// sameReason returns why dispatches are held, where that is the same of all.
func sameReason(list []api.Dispatch) string {
	for _, d := range list {
		if d.Error != list[0].Error || d.NextAttemptAt != nil {
			return ""
		}
	}
	return list[0].Error
}

// partsOf sorts dispatches by their notes or folders, in the order of the dispatches.
func partsOf(list []api.Dispatch, names func(api.Dispatch) []string) (parts []heldPart) {
	for _, d := range list {
		for _, name := range names(d) {
			i := slices.IndexFunc(parts, func(p heldPart) bool { return p.Vault == d.Vault && p.Name == name })
			if i < 0 {
				i, parts = len(parts), append(parts, heldPart{Vault: d.Vault, Name: name})
			}
			p := &parts[i]
			p.Questions, p.Rows, p.Dispatches = p.Questions+d.Markers, p.Rows+1, append(p.Dispatches, d)
		}
	}
	for i := range parts {
		parts[i].Seen = api.ProveShown(parts[i].Dispatches)
	}
	slices.SortStableFunc(parts, func(a, b heldPart) int {
		return strings.Compare(a.Vault+"\x00"+a.Name, b.Vault+"\x00"+b.Name)
	})
	return parts
}

// foldersOf are the folders of a vault that a note is below.
func foldersOf(d api.Dispatch) (names []string) {
	for dir := path.Dir(d.File); dir != "." && dir != "/" && dir != ".."; dir = path.Dir(dir) {
		names = append(names, dir)
	}
	return names
}
