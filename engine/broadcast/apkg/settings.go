package apkg

import "fmt"

// This file has what Anki keeps as JSON in its table col, with the values of a new collection.
// https://github.com/ankidroid/Anki-Android/wiki/Database-Structure

var settings = map[string]any{
	"activeDecks": []int{1}, "curDeck": 1, "newSpread": 0, "collapseTime": 1200, "timeLim": 0, "estTimes": true, "dueCounts": true,
	"curModel": fmt.Sprint(noteType), "nextPos": 1, "sortType": "noteFld", "sortBackwards": false, "addToCur": true, "dayLearnFirst": false,
}

var options = map[string]any{"1": map[string]any{
	"id": 1, "mod": 0, "name": "Default", "usn": 0, "maxTaken": 60, "autoplay": true, "timer": 0, "replayq": true, "dyn": false,
	"new":   map[string]any{"bury": true, "delays": []int{1, 10}, "initialFactor": 2500, "ints": []int{1, 4, 7}, "order": 1, "perDay": 20, "separate": true},
	"rev":   map[string]any{"bury": true, "ease4": 1.3, "fuzz": 0.05, "ivlFct": 1, "maxIvl": 36500, "minSpace": 1, "perDay": 200},
	"lapse": map[string]any{"delays": []int{10}, "leechAction": 0, "leechFails": 8, "minInt": 1, "mult": 0},
}}

// describeDecks returns the deck that every collection has, which remains empty, and d.
func (d Deck) describeDecks(id int64) map[string]any {
	describe := func(id int64, name string) map[string]any {
		none := []int{0, 0}
		return map[string]any{
			"id": id, "name": name, "mod": d.Date.Unix(), "usn": -1, "desc": "", "conf": 1, "dyn": 0, "collapsed": false, "browserCollapsed": false,
			"extendNew": 0, "extendRev": 50, "newToday": none, "revToday": none, "lrnToday": none, "timeToday": none,
		}
	}
	return map[string]any{"1": describe(1, "Default"), fmt.Sprint(id): describe(id, d.Name)}
}

const style = ".card { font-family: sans-serif; font-size: 20px; text-align: center } .source { font-size: 13px; color: gray }"

// describeNotes has our kind of notes: a front, a back and a source.
func (d Deck) describeNotes(deck int64) map[string]any {
	var fields []map[string]any
	for i, name := range []string{"Front", "Back", "Source"} {
		fields = append(fields, map[string]any{"name": name, "ord": i, "sticky": false, "rtl": false, "font": "Arial", "size": 20, "media": []string{}})
	}
	return map[string]any{fmt.Sprint(noteType): map[string]any{
		"id": noteType, "name": "Vault Dispatcher", "type": 0, "mod": 0, "usn": -1, "sortf": 0, "did": deck, "css": style, "flds": fields,
		"tmpls": []map[string]any{{
			"name": "Card 1", "ord": 0, "qfmt": "{{Front}}", "bqfmt": "", "bafmt": "", "did": nil, "bfont": "", "bsize": 0,
			"afmt": "{{FrontSide}}<hr id=answer>{{Back}}<p class=source>{{Source}}</p>",
		}},
		"latexPre": "", "latexPost": "", "latexsvg": false, "req": []any{[]any{0, "any", []int{0}}}, "tags": []string{}, "vers": []int{},
	}}
}
