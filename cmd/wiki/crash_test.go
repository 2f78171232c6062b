package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/journal/database"
	"vaultdispatcher/engine/rewrite/swap"
)

var (
	crashKills  = flag.Int("wiki.kills", 6, "how often the engine is killed at a random moment")
	crashWorlds = flag.Int("wiki.worlds", 3, "how many engines are killed side by side, each with its own vault and state")
	crashBinary = flag.String("wiki.binary", "wiki", "the program to kill; as it stands the test binary itself")
)

// The whole program is killed at random moments and started again, while an
// editor saves notes that ask and an agent answers. In the end no line of the
// editor is lost, every question is answered once and none is left; an agent was
// asked again only if the program died before it had the answer, and no crash
// counts as an attempt.
func TestKilledAtRandomMoments(t *testing.T) {
	seed := takeSeed(t)
	var mu sync.Mutex // guards total
	var total tally
	t.Run("worlds", func(t *testing.T) {
		for i := range *crashWorlds {
			t.Run(fmt.Sprint(i), func(t *testing.T) {
				t.Parallel()
				w := newCrashWorld(t, seed, i)
				one := w.play(max(1, *crashKills / *crashWorlds))
				mu.Lock()
				defer mu.Unlock()
				total.add(one)
			})
		}
	})
	t.Logf("count: %d kills, %d saves, %d questions, %d runs of the agent of which %d ended by a kill, %d asked anew after the editor had overwritten the answer, %d writes of comments on progress; lost lines %d, lost questions %d, double answers %d",
		total.kills, total.saves, total.questions, total.runs, total.cut, total.anew, total.told, total.lost, total.unanswered, total.double)
	if total.asked < total.questions {
		t.Errorf("%d questions cannot have been answered, the agent was asked %d", total.questions, total.asked)
	}
}

// tally is what came of a world.
type tally struct {
	kills, saves, questions, runs, cut, anew int
	asked                                    int // questions in runs, of which one may hold several
	told                                     int // writes of what is said on progress
	lost, unanswered, double                 int
}

func (a *tally) add(b tally) {
	a.kills, a.saves, a.questions, a.runs, a.cut, a.anew = a.kills+b.kills, a.saves+b.saves, a.questions+b.questions, a.runs+b.runs, a.cut+b.cut, a.anew+b.anew
	a.asked, a.told = a.asked+b.asked, a.told+b.told
	a.lost, a.unanswered, a.double = a.lost+b.lost, a.unanswered+b.unanswered, a.double+b.double
}

// crashWorld is one engine on one vault, and the editor of its notes.
type crashWorld struct {
	t          *testing.T
	dice       *rand.Rand // of the kills
	dir, vault string
	careful    bool // the editor only adds to the end of its notes and overwrites nothing
	approves   bool // every answer waits for a person, who accepts what is shown
	engine     *process
	tally      tally

	lines     map[string][]string // what the editor saved, by note; the editor's until it has ended
	questions map[string][]int
}

func newCrashWorld(t *testing.T, seed uint64, nth int) *crashWorld {
	w := &crashWorld{
		t: t, dice: rand.New(rand.NewPCG(seed, uint64(nth))), dir: t.TempDir(), careful: nth%2 == 0, approves: nth%3 == 1,
		lines: make(map[string][]string), questions: make(map[string][]int),
	}
	w.vault = filepath.Join(w.dir, "vault")
	w.engine = &process{t: t, dir: w.dir, args: []string{"run", "--config", filepath.Join(w.dir, "config.yaml"), "--port", "0"}}
	progress := "none"
	if nth%3 > 0 {
		progress = "note"
	}
	by := map[bool]string{true: "all", false: "roles"}[w.approves]
	config := fmt.Sprintf("wiki:\n  vaults: [%q]\n  progress: %s\n  approve: {by: %s}\n  debounce: 20ms\n  settle: 100ms\n  limits: {perNote: 0, perHour: 0, perDay: 0, burst: 0}\n  agents:\n    Echo: {runner: command, command: [fake-agent, echo], env: {LOG: %q}}\n",
		w.vault, progress, by, filepath.Join(w.dir, "agent.log"))
	for _, err := range []error{
		os.MkdirAll(w.vault, 0o755),
		os.WriteFile(filepath.Join(w.dir, "config.yaml"), []byte(config), 0o600),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return w
}

// play kills the program n times and returns what is left when it has been let
// finish.
func (w *crashWorld) play(n int) tally {
	ctx, stop := context.WithCancel(context.Background())
	edited := make(chan struct{})
	if w.approves {
		defer w.startPerson()()
	}
	dice := rand.New(rand.NewPCG(w.dice.Uint64(), 0))
	for i, before := 0, 0; i < n; i++ {
		w.engine.start()
		if i == 0 { // what is saved before the vault was given to an engine may be held as old; what is saved from here on may not
			w.awaitGiven()
			go func() { defer close(edited); w.edit(ctx, dice) }()
		}
		if i%3 == 2 {
			before = w.breathe(before)
		}
		<-time.After(time.Duration(50+w.dice.IntN(850)) * time.Millisecond)
		w.engine.kill()
		w.tally.kills++
	}
	w.engine.start()
	stop()
	<-edited
	w.ask(filepath.Join(w.vault, "last.md")) // answered by the engine that is to end well
	w.finish()
	w.judge()
	return w.tally
}

// awaitGiven waits until the vault is given to the engine, which may not have met it yet.
func (w *crashWorld) awaitGiven() {
	w.t.Helper()
	port := filepath.Join(w.dir, "state", "vault-dispatcher", "port")
	for end := time.Now().Add(2 * time.Minute); ; <-time.After(time.Millisecond) {
		if _, err := os.Stat(port); err == nil {
			return
		}
		if time.Now().After(end) {
			w.t.Fatal("the engine does not listen within two minutes")
		}
	}
}

// breathe lets a life last until the agent has ended three runs since the last breath,
// which it has at once on a machine that does not do much else: on a slow one no run
// might come to an end, and the program gives up a question after ten of them, as it
// should. It returns how many runs have ended.
func (w *crashWorld) breathe(before int) (ended int) {
	for end := time.Now().Add(30 * time.Second); ended < before+3 && time.Now().Before(end); <-time.After(20 * time.Millisecond) {
		ended = countRuns(w.t, filepath.Join(w.dir, "agent.log"))
	}
	return ended
}

// edit saves lines and questions into three notes until the context ends. It is
// not killed with the engine.
func (w *crashWorld) edit(ctx context.Context, dice *rand.Rand) {
	for n := 0; ctx.Err() == nil; n++ {
		name := fmt.Sprintf("n%d.md", dice.IntN(3))
		line := fmt.Sprintf("line %d of the user\n", n)
		text := line
		if dice.IntN(3) == 0 {
			text = fmt.Sprintf("\n> @agent-Echo question%s%d?\n\n", []string{" ", "\n> ", "\n> of\n> three "}[dice.IntN(3)], n) + line
			w.questions[name] = append(w.questions[name], n)
		}
		if err := w.save(filepath.Join(w.vault, name), text, dice.IntN(3)); err != nil {
			w.t.Error(err)
		}
		w.lines[name] = append(w.lines[name], line)
		w.tally.saves++
		<-time.After(time.Duration(dice.IntN(250)) * time.Millisecond)
	}
}

// ask saves a note of its own with one question.
func (w *crashWorld) ask(path string) {
	n, line := w.tally.saves, fmt.Sprintf("line %d of the user\n", w.tally.saves)
	if err := os.WriteFile(path, fmt.Appendf(nil, "\n> @agent-Echo question %d?\n\n%s", n, line), 0o644); err != nil {
		w.t.Error(err)
	}
	name := filepath.Base(path)
	w.lines[name], w.questions[name] = []string{line}, []int{n}
	w.tally.saves++
}

// save adds text to a note in one of the ways of editors: to its end; cut to
// nothing and written in two halves; as a new file under the old name.
func (w *crashWorld) save(path, text string, style int) error {
	old, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	whole := append(old, text...)
	switch {
	case w.careful || style == 0:
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o644)
		if err != nil {
			return err
		}
		_, err = f.WriteString(text)
		return closing(f, err)
	case style == 1:
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_TRUNC|os.O_CREATE, 0o644)
		if err != nil {
			return err
		}
		_, err = f.Write(whole[:len(whole)/2])
		if err == nil {
			_, err = f.Write(whole[len(whole)/2:])
		}
		return closing(f, err)
	}
	if err := os.WriteFile(path+".editor~", whole, 0o644); err != nil {
		return err
	}
	return os.Rename(path+".editor~", path)
}

func closing(f *os.File, err error) error {
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	return err
}

// finish waits until no marker is left and ends the engine in good order. It gives up when nothing was answered for
// two minutes: how many questions wait depends on the machine.
func (w *crashWorld) finish() {
	w.t.Helper()
	left, fewest := "", 0
	for end := time.Now().Add(2 * time.Minute); ; {
		open := 0
		left = ""
		for name := range w.questions {
			src, err := os.ReadFile(filepath.Join(w.vault, name))
			if n := bytes.Count(src, []byte("@agent-")) + bytes.Count(src, []byte("agent-progress")); err != nil || n > 0 {
				left, open = left+name+" ", open+max(n, 1)
			}
		}
		if fewest == 0 || open < fewest {
			fewest, end = open, time.Now().Add(2*time.Minute)
		}
		if left == "" || time.Now().After(end) {
			break
		}
		<-time.After(50 * time.Millisecond)
	}
	w.engine.end()
	if left != "" {
		w.t.Errorf("markers, or comments on progress, are left in %s\n%s", left, w.engine.output.String())
	}
}

// judge holds what the editor saved, what the agent saw and what the journal
// says against the notes.
func (w *crashWorld) judge() {
	for name, lines := range w.lines {
		note, all := w.read(name)
		for _, line := range lines {
			if !strings.Contains(all, line) {
				w.tally.lost++
				w.t.Errorf("%s: %q is lost", name, line)
			}
		}
		for _, q := range w.questions[name] {
			w.tally.questions++
			switch n := strings.Count(note, fmt.Sprintf("answer to question %d?\n", q)); {
			case n == 0:
				w.tally.unanswered++
				w.t.Errorf("%s: question %d has no answer:\n%s", name, q, note)
			case n > 1:
				w.tally.double++
				w.t.Errorf("%s: question %d has %d answers:\n%s", name, q, n, note)
			}
		}
	}
	w.judgeJournal()
	if kept, err := swap.CleanTemps(w.vault, "", nil, 0); err != nil || len(kept) > 0 {
		w.t.Errorf("files with words in them are left behind: %q, %v", kept, err)
	}
}

// read returns a note, and the note with the conflict copies beside it.
func (w *crashWorld) read(name string) (note, all string) {
	names, _ := filepath.Glob(filepath.Join(w.vault, strings.TrimSuffix(name, ".md")+"*.md"))
	for _, n := range names {
		b, err := os.ReadFile(n)
		if err != nil {
			w.t.Error(err)
		}
		if all += string(b); filepath.Base(n) == name {
			note = string(b)
		}
	}
	return note, all
}

// judgeJournal wants of every dispatch no failed attempt, and no more runs than
// one and those that a crash has ended.
func (w *crashWorld) judgeJournal() {
	ctx := context.Background()
	j, err := journal.On(database.Open(ctx, filepath.Join(w.dir, "state", "vault-dispatcher", "journal.db")))
	if err != nil {
		w.t.Fatal(err)
	}
	defer j.Close()
	list, err := j.List(ctx, journal.Filter{Limit: 100_000})
	if err != nil || j.Damage() != nil {
		w.t.Fatal(err, j.Damage())
	}
	asked := make(map[string]int)
	for _, d := range list {
		steps, err := j.Steps(ctx, d.ID)
		if err != nil {
			w.t.Error(err)
		}
		recovered, approved := 0, !w.approves
		for _, s := range steps {
			switch s.Name {
			case "approved":
				approved = true
			case "swapping":
				if !approved {
					w.t.Errorf("%s in %s is written without a yes: %+v", d.ID, d.File, steps)
				}
			case "recovered":
				recovered++
			case "showing":
				w.tally.told++
			}
		}
		if d.Attempts > 0 || d.Starts > 1+recovered {
			w.t.Errorf("%s in %s: %d attempts, %d starts, %d of them ended by a crash: %+v", d.ID, d.File, d.Attempts, d.Starts, recovered, steps)
		}
		w.tally.runs += d.Starts
		w.tally.asked += d.Starts * len(d.Markers)
		w.tally.cut += recovered
		for _, m := range d.Markers {
			if asked[m.Instruction]++; asked[m.Instruction] > 1 && d.Answered {
				w.tally.anew++
			}
		}
	}
	if open, err := j.Swaps(ctx); err != nil || len(open) > 0 {
		w.t.Errorf("open exchanges: %+v, %v", open, err)
	}
	if w.careful && w.tally.anew > 0 {
		w.t.Errorf("%d questions were asked anew, though nobody overwrote an answer", w.tally.anew)
	}
}
