// Sizes measures what a person gets from the real program in a vault of a certain size:
//
//	go run . -wiki ../../wiki -notes 10000
//
// It makes notes of 1 to 4 KB, answers as a model server that takes no time, and prints a
// table: each row beside what it is to be, with peers of the same run. It needs Linux. CPU seconds are of the whole process, of both kinds; t is what one
// fsync costs on the same disk in the same run. Nothing is judged. Two rows take minutes, so they have a flag:
// -polled 3m leaves a vault that is polled alone for so long, and -cold runs the README's first command, which downloads all modules.
package main

import (
	"database/sql"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	_ "modernc.org/sqlite"
)

type bench struct {
	dir, vault, wiki string
	notes            int
	settle           time.Duration
	watch            string // wiki.watch.mode
	random           *rand.Rand
	agent            *agent
	cursor           int // the note that is asked in next
}

func main() {
	log.SetFlags(0)
	wiki := flag.String("wiki", "wiki", "the `program`")
	notes := flag.Int("notes", 10_000, "how many notes the vault has, 200 at least")
	settle := flag.Duration("settle", 2500*time.Millisecond, "wiki.settle")
	saves := flag.Int("saves", 60, "single saves")
	burst := flag.Duration("burst", 30*time.Second, "how long markers are saved, 50 a second")
	copied := flag.Int("copied", 5000, "plain notes that are copied in")
	many := flag.Int("dispatches", 20_000, "that the status knows of")
	polled := flag.Duration("polled", 0, "how long a polled vault is left alone")
	cold := flag.Bool("cold", false, "run the README's first command from empty caches")
	flag.Parse()
	dir, err := os.MkdirTemp("", "sizes-")
	check(err)
	defer os.RemoveAll(dir)
	b := &bench{dir: dir, vault: filepath.Join(dir, "vault"), wiki: *wiki, notes: max(*notes, 200), settle: *settle, watch: "auto", random: rand.New(rand.NewPCG(3, 4)), agent: startAgent()}
	b.writeNotes()
	fmt.Printf("%d notes of 1 to 4 KB, settle %v, t = %v (p95 %v)\n", b.notes, b.settle, median(b.syncs()), p95(b.syncs()))
	fmt.Println("\n| what | value | aim |\n|---|---|---|")
	b.measureProgram()
	b.measureFirstStart()
	b.measureRestart()
	e := b.start()
	e.rest()
	b.measureIdle(e)
	if *saves > 0 {
		b.measureSaves(e, *saves)
	}
	if *burst > 0 {
		b.measureBurst(e, *burst)
		b.measurePile(e)
	}
	if *copied > 0 {
		b.measureCopies(e, *copied)
	}
	b.measureMemory(e, "memory after all that")
	e.stop()
	b.measureJournal()
	b.addDispatches(*many)
	e = b.start()
	e.rest()
	b.measureStatus(e)
	b.measureMCP(e)
	b.measureCommands()
	e.stop()
	if *polled > 0 {
		b.measurePolling(*polled)
	}
	if *cold {
		b.measureFirstCommand()
	}
	tellUnmeasured()
	fmt.Printf("\nt was %v then\n", median(b.syncs()))
}

// measureFirstStart saves a marker as soon as the program answers in a vault that is new to it.
func (b *bench) measureFirstStart() {
	e := b.start()
	q := b.ask(b.pickNote())
	b.awaitAnswers([]*question{q}, 10*time.Minute)
	row("marker saved after the first start", "answered after %v, agent after %v", q.answered.Sub(q.saved), b.agent.startOf(q).Sub(q.saved))
	begun := time.Now()
	used, since := e.rest()
	fts5 := filepath.Join(b.dir, "fts5.db")
	peer, size := b.indexByFTS5(fts5)
	row("all read and indexed", "%.2f s of CPU, %v later; FTS5 %.2f s, %.1f times as much", used.Seconds(), max(0, since.Sub(begun)), peer.Seconds(), used.Seconds()/peer.Seconds())
	b.measureMemory(e, "memory when all is indexed")
	e.stop()
	var vault int64
	for _, size := range sizesBelow(b.vault) {
		vault += size
	}
	for name, own := range sizesBelow(filepath.Join(b.dir, "cache")) {
		if strings.HasSuffix(name, ".db") {
			row("the index on the disk", "%.1f MB, FTS5 %.1f, the notes %.1f", float64(own)/1e6, float64(size)/1e6, float64(vault)/1e6)
			b.measureQueries(name, fts5)
		}
	}
	check(os.Remove(fts5))
}

// measureMemory reads what the kernel says of the program.
func (b *bench) measureMemory(e *engine, when string) {
	row(when, "%.1f MB, at the peak %.1f", e.memory("VmRSS"), e.memory("VmHWM"))
}

// openJournal opens the journal of an engine that has ended.
func (b *bench) openJournal() *sql.DB {
	db, err := sql.Open("sqlite", b.journalFile())
	check(err)
	return db
}

func (b *bench) journalFile() string {
	return filepath.Join(b.dir, "state", "vault-dispatcher", "journal.db")
}

// measureJournal says what the journal of an engine that has ended takes for each dispatch, and of that what a person has no
// longer after a week, and what belongs to notes or is free.
func (b *bench) measureJournal() {
	file := b.journalFile()
	db := b.openJournal()
	defer db.Close()
	var n, answers, sent, notes, free int
	check(db.QueryRow(`SELECT (SELECT count(*) FROM dispatches), (SELECT sum(octet_length(answer)) FROM markers),
		(SELECT sum(octet_length(task) + octet_length(sent)) FROM dispatches), (SELECT sum(pgsize) FROM dbstat WHERE name LIKE '%pasts%'),
		(SELECT freelist_count * page_size FROM pragma_freelist_count, pragma_page_size)`).Scan(&n, &answers, &sent, &notes, &free))
	kilobytes := func(bytes int) float64 { return float64(bytes) / 1000 / float64(n) }
	whole := int(sizesBelow(filepath.Dir(file))[file]) - answers
	row("the journal", "%.2f KB for each of %d dispatches, the answer's %d bytes left out", kilobytes(whole), n, answers/n)
	row("of these", "%.2f for what was sent, for 7 days; %.2f for the lines of all notes; %.2f free; %.2f for the rest", kilobytes(sent), kilobytes(notes), kilobytes(free), kilobytes(whole-sent-notes-free))
}

// measureSaves saves single markers, half a second apart.
func (b *bench) measureSaves(e *engine, n int) {
	before := e.cpu()
	var list []*question
	for range n {
		list = append(list, b.ask(b.pickNote()))
		time.Sleep(400*time.Millisecond + time.Duration(b.random.IntN(200))*time.Millisecond)
	}
	b.awaitAnswers(list, time.Minute)
	time.Sleep(11 * time.Second) // the engine looks at displaced files again after ten seconds
	used, _ := e.rest()
	late := b.lateness(list)
	row("save to agent, beyond settle", "p50 %v, p95 %v", median(late), p95(late))
	row("CPU of a dispatch", "%.1f ms", float64((used-before).Microseconds())/1000/float64(n))
}

// measureBurst saves fifty markers a second, each in a note of its own, and asks for the status
// ten times a second; a person who was writing in some notes asks in one every three seconds beside them.
func (b *bench) measureBurst(e *engine, d time.Duration) {
	mine := b.writeIn(int(d/(3*time.Second)) + 1)
	e.rest()
	before, begun := e.cpu(), time.Now()
	var list, middle, own []*question
	var took []time.Duration
	for i := 0; time.Since(begun) < d; i++ {
		q := b.ask(b.pickNote())
		if list = append(list, q); i%150 == 75 {
			middle, own = append(middle, q), append(own, b.ask(mine[len(own)]))
		}
		if i%5 == 0 {
			_, t := e.status()
			took = append(took, t)
		}
		time.Sleep(time.Until(begun.Add(time.Duration(i+1) * 20 * time.Millisecond)))
	}
	saved := time.Since(begun)
	list = append(list, own...)
	b.awaitAnswers(list, 10*time.Minute)
	answering := time.Since(begun.Add(b.settle))
	row("burst", "%d markers, %.0f a second: %.0f answers a second, %.1f ms of CPU each", len(list), float64(len(list))/saved.Seconds(),
		float64(len(list))/answering.Seconds(), float64((e.cpu()-before).Microseconds())/1000/float64(len(list)))
	row("queue empty", "%v after the last of them has settled", answering-saved)
	for i, what := range []string{"one of them", "a person's save inside it"} {
		late := b.lateness([][]*question{middle, own}[i])
		row(what, "agent p50 %v, longest %v beyond settle", median(late), slices.Max(late))
	}
	row("status meanwhile", "p50 %v, p95 %v", median(took), p95(took))
}

// measurePile saves one question when a thousand wait for their turn.
func (b *bench) measurePile(e *engine) {
	e.rest()
	var pile []*question
	for range min(1000, b.notes/2) {
		pile = append(pile, b.ask(b.pickNote()))
	}
	time.Sleep(max(b.settle/2, 1100*time.Millisecond)) // what is saved within a second of others is taken for one of them
	one := b.ask(b.pickNote())
	b.awaitAnswers(append(pile, one), 10*time.Minute)
	late := b.lateness([]*question{one})
	row("a save behind a thousand at once", "agent %v beyond settle", late[0])
	last := slices.MaxFunc(pile, func(a, b *question) int { return a.answered.Compare(b.answered) })
	row("a thousand at once", "%.0f answers a second", float64(len(pile))/(last.answered.Sub(pile[0].saved)-b.settle).Seconds())
}

// measureCopies copies plain notes in, then saves a marker.
func (b *bench) measureCopies(e *engine, n int) {
	e.rest()
	before := e.cpu()
	for i := range n {
		writeNote(filepath.Join(b.vault, fmt.Sprintf("copied %02d", i/100), fmt.Sprintf("copy %05d.md", i)), composeNote(b.random, i, b.notes, 2048))
	}
	q := b.ask(b.pickNote())
	b.awaitAnswers([]*question{q}, 10*time.Minute)
	used, _ := e.rest()
	row("a marker behind copied notes", "%v late behind %d, %.2f s of CPU", b.lateness([]*question{q})[0], n, (used - before).Seconds())
}

// measureStatus asks an idle engine for its status.
func (b *bench) measureStatus(e *engine) {
	var took []time.Duration
	var body []byte
	for range 200 {
		var t time.Duration
		body, t = e.status()
		took = append(took, t)
	}
	row("status, idle", "p50 %v, p95 %v, %.1f KB", median(took), p95(took), float64(len(body))/1000)
}

// addDispatches copies what the journal of an engine that has ended knows until there are so many,
// all but those of the run of an hour before.
func (b *bench) addDispatches(n int) {
	db := b.openJournal()
	defer db.Close()
	var last int
	var dispatch, marker string
	check(db.QueryRow(`SELECT (SELECT max(seq) FROM dispatches),
		(SELECT group_concat(name) FROM pragma_table_info('dispatches') WHERE name NOT IN ('seq', 'id')),
		(SELECT group_concat(name) FROM pragma_table_info('markers') WHERE name <> 'dispatch')`).Scan(&last, &dispatch, &marker))
	for have := last; have < n; have += last {
		_, err := db.Exec(fmt.Sprintf(`INSERT INTO dispatches (seq, id, %s) SELECT seq + %d, printf('%%013d', seq + %[2]d), %[1]s FROM dispatches WHERE seq <= %[4]d;
			INSERT INTO markers (dispatch, %[3]s) SELECT dispatch + %[2]d, %[3]s FROM markers WHERE dispatch <= %[4]d;
			UPDATE dispatches SET finished = finished - 3600000 WHERE seq > %[2]d`, dispatch, have, marker, last))
		check(err)
	}
}

// pickNote returns a note that was not asked in yet, or not for long.
func (b *bench) pickNote() int {
	b.cursor = (b.cursor + 37) % b.notes
	return b.cursor
}

// lateness is how long after its settle time each question came to the agent. Where nothing
// settles a note rests for a second all the same.
func (b *bench) lateness(list []*question) (late []time.Duration) {
	for _, q := range list {
		late = append(late, b.agent.startOf(q).Sub(q.saved)-max(b.settle, time.Second))
	}
	return late
}

// awaitAnswers returns when the answer to every question is in its note.
func (b *bench) awaitAnswers(list []*question, limit time.Duration) {
	open := slices.Clone(list)
	await("the answers", limit, func() bool {
		open = slices.DeleteFunc(open, (*question).isAnswered)
		return len(open) == 0
	})
}

// syncs measures what fsync takes after a write of a page.
func (b *bench) syncs() (took []time.Duration) {
	f, err := os.Create(filepath.Join(b.dir, "sync"))
	check(err)
	defer f.Close()
	for range 100 {
		_, err := f.Write(make([]byte, 4096))
		check(err)
		begun := time.Now()
		check(f.Sync())
		took = append(took, time.Since(begun))
	}
	return took
}
