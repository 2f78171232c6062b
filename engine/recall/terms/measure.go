package terms

import (
	"slices"
	"strings"
)

// measureActs matches how a question begins that asks how long or how much something is done, up to the word for that.
var measureActs = expression(`(?i)^\W*(?:(?:for )?(?:how (?:long|often|much|many)(?: [\pL'’-]+){0,3}?|(?:(?:at|to|in) )?what temperatures?) (?:does it take(?: \pL+)? to|` +
	`(?:do|does|did|should|must|can|could|shall|may|will|would)(?: (?:the|an?|my|our|your|this))* [\pL'’-]+(?: (?:need|have) to)?) (\pL+)|` +
	`how (?:long|often|much|many)(?: [\pL'’-]+){0,2}? (?:do|does|did|should|must|can|could|will|would) (?:the|an?|my|our|your|this) [\pL'’-]+ [\pL'’-]+ (\pL+)\W*$|` +
	`(?:wie (?:lange|oft|viele?)|(?:auf|bei|zu) welcher temperatur)(?: \pL+)? (?:muss|müssen|soll|sollte|sollen|darf|kann|können|wird|werden)\b.* (\pL+)\W*$|` +
	`combien (?:de temps|d['e’] ?\pL+) (?:(?:doit-on|dois-je|faut-il|peut-on|pour) )?(\pL+(?:er|ir|re))\b)`)

// noMeasureActs say no more than that there is so much of a thing.
var noMeasureActs = Set("take takes last lasts need needs cost costs be go goes run get gets weigh use have make like want mean contain dauern kosten brauchen haben werden sein")

// clauseEnds matches what parts a measure from an act that it is not of.
var clauseEnds = expression(`(?i)[.;!?,](?:\s|$)|\n|\b(?:and|then|or|once|when|while|until|till|before|after|und|dann|oder|sobald|wenn|bis|bevor|vor|nach|et|puis|ou|quand|avant|après)\b`)

// StatesMeasure reports whether a part of a text has the measure that is asked for beside the word for what is done so long or so much:
// of the very thing, or all such measures that the text has, for a recipe may bake its crust and its filling. Names that have only words
// of the question may have that word too. True where nothing is asked to be done.
func (q *Query) StatesMeasure(k Kind, part, text string, names []string) bool {
	isNamed := func(name string) bool {
		shape, mask := q.shapeOf(name)
		return mask&q.measured != 0 && !strings.Contains(shape, "x")
	}
	if q.measured == 0 || !k.IsMeasure() || slices.ContainsFunc(names, isNamed) {
		return true
	}
	clauses := q.measuredClauses(k, part)
	isOfThing := func(mask uint64) bool { return mask&q.object != 0 }
	return slices.ContainsFunc(clauses, isOfThing) || len(clauses) > 0 && len(clauses) >= len(q.measuredClauses(k, text))
}

// measuredClauses returns the terms of each clause of a text that has such a measure and what is done.
func (q *Query) measuredClauses(k Kind, text string) (masks []uint64) {
	for _, clause := range clauseEnds().Split(text, -1) {
		if mask := q.Mask(clause); mask&q.measured != 0 && k.IsIn(clause) {
			masks = append(masks, mask)
		}
	}
	return masks
}

// IsSaid reports whether a line of text that has terms outside of the names has the measure that
// is asked for, a number of things beside their word; where the names have all, any line may have it, and where they
// have that word, a line without it. Other kinds of answers may be said in any form.
func (k Kind) IsSaid(text string, q *Query, named uint64) bool {
	if !k.IsMeasure() {
		return true
	}
	rest := q.Mask(text) &^ named
	for line := range strings.Lines(text) {
		if (rest == 0 || q.Mask(line)&rest != 0) && k.IsIn(line) &&
			(q.hasCount(line) || q.counted&^named == 0 && q.Mask(line)&q.counted == 0) {
			return true
		}
	}
	return false
}

// limiting begins a clause that says which of the things: "65 plugins that support graphs" counts not all plugins.
var limiting = expression(`(?i)^ (that|which|who|whose|qui|que)\b|^, (die|der|das)\b`)

// hasCount reports whether a number is beside a word of what is counted, and no clause behind it says which of them; true
// where nothing is counted.
func (q *Query) hasCount(line string) (has bool) {
	has = q.counted == 0
	scanTokens(line, func(t token) {
		has = has || q.termBit(t.text)&q.counted != 0 && Number.IsIn(line[max(0, t.start-24):min(len(line), t.end+12)]) &&
			!limiting().MatchString(line[t.end:])
	})
	return has
}
