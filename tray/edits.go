package tray

// edit is what has to be done to one line that is shown already. A line that is
// hidden, before and after, is left alone: on Windows a change would show it.
type edit struct {
	item                Item
	label, check, able  bool // these differ
	appears, disappears bool
}

// compareMenus are the differences of two menus of the same lines.
func compareMenus(before, after []Item) []edit {
	var found []edit
	for i, now := range after {
		old := before[i]
		e := edit{
			item:  now,
			label: old.Label != now.Label, check: old.Checked != now.Checked, able: old.Disabled != now.Disabled,
			appears: old.Hidden && !now.Hidden, disappears: !old.Hidden && now.Hidden,
		}
		switch {
		case e.appears:
			e.label, e.check, e.able = true, true, true // it was not kept up to date meanwhile
			found = append(found, e)
		case e.disappears, !now.Hidden && (e.label || e.check || e.able):
			found = append(found, e)
		}
		found = append(found, compareMenus(old.Sub, now.Sub)...)
	}
	return found
}

// findItem returns the line of an ID.
func findItem(items []Item, id string) (Item, bool) {
	for _, item := range items {
		if item.ID == id {
			return item, true
		}
		if found, ok := findItem(item.Sub, id); ok {
			return found, true
		}
	}
	return Item{}, false
}
