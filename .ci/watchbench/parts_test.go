//go:build peers

package watchbench

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"vaultdispatcher/engine/watch"
)

// plantFresh plants a tree of its own for one part.
func (b *bench) plantFresh(name string, notes int) (*tree, error) {
	fmt.Fprintln(os.Stderr, "bench:", name)
	return plantTree(filepath.Join(b.dir, strings.ReplaceAll(name, " ", "-")), notes)
}

// measureStartup measures how soon each is ready, and its memory then.
func (b *bench) measureStartup() error {
	if err := b.measureStartupOn(small, b.starts); err != nil || b.big == 0 {
		return err
	}
	return b.measureStartupOn(b.big, b.again)
}

func (b *bench) measureStartupOn(notes, rounds int) error {
	v, err := b.plantFresh(fmt.Sprint("startup ", notes), notes)
	if err != nil {
		return err
	}
	defer os.RemoveAll(v.root)
	time.Sleep(2 * time.Second) // none of the notes was written just now
	took, used, memory := make(map[string]time.Duration), make(map[string]time.Duration), make(map[string]float64)
	for range rounds { // in turns, so that all see the same machine
		for _, name := range b.present(ours, oursPolling, bare, parcel, chokidar) {
			t, err := b.startTool(name, v.root, 0)
			if err != nil {
				if b.leaveOut(name, err) {
					continue
				}
				return err
			}
			time.Sleep(time.Second)
			mb, err := t.readMemory()
			t.stop()
			if err != nil {
				return err
			}
			keepLeast(took, name, t.ready)
			keepLeast(used, name, t.used)
			keepLeast(memory, name, mb)
		}
	}
	b.table.addRow(fmt.Sprintf("ready, %d notes", notes), formatEach(took, formatMillis),
		ofBest(took, ours, 2))
	b.table.addRow("the same, CPU time", formatEach(used, formatMillis), ofBest(used, ours, 2))
	var aims []string
	if notes > small {
		aims = []string{ofBest(memory, ours, 2.5)}
	}
	b.table.addRow(fmt.Sprintf("memory (RSS), %d notes", notes), formatEach(memory, formatMegabytes), aims...)
	if notes < b.big {
		return nil // the big tree tells it better
	}
	bytes, err := bytesPerNote(v)
	b.table.addRow(fmt.Sprintf("memory for a note beside its name, %d notes", notes),
		map[string]string{ours: fmt.Sprintf("%.0f bytes", bytes)}, atMost("bytes", bytes, 100))
	return err
}

// keepLeast keeps the smaller value: what disturbs a run makes it larger.
func keepLeast[T cmp.Ordered](m map[string]T, name string, v T) {
	if had, ok := m[name]; !ok || v < had {
		m[name] = v
	}
}

func ratio(a, b time.Duration) float64 { return float64(a) / math.Max(1, float64(b)) }

// measureDelays measures how long after a save it is reported.
func (b *bench) measureDelays() error {
	middle, late, lost := make(map[string]time.Duration), make(map[string]time.Duration), make(map[string]int)
	for _, name := range b.present(ours, bare, parcel, chokidar) {
		v, err := b.plantFresh("delays "+name, small)
		if err != nil {
			return err
		}
		t, err := b.startTool(name, v.root, 0)
		if err != nil {
			if b.leaveOut(name, errors.Join(err, os.RemoveAll(v.root))) {
				continue
			}
			return err
		}
		time.Sleep(time.Second)
		list, n, err := saveSome(t, v, b.saves, 60*time.Millisecond, lossLimit(name, 5*time.Second))
		t.stop()
		if err = errors.Join(err, os.RemoveAll(v.root)); err != nil {
			return err
		}
		middle[name], late[name], lost[name] = percentile(list, 50), percentile(list, 95), n
	}
	b.table.addRow("save to report, p50", formatEach(middle, formatMillis))
	b.table.addRow("save to report, p95", formatEach(late, formatMillis), atMost("ms", late[ours].Seconds()*1000, 5))
	b.table.addLosses("single saves", b.saves, lost)
	return nil
}

// percentile of a list in order; an hour if it is empty.
func percentile(list []time.Duration, p int) time.Duration {
	if len(list) == 0 {
		return time.Hour
	}
	return list[min(len(list)-1, len(list)*p/100)]
}

// runOracles counts the saves each watcher loses.
func (b *bench) runOracles() error {
	lost := map[string]map[string]int{}
	floods := make(map[string]flood)
	for _, name := range b.present(ours, oursPolling, bare, parcel, chokidar) {
		counts, f, err := b.oraclesOf(name)
		if err != nil {
			if b.leaveOut(name, err) {
				continue
			}
			return fmt.Errorf("%s: %w", name, err)
		}
		for what, n := range counts {
			if lost[what] == nil {
				lost[what] = make(map[string]int)
			}
			lost[what][name] = n
		}
		floods[name] = f
	}
	b.table.addLosses("folders made and written into at once", b.rounds, lost["nested"])
	b.table.addLosses("folders with a note moved in", b.rounds, lost["moved"])
	b.table.addLosses("burst of four writers", small, lost["burst"])
	b.table.addLosses("saves while stopped: the queue overflows", b.flood, lost["flood"])
	b.table.addLosses("then notes in a folder made meanwhile", 2, lost["folder"])
	delete(floods, bare)
	delete(floods, parcel)
	delete(floods, chokidar)
	b.table.addRow("then all of it found after", formatEach(floods, func(f flood) string { return formatMillis(f.repaired) }),
		atMost("s", floods[ours].repaired.Seconds(), 2))
	return nil
}

func (b *bench) oraclesOf(name string) (map[string]int, flood, error) {
	v, err := b.plantFresh("oracles "+name, small)
	if err != nil {
		return nil, flood{}, err
	}
	defer os.RemoveAll(v.root)
	defer os.RemoveAll(v.root + ".away")
	t, err := b.startTool(name, v.root, 0)
	if err != nil {
		return nil, flood{}, err
	}
	defer t.stop()
	wait := lossLimit(name, b.wait)
	n1, err1 := saveNested(t, v, b.rounds, wait)
	n2, err2 := moveFoldersIn(t, v, b.rounds, wait)
	n3, err3 := saveBurst(t, v, small, wait)
	f, err4 := overflowQueue(t, v, b.flood, wait+5*time.Second)
	missed := 0
	for _, found := range []bool{f.folder, f.later} {
		if !found {
			missed++
		}
	}
	return map[string]int{"nested": n1, "moved": n2, "burst": n3, "flood": f.lost, "folder": missed}, f,
		errors.Join(err1, err2, err3, err4)
}

// measureComparing measures a full comparison against a walk.
func (b *bench) measureComparing() error {
	v, err := b.plantFresh("comparing", small)
	if err != nil {
		return err
	}
	defer os.RemoveAll(v.root)
	time.Sleep(2 * time.Second)
	us, walk, err := measureSweeps(v.root, watch.ModeFsnotify, b.compare)
	if err != nil {
		return err
	}
	b.addComparison(fmt.Sprintf("full comparison and WalkDir with Info, %d notes on %s", small, fileSystem(v.root)), us, walk, 0.75)
	few, err := b.plantFresh("comparing through FUSE", small/5)
	if err != nil {
		return err
	}
	defer os.RemoveAll(few.root)
	time.Sleep(2 * time.Second)
	err = b.measureUncached(few.root, func(at string) (err error) {
		us, walk, err = measureSweeps(at, watch.ModeFsnotify, b.compare)
		return err
	})
	b.addComparison(fmt.Sprintf("the same, %d notes on FUSE without caches", small/5), us, walk, 0.5)
	return err
}

func (b *bench) addComparison(what string, us, walk time.Duration, limit float64) {
	b.table.addRow(what, map[string]string{ours: formatMillis(us), bare: formatMillis(walk) + " (the walk)"}, atMost("of the walk", ratio(us, walk), limit))
}

func fileSystem(path string) string {
	var st syscall.Statfs_t
	if syscall.Statfs(path, &st) == nil && uint32(st.Type) == 0xEF53 {
		return "ext4"
	}
	return "the temporary folder"
}
