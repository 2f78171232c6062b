package main

import (
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// usedBy is what this process uses of the processor while it does something.
func usedBy(do func()) time.Duration {
	var before, after syscall.Rusage
	check(syscall.Getrusage(syscall.RUSAGE_SELF, &before))
	do()
	check(syscall.Getrusage(syscall.RUSAGE_SELF, &after))
	return time.Duration(after.Utime.Nano() + after.Stime.Nano() - before.Utime.Nano() - before.Stime.Nano())
}

// walkVault is what a walk with one stat for each name costs.
func (b *bench) walkVault() time.Duration {
	return usedBy(func() {
		check(filepath.WalkDir(b.vault, func(name string, _ fs.DirEntry, err error) error {
			if err == nil {
				_, err = os.Lstat(name)
			}
			return err
		}))
	})
}

// measureRestart starts the program in a vault in which nothing has changed, as on the next day. For ten
// minutes after an answer its note is read again, and for a minute new ones are: the
// journal's times are put back, and the minute is waited for. One start is not counted: what is written
// down by the first that meets a vault is read by the next.
func (b *bench) measureRestart() {
	time.Sleep(65 * time.Second)
	b.measureStarts("start soon after an answer", 1)
	db := b.openJournal()
	_, err := db.Exec("UPDATE dispatches SET finished = finished - 7200000")
	check(errors.Join(err, db.Close()))
	e := b.start()
	e.rest()
	e.stop()
	b.measureStarts("start with nothing changed", 3)
}

func (b *bench) measureStarts(what string, n int) {
	var pass, again []time.Duration
	for range n {
		pass = append(pass, b.walkVault())
		e := b.start()
		used, _ := e.rest()
		again = append(again, used)
		e.stop()
	}
	row(what, "%.2f s of CPU, a stat pass %.2f, %.1f times as much", median(again).Seconds(), median(pass).Seconds(), median(again).Seconds()/median(pass).Seconds())
}

// indexByFTS5 reads the same notes into a table of SQLite's full-text search, a thousand in each transaction, and returns what
// that costs and how large the file is.
func (b *bench) indexByFTS5(file string) (used time.Duration, size int64) {
	used = usedBy(func() {
		db, err := sql.Open("sqlite", file+"?_pragma=journal_mode(WAL)&_pragma=synchronous(NORMAL)")
		check(err)
		_, err = db.Exec("CREATE VIRTUAL TABLE notes USING fts5(path UNINDEXED, text)")
		check(err)
		for from := 0; from < b.notes; from += 1000 {
			tx, err := db.Begin()
			check(err)
			insert, err := tx.Prepare("INSERT INTO notes VALUES (?, ?)")
			check(err)
			for i := from; i < min(from+1000, b.notes); i++ {
				src, err := os.ReadFile(b.noteName(i))
				check(err)
				_, err = insert.Exec(b.noteName(i), string(src))
				check(err)
			}
			check(errors.Join(insert.Close(), tx.Commit()))
		}
		check(db.Close())
	})
	info, err := os.Stat(file)
	check(err)
	return used, info.Size()
}

// measureIdle leaves an engine alone that has nothing to do, for as long as it takes Go to collect garbage unasked.
func (b *bench) measureIdle(e *engine) {
	const long = 2 * time.Minute
	used, woken := e.threads()
	time.Sleep(long)
	usedThen, wokenThen := e.threads()
	row("idle", "%.1f wakeups a second, %.1f ms of CPU a minute", float64(wokenThen-woken)/long.Seconds(), float64((usedThen-used).Microseconds())/1000/long.Minutes())
}

// threads is what the threads of the program have used, to the nanosecond, and how often they have gone to sleep:
// https://docs.kernel.org/scheduler/sched-stats.html, https://man7.org/linux/man-pages/man5/proc_pid_status.5.html. The CPU
// time of the whole process is told in steps of ten milliseconds, which is more than an idle minute takes.
func (e *engine) threads() (used time.Duration, woken int) {
	tasks, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*", e.cmd.Process.Pid))
	check(err)
	for _, task := range tasks {
		times, err := os.ReadFile(filepath.Join(task, "schedstat"))
		status, err2 := os.ReadFile(filepath.Join(task, "status"))
		if err != nil || err2 != nil {
			continue // a thread that has ended
		}
		ns, err := strconv.ParseInt(strings.Fields(string(times))[0], 10, 64)
		check(err)
		_, rest, _ := strings.Cut(string(status), "\nvoluntary_ctxt_switches:")
		n, err := strconv.Atoi(strings.Fields(rest)[0])
		check(err)
		used, woken = used+time.Duration(ns), woken+n
	}
	return used, woken
}
