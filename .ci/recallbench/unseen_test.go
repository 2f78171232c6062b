//go:build recalleval

package recallbench

import (
	"flag"
	"fmt"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var halves = flag.String("halves", "AB", "ask only the questions of these `halves`; A is to choose on, B to report on")

// unseen is a question of the set that was written before the Miner was made to pass it.
type unseen struct {
	half, vault, language, kind, text string
	notes                             []string // paths of those that hold the answer
	must                              string   // words of it
	absent                            string   // the noun, where no note has it
}

func (u unseen) isAnswerable() bool { return len(u.notes) > 0 }

func unseenQuestions(t *testing.T) (list []unseen) {
	t.Helper()
	for i, line := range strings.Split(read(t, "unseen/questions.tsv"), "\n") {
		part := strings.Split(line, "\t") // id, half, vault, language, kind, question, notes, must, absent
		if i == 0 || len(part) < 9 || !strings.Contains(*halves, part[1]) {
			continue
		}
		u := unseen{half: part[1], vault: part[2], language: part[3], kind: part[4], text: part[5], must: part[7], absent: part[8]}
		if part[6] != "" {
			u.notes = strings.Split(part[6], ";")
		}
		list = append(list, u)
	}
	if len(list) < 100 {
		t.Fatalf("%d questions of %s", len(list), *halves)
	}
	return list
}

// unpack writes the notes of an archive in the format of txtar to a folder.
func unpack(t *testing.T, archive, root string) *corpus {
	t.Helper()
	c, rel := &corpus{notes: make(map[string]string)}, ""
	for line := range strings.Lines(read(t, archive)) {
		if name, ok := strings.CutPrefix(strings.TrimSuffix(line, " --\n"), "-- "); ok && strings.HasSuffix(line, " --\n") {
			rel = name
		} else if strings.HasSuffix(rel, ".md") {
			c.add(rel, c.notes[rel]+line)
		}
	}
	c.write(t, root)
	return c
}

// verdict counts how questions were answered.
type verdict struct{ asked, sure, closest, none, wrong, honest, full, first int }

func (v *verdict) add(o verdict) {
	v.asked += o.asked
	v.sure += o.sure
	v.closest += o.closest
	v.none += o.none
	v.wrong += o.wrong
	v.honest += o.honest
	v.full += o.full
	v.first += o.first
}

var (
	quotedFrom = regexp.MustCompile(`(?m)^> — .*$`)
	markdownTo = regexp.MustCompile(`\]\(<?([^()>#]+\.md)`)
)

// quotedNotes are the targets of the links below the quotes of an answer.
func quotedNotes(text string) (list []string) {
	for _, line := range quotedFrom.FindAllString(text, -1) {
		for _, m := range slices.Concat(noteLink.FindAllStringSubmatch(line, 1), markdownTo.FindAllStringSubmatch(line, 1)) {
			target, _ := url.PathUnescape(m[1])
			list = append(list, strings.TrimSuffix(target, ".md")+".md")
		}
	}
	return list
}

// judgeUnseen looks at an answer as a person gets it: a sure one is wrong where it quotes no note that
// holds the answer and the answer is not in it, or where there is no answer.
func judgeUnseen(u unseen, text string) verdict {
	isSure, isClosest := strings.Contains(text, "**From your notes**"), strings.Contains(text, "; closest:**")
	v := verdict{asked: 1, sure: one(isSure), closest: one(isClosest), none: one(!isSure && !isClosest)}
	if !u.isAnswerable() {
		v.honest, v.wrong = one(!isSure), one(isSure)
		return v
	}
	isRight := func(target string) bool {
		return slices.ContainsFunc(u.notes, func(rel string) bool { return rel == target || strings.HasSuffix(rel, "/"+target) })
	}
	notes, isFull := quotedNotes(text), strings.Contains(plain(text), plain(u.must))
	v.full, v.first = one(isFull), one(len(notes) > 0 && isRight(notes[0]))
	v.wrong = one(isSure && !isFull && !slices.ContainsFunc(notes, isRight))
	return v
}

// namesAbsent reports whether an answer quotes nothing and names what no note has.
func namesAbsent(u unseen, text string) bool {
	return len(quotedNotes(text)) == 0 && strings.Contains(strings.ToLower(text), "“"+strings.ToLower(u.absent))
}

// TestUnseen asks the Miner 236 questions to five vaults. None is wrong and sure, and where the noun of one is in no note, nothing is
// quoted. With -show=choose it prints those of the half A that
// were not answered right; it never prints one of B.
func TestUnseen(t *testing.T) {
	sums := make(map[string]*verdict)
	count := func(row string, v verdict) {
		if sums[row] == nil {
			sums[row] = new(verdict)
		}
		sums[row].add(v)
	}
	miners, absent, named, wrong := make(map[string]func(string) string), 0, 0, 0
	for _, u := range unseenQuestions(t) {
		if miners[u.vault] == nil {
			root := t.TempDir()
			miners[u.vault] = minerOf(t, root, unpack(t, filepath.Join("unseen", u.vault+".txtar"), root))
		}
		text := miners[u.vault](u.text)
		v := judgeUnseen(u, text)
		wrong += v.wrong
		if u.absent != "" {
			absent++
			named += one(namesAbsent(u, text))
		}
		kind := "answerable"
		if !u.isAnswerable() {
			kind = "unanswerable"
		}
		for _, row := range []string{kind, u.kind, kind + " " + u.language, kind + " " + u.vault} {
			count(u.half+" "+row, v)
		}
		if isBad := v.wrong > 0 || u.isAnswerable() && v.full+v.first < 2; *showHalf == "choose" && u.half == "A" && isBad {
			t.Logf("%+v\n%s, %s: %s\nwanted %q of %s\n%s\n", v, u.vault, u.kind, u.text, u.must, u.notes, text)
		}
	}
	var rows []string
	for row := range sums {
		rows = append(rows, row)
	}
	slices.Sort(rows)
	lines := []string{"| questions | asked | sure | closest | none | wrong and sure | honest | full answer | right note first |", "|---|---|---|---|---|---|---|---|---|"}
	for _, row := range rows {
		v := sums[row]
		lines = append(lines, fmt.Sprintf("| %s | %d | %d | %d | %d | %d | %d | %d | %d |", row, v.asked, v.sure, v.closest, v.none, v.wrong, v.honest, v.full, v.first))
	}
	t.Log("\n" + strings.Join(lines, "\n"))
	t.Logf("of %d questions whose noun is in no note, %d are none", absent, named)
	if absent == 0 || named < absent || wrong > 0 {
		t.Errorf("of %d questions whose noun is in no note %d are none; %d are wrong and sure", absent, named, wrong)
	}
}

// TestAbsent asks more questions whose noun is in no note. With -show=choose it prints those of the half A that are not none.
func TestAbsent(t *testing.T) {
	miners := make(map[string]func(string) string)
	asked, named := make(map[string]int), make(map[string]int)
	for _, line := range strings.Split(strings.TrimSpace(read(t, "unseen/absent.tsv")), "\n")[1:] {
		part := strings.Split(line, "\t") // half, vault, question, absent
		half, vault := part[0], part[1]
		if miners[vault] == nil {
			root := t.TempDir()
			miners[vault] = minerOf(t, root, unpack(t, filepath.Join("unseen", vault+".txtar"), root))
		}
		text := miners[vault](part[2])
		isNamed := namesAbsent(unseen{absent: part[3]}, text)
		asked[half], named[half] = asked[half]+1, named[half]+one(isNamed)
		if strings.Contains(text, "**From your notes**") || !isNamed && *showHalf == "choose" && half == "A" {
			t.Logf("%s: %s\n%s", vault, part[2], text)
		}
	}
	t.Logf("of %d more questions whose noun is in no note, %d are none; of the half B %d of %d", asked["A"]+asked["B"], named["A"]+named["B"], named["B"], asked["B"])
	if named["A"] < 35 || named["B"] < 20 {
		t.Errorf("of half A %d are none, of half B %d", named["A"], named["B"])
	}
}
