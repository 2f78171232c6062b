package replies

import (
	"slices"
	"sort"
	"strings"
	"unicode"
)

// thinker takes a reply apart.
type thinker struct {
	text       string
	lower      string // with A to Z in lower case and tags without attributes, of the same length
	documents  []document
	budget     int // of bytes that are looked at in search of an end: a reply of nothing but tags costs as little as any other
	cut        []string
	unclosed   int            // where an unclosed thought begins in the rest; -1 = nowhere
	unfinished bool           // more text follows
	closings   map[string]int // the last place of each closing tag that was looked for; -1 = nowhere
}

func newThinker(text string) *thinker {
	return &thinker{text: text, lower: blankAttributes(lowerLetters(text)), budget: 8*len(text) + 1<<10, unclosed: -1, closings: map[string]int{}}
}

// mayThink is the cheap look that spares most replies the walk.
func (t *thinker) mayThink() bool {
	return slices.ContainsFunc(pairs, func(p pair) bool { return strings.Contains(t.lower, p.end) }) ||
		strings.Contains(t.lower, finalChannel) || strings.Contains(t.lower, bareFinal)
}

// cutLead cuts the thoughts at the reply's start. It returns where the rest begins, and whether that is a thought which nothing closes.
func (t *thinker) cutLead() (at int, isOpen bool) {
	for {
		end := t.endOfLead(at)
		if end <= at {
			return at, end < 0
		}
		t.cut = append(t.cut, strings.TrimSpace(t.text[at:end]))
		at = end + blankLength(t.text[end:])
	}
}

// endOfLead returns where the thought ends that begins behind the space at a place, 0 where none does, and -1 where nothing
// closes it.
func (t *thinker) endOfLead(at int) int {
	at = len(t.text) - len(trimBlank(t.text[at:]))
	rest := t.lower[at:]
	if n := measureChannels(rest); n > 0 {
		return at + n
	}
	line := rest[:lineLength(rest)]
	for _, p := range pairs {
		from := at + len(p.start)
		switch {
		case p.form == printed && strings.TrimSpace(strings.Replace(line, "…", "...", 1)) == p.start:
			return t.behindClose(at+len(line), p)
		case p.form == printed || p.form == wrapper || !strings.HasPrefix(rest, p.start):
		case p.form == folded:
			return t.behindClose(from, p)
		case p.form == spoken:
			end := t.behindClose(from, sentences[0])
			if other := t.behindClose(from, sentences[1]); end < 0 || other > 0 && (end == 0 || other < end) {
				end = other
			}
			return end
		default:
			return t.behindAnyClose(t.behindOpen(at, p), p)
		}
	}
	return 0
}

// behindOpen returns where the tag ends that opens a thought at a place.
func (t *thinker) behindOpen(at int, p pair) int {
	end := at + len(p.start)
	if t.text[end-1] == ' ' { // there its attributes begin
		end += strings.IndexByte(t.text[end:], '>') + 1
	}
	return end
}

// behindAnyClose is behindClose, also by the tag of another name where none has the right one.
func (t *thinker) behindAnyClose(from int, p pair) int {
	end := t.behindClose(from, p)
	for _, other := range t.othersOf(p, from) {
		if end < 0 {
			end = t.behindClose(from, other)
		}
	}
	return end
}

// othersOf returns the pairs that may replace a pair without its closing tag behind a place.
func (t *thinker) othersOf(p pair, from int) (others []pair) {
	if p.form != mixed || t.closesBehind(from, p) {
		return nil
	}
	for _, other := range tags {
		if other.form == mixed && t.closesBehind(from, other) {
			others = append(others, pair{p.start, other.end, mixed})
		}
	}
	return others
}

// behindClose returns where the mark ends that closes a thought whose text begins at from. Code in a thought may have no end: then the
// first mark counts.
func (t *thinker) behindClose(from int, p pair) int {
	found := -1
	for _, all := range t.passes() {
		t.eachLine(from, func(at, next int, isCode bool) bool {
			line := t.lower[at:next]
			i := findMark(line, p.end)
			said := p.form == spoken // then a mark that is quoted as code does not count
			if i < 0 || isCode && (said || !all) || p.form == printed && !isAlone(line, p.end) || said && strings.Trim(line[:i], " *") != "" {
				return true
			}
			found = at + i + len(p.end)
			if said && strings.HasSuffix(line[:i], "**") {
				found += len(t.text[found:next]) - len(strings.TrimLeft(t.text[found:next], "*"))
			}
			if isMention(t.text[from:at+i], t.text[found:]) {
				found = 0
			}
			return false
		})
		if found >= 0 {
			return found
		}
	}
	return found
}

// passes says for each search of a closing mark whether it includes code. An unfinished text may still get a mark outside of code.
func (t *thinker) passes() []bool {
	if t.unfinished {
		return []bool{false}
	}
	return []bool{false, true}
}

// eachLine calls do for each line from a place on, until that says no or too much was looked at.
func (t *thinker) eachLine(at int, do func(at, next int, isCode bool) bool) {
	code := fences{}
	for at < len(t.text) && t.budget > 0 {
		next := at + lineLength(t.text[at:])
		t.budget -= next - at
		isCode := code.take(t.text[at:next]) || t.isDocument(at, next)
		if !do(at, next, isCode) {
			return
		}
		at = next
	}
}

// cutLines returns the text from a place on without the pairs whose tags are alone on their lines, and without the text before one closing
// tag that has no opening one.
func (t *thinker) cutLines(at int) string {
	var kept strings.Builder
	code, orphaned, opened := fences{}, false, false
	for at < len(t.text) {
		next := at + lineLength(t.text[at:])
		line := t.lower[at:next]
		isCode := code.take(line) || t.isDocument(at, next)
		end := 0
		if !isCode {
			end = t.endOfPair(line, next)
		}
		switch {
		case end > 0:
			t.cut = append(t.cut, strings.TrimSpace(t.text[at:end]))
			if before := kept.String(); before == "" || strings.HasSuffix(before, "\n\n") {
				end += blankLength(t.text[end:])
			}
			next = end
		case !isCode && !orphaned && !opened && measureEnd(line) > 0 && !Blank(t.text[at+measureEnd(line):]):
			next = at + measureEnd(line)
			t.cut = append(t.cut, strings.TrimSpace(kept.String()+t.text[at:next]))
			kept.Reset()
			orphaned, t.unclosed = true, -1
			next += blankLength(t.text[next:])
		default:
			if end < 0 && t.unclosed < 0 {
				t.unclosed = kept.Len()
			}
			opened = opened || !isCode && mentionsOpen(line)
			kept.WriteString(t.text[at:next])
		}
		at = next
	}
	return kept.String()
}

// endOfPair returns where the thought ends whose opening tag is all of a line, which ends at next. It is 0 for
// any other line, and -1 where nothing closes the tag.
func (t *thinker) endOfPair(line string, next int) int {
	i := slices.IndexFunc(tags, func(p pair) bool { return isAlone(line, p.start) })
	if i < 0 {
		return 0
	}
	end := t.endOfLines(next, tags[i])
	for _, other := range t.othersOf(tags[i], next) {
		if end < 0 {
			end = t.endOfLines(next, other)
		}
	}
	return end
}

// endOfLines returns where the line ends with which a thought is closed that begins at next, or -1.
func (t *thinker) endOfLines(next int, p pair) int {
	end := -1
	for _, all := range t.passes() {
		t.eachLine(next, func(at, next int, isCode bool) bool {
			line := t.lower[at:next]
			if (all || !isCode) && (isAlone(line, p.end) || endsSentence(line, p.end)) {
				end = next
			}
			return end < 0
		})
		if end >= 0 {
			break
		}
	}
	return end
}

// isDocument reports whether a stretch of the text is JSON with answers.
func (t *thinker) isDocument(start, end int) bool {
	i := sort.Search(len(t.documents), func(i int) bool { return t.documents[i].end > start })
	return i < len(t.documents) && t.documents[i].start < end
}

// begun returns the part of an unfinished reply that may begin an answer: without thoughts, and without text that may become a mark.
func begun(text string) string {
	t := newThinker(text)
	t.unfinished = true
	at, isOpen := t.cutLead()
	if isOpen {
		return ""
	}
	rest := t.cutLines(at)
	if t.unclosed >= 0 {
		rest = rest[:t.unclosed]
	}
	said := trimBlank(rest)
	if mayLead(lowerLetters(said)) || markdownFence().MatchString(rest) || len(t.cut) > 0 && mayWrap(lowerLetters(said)) {
		return ""
	}
	last := strings.LastIndexByte(rest, '\n') + 1
	if line := strings.Trim(lowerLetters(rest[last:]), " \t\r"); line != "" && mayBeTag(line) {
		return rest[:last]
	}
	return rest
}

// mayLead reports whether text may become the beginning of a thought at the reply's start.
func mayLead(lower string) bool {
	for _, p := range append(slices.Clip(leads), pair{start: "<|start|>assistant<|channel|>"}, pair{start: "<|channel|>"}, pair{start: "analysis"}) {
		if lower != "" && strings.HasPrefix(p.start, lower) || p.start[0] == '<' && strings.HasPrefix(lower, p.start) {
			return true
		}
	}
	said, isBare := strings.CutPrefix(lower, "analysis")
	return isBare && unicode.IsLetter(firstRune(said)) || mayBeTag(lower)
}

// mayBeTag reports whether text is the beginning of a tag.
func mayBeTag(lower string) bool {
	return lower != "" && slices.ContainsFunc(tags, func(p pair) bool {
		name, _ := strings.CutSuffix(p.start, ">")
		return strings.HasPrefix(p.start, lower) || strings.HasPrefix(p.end, lower) ||
			p.form == mixed && strings.HasPrefix(lower, name+" ") && !strings.Contains(lower, ">")
	})
}

// mayWrap reports whether text begins with a tag that may enclose the whole answer, or with part of one.
func mayWrap(lower string) bool {
	return lower != "" && slices.ContainsFunc(wrappers, func(p pair) bool {
		return strings.HasPrefix(p.start, lower) || strings.HasPrefix(lower, p.start)
	})
}
