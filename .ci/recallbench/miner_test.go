//go:build recalleval

package recallbench

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/agent/builtin"
	"vaultdispatcher/engine/recall"
)

var (
	classes  = []string{"easy", "words", "hard", "none"}
	showHalf = flag.String("show", "", "print the answers to the questions of this `half` that are not fully answered: choose or report")
)

// posed is a question to a vault whose answer is known.
type posed struct {
	class, text string
	notes       []string // file names of the notes that hold the answer
	words       []string // that stand in it
	report      bool     // it is asked to report on, not to choose on
}

// posedTo reads the questions to a vault.
func posedTo(t *testing.T, file string) []posed {
	t.Helper()
	var out []posed
	count := make(map[string]int)
	for line := range strings.Lines(read(t, file)) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		parts := strings.Split(line, " | ")
		p := posed{class: parts[0], text: parts[1], report: count[parts[0]]%2 == 1}
		count[p.class]++
		if p.class != "none" {
			p.notes, p.words = strings.Split(parts[2], ", "), strings.Split(parts[3], " ; ")
		}
		out = append(out, p)
	}
	return out
}

// vaultAt holds the notes of a folder.
func vaultAt(t *testing.T, root string) *corpus {
	t.Helper()
	c := &corpus{notes: make(map[string]string)}
	err := fs.WalkDir(os.DirFS(root), ".", func(rel string, _ fs.DirEntry, err error) error {
		if err == nil && path.Ext(rel) == ".md" {
			c.add(rel, read(t, filepath.Join(root, rel)))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// tally counts how a class of questions was answered.
type tally struct {
	asked, quoted, first, whole, named, sure, wrong, refused, silent int
}

func (s *tally) add(o tally) {
	s.asked += o.asked
	s.quoted += o.quoted
	s.first += o.first
	s.whole += o.whole
	s.named += o.named
	s.sure += o.sure
	s.wrong += o.wrong
	s.refused += o.refused
	s.silent += o.silent
}

var (
	quotes    = regexp.MustCompile(`(?m)^>( [^—]|\S).*$`)
	noteLink  = regexp.MustCompile(`\[\[([^\[\]|#]+)`)
	plainText = regexp.MustCompile("[*_`\\[\\]\"]|==")
)

func plain(text string) string {
	return strings.ToLower(strings.Join(strings.Fields(plainText.ReplaceAllString(text, "")), " "))
}

// judge looks at the answer to one question.
func judge(p posed, text string) tally {
	s := tally{asked: 1}
	notes, isSure := quotedNotes(text), strings.Contains(text, "**From your notes**")
	right := slices.IndexFunc(notes, func(n string) bool { return slices.Contains(p.notes, path.Base(n)) })
	if p.class == "none" {
		s.refused, s.silent = one(!isSure), one(len(notes) == 0)
		return s
	}
	s.quoted, s.first, s.sure = one(right >= 0), one(right == 0), one(isSure && right >= 0)
	s.wrong = one(isSure && right < 0)
	for _, m := range noteLink.FindAllStringSubmatch(text, -1) {
		if slices.Contains(p.notes, path.Base(m[1])+".md") {
			s.named = 1
		}
	}
	said := plain(strings.Join(quotes.FindAllString(text, -1), " "))
	s.whole = one(right >= 0 && !slices.ContainsFunc(p.words, func(w string) bool { return !strings.Contains(said, plain(w)) }))
	return s
}

func one(is bool) int {
	if is {
		return 1
	}
	return 0
}

// TestMinersPeers looks for the notes that hold the answers by the search below the Miner
// and by other programs.
func TestMinersPeers(t *testing.T) {
	sums := make(map[string]*score)
	var names []string
	asked := 0.0
	for _, file := range questionFiles(t) {
		root := filepath.Join(*vaults, strings.TrimSuffix(filepath.Base(file), ".txt"))
		c := vaultAt(t, root)
		var list []question
		for _, p := range posedTo(t, file) {
			q := question{text: p.text, want: make(map[string]bool)}
			for _, rel := range c.order {
				q.want[rel] = slices.Contains(p.notes, path.Base(rel))
			}
			if p.report && p.class != "none" {
				list = append(list, q)
			}
		}
		_, product := ours(t, "ours", root, c, recall.Options{})
		for _, r := range append(plainFTS5(t, c.sections()), bleveIndex(t, c.sections()), product) {
			if sums[r.name] == nil {
				sums[r.name], names = new(score), append(names, r.name)
			}
			s, n := rate(list, r), float64(len(list))
			sums[r.name].hit1 += n * s.hit1
			sums[r.name].recall5 += n * s.recall5
			sums[r.name].mrr += n * s.mrr
		}
		asked += float64(len(list))
	}
	lines := []string{"half to report", "| ranker | right note first | among five | MRR@10 |", "|---|---|---|---|"}
	for _, name := range names {
		s := sums[name]
		lines = append(lines, fmt.Sprintf("| %s | %.2f | %.2f | %.2f |", name, s.hit1/asked, s.recall5/asked, s.mrr/asked))
	}
	t.Log(strings.Join(lines, "\n"))
}

// questionFiles are the questions to those of the known vaults that are among the real ones.
func questionFiles(t *testing.T) (list []string) {
	t.Helper()
	files, err := filepath.Glob("questions/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if _, err := os.Stat(filepath.Join(*vaults, strings.TrimSuffix(filepath.Base(file), ".txt"))); err != nil {
			t.Logf("not asked: %v", err)
			continue
		}
		list = append(list, file)
	}
	if len(list) == 0 {
		t.Fatalf("none of the vaults that there are questions to is in %s", *vaults)
	}
	return list
}

// TestMiner asks the Miner the questions to the known vaults.
func TestMiner(t *testing.T) {
	all := map[bool]map[string]*tally{false: make(map[string]*tally), true: make(map[string]*tally)}
	for _, file := range questionFiles(t) {
		name := strings.TrimSuffix(filepath.Base(file), ".txt")
		root := filepath.Join(*vaults, name)
		for key, s := range askMiner(t, root, posedTo(t, file)) {
			half, class, _ := strings.Cut(key, " ")
			for _, sum := range []string{class, name} {
				if all[half == "report"][sum] == nil {
					all[half == "report"][sum] = new(tally)
				}
				all[half == "report"][sum].add(s)
			}
		}
	}
	printTallies(t, "choose", all[false])
	printTallies(t, "report", all[true])
}

// minerOf returns what asks the Miner of a vault.
func minerOf(t *testing.T, root string, c *corpus) (ask func(question string) (answer string)) {
	t.Helper()
	ix, _ := ours(t, "ours", root, c, recall.Options{})
	miner := builtin.New(func(string) (*recall.Index, error) { return ix, nil })
	return func(question string) string {
		reply, err := miner.Run(t.Context(), agent.Task{Root: root, Note: "Inbox.md", Requests: []agent.Request{{Line: 1, Instruction: question}}})
		if err != nil {
			t.Fatal(err)
		}
		return reply.Text
	}
}

func askMiner(t *testing.T, root string, list []posed) map[string]tally {
	t.Helper()
	ask := minerOf(t, root, vaultAt(t, root))
	out := make(map[string]tally)
	for _, p := range list {
		text := ask(p.text)
		s, half := judge(p, text), "choose"
		if p.report {
			half = "report"
		}
		if *showHalf == half && (p.class != "none" && s.whole == 0 || p.class == "none" && s.refused == 0) {
			t.Logf("%s, %s: %s (wanted %s: %q)\n%s\n", path.Base(root), p.class, p.text, p.notes, p.words, text)
		}
		sum := out[half+" "+p.class]
		sum.add(s)
		out[half+" "+p.class] = sum
	}
	return out
}

func printTallies(t *testing.T, title string, of map[string]*tally) {
	t.Helper()
	var names []string
	total := new(tally)
	for name, s := range of {
		if !slices.Contains(classes, name) {
			names = append(names, name)
		} else if name != "none" {
			total.add(*s)
		}
	}
	slices.Sort(names)
	of["answerable"] = total
	lines := []string{"half to " + title, "| questions | asked | right note quoted | first | full answer | right note linked | surely right | surely wrong | refused | no quote |", "|---|---|---|---|---|---|---|---|---|---|"}
	for _, name := range slices.Concat(classes[:3], []string{"answerable", "none"}, names) {
		if s := of[name]; s != nil {
			lines = append(lines, fmt.Sprintf("| %s | %d | %d | %d | %d | %d | %d | %d | %d | %d |", name, s.asked, s.quoted, s.first, s.whole, s.named, s.sure, s.wrong, s.refused, s.silent))
		}
	}
	t.Log(strings.Join(lines, "\n"))
}
