package apps

import "encoding/json"

// Periodic Notes is a plugin of Obsidian, in the forms of its versions 0 and 1:
// https://github.com/liamcain/obsidian-periodic-notes/blob/main/src/types.ts,
// https://github.com/liamcain/obsidian-daily-notes-interface/blob/main/src/settings.ts
var _ = add(App{
	Settings: []Setting{{File: periodicData, Notes: []string{"template", "templatePath"}}},
	Daily:    &Daily{File: periodicData, Plugin: "periodic-notes", Read: readPeriodic},
})

const periodicData = ".obsidian/plugins/periodic-notes/data.json"

func readPeriodic(text []byte) (Days, error) {
	var set struct {
		Daily             Days
		ActiveCalendarSet string
		CalendarSets      []struct {
			ID  string
			Day Days
		}
	}
	err := json.Unmarshal(text, &set)
	for _, c := range set.CalendarSets {
		if c.ID == set.ActiveCalendarSet {
			return c.Day, err
		}
	}
	return set.Daily, err
}
