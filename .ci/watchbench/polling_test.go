//go:build peers

package watchbench

import (
	"errors"
	"fmt"
	"os"
	"time"
)

// polled is what polling costs and brings.
type polled struct {
	cpu         float64 // of one core, in per cent, while nothing happens
	memory      float64
	every       time.Duration // it looks; 0 = it decides itself
	mean        time.Duration // from save to report
	middle, end time.Duration // the same, p50 and p95
	lost        int
}

// measurePolling compares what polls, at an equal time to find a save: in the middle,
// and in the mean, where the few that take long count more.
func (b *bench) measurePolling() error {
	us, err := b.pollingOf(oursPolling, 0)
	if err != nil {
		return err
	}
	walk, err := b.costOfWalk()
	if err != nil {
		return err
	}
	// How long chokidar takes at one interval tells the interval at which it takes
	// as long as ours.
	one, err := b.pollingOf(chokidarPol, time.Second)
	if err != nil && !b.leaveOut(chokidarPol, err) {
		return err
	}
	for _, equal := range []struct {
		what  string
		of    func(polled) time.Duration
		limit float64
	}{
		{"p50", func(p polled) time.Duration { return p.middle }, 1.0 / 2},
		{"mean", func(p polled) time.Duration { return p.mean }, 1},
	} {
		all := map[string]polled{oursPolling: us}
		// Who walks through the vault at an interval finds a save after half of it, in the middle and in the mean.
		every := 2 * equal.of(us)
		all[plainWalk] = polled{cpu: 100 * ratio(walk, every), every: every, mean: every / 2, middle: every / 2, end: every * 95 / 100}
		for _, name := range b.present(chokidarPol) {
			interval := time.Duration(float64(time.Second) * ratio(equal.of(us), equal.of(one))).Round(10 * time.Millisecond)
			them, err := b.pollingOf(name, max(interval, 100*time.Millisecond))
			if err == nil {
				all[name] = them
			} else if !b.leaveOut(name, err) {
				return err
			}
		}
		b.addPolling(fmt.Sprintf("polling %d notes, equal %s", small, equal.what), all, equal.limit)
	}
	return nil
}

// costOfWalk is the CPU time of a walk that stats each note, the least of some.
func (b *bench) costOfWalk() (least time.Duration, err error) {
	v, err := b.plantFresh("a walk", small)
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(v.root)
	for range 5 {
		before := cpuTime()
		if _, err := walkAll(v.root); err != nil {
			return 0, err
		}
		if used := cpuTime() - before; least == 0 || used < least {
			least = used
		}
	}
	return least, nil
}

func (b *bench) addPolling(what string, all map[string]polled, limit float64) {
	cpu, memory, lost := make(map[string]float64), make(map[string]float64), make(map[string]int)
	for name, p := range all {
		if cpu[name] = p.cpu; name != plainWalk {
			memory[name], lost[name] = p.memory, p.lost
		}
	}
	b.table.addRow(what+": save to report, mean, p50, p95", formatEach(all, func(p polled) string {
		text := fmt.Sprintf("%s, %s, %s", formatMillis(p.mean), formatMillis(p.middle), formatMillis(p.end))
		if p.every > 0 {
			text += ", looking every " + formatMillis(p.every)
		}
		return text
	}))
	b.table.addRow("the same, CPU of a core when nothing happens", formatEach(cpu, func(c float64) string { return fmt.Sprintf("%.2f %%", c) }),
		atMost("%", cpu[oursPolling], 1), ofBest(cpu, oursPolling, limit))
	b.table.addRow("the same, memory (RSS)", formatEach(memory, formatMegabytes))
	b.table.addLosses("the same, single saves", b.saves, lost)
}

func (b *bench) pollingOf(name string, interval time.Duration) (p polled, err error) {
	p.every = interval
	v, err := b.plantFresh(fmt.Sprintf("polling %s %v", name, interval), small)
	if err != nil {
		return p, err
	}
	defer os.RemoveAll(v.root)
	time.Sleep(2 * time.Second)
	t, err := b.startTool(name, v.root, interval)
	if err != nil {
		return p, err
	}
	defer t.stop()
	time.Sleep(5 * time.Second) // what follows the start is over
	before, err := t.readCPU()
	if err != nil {
		return p, err
	}
	time.Sleep(b.idle)
	after, err := t.readCPU()
	p.cpu = 100 * (after - before).Seconds() / b.idle.Seconds()
	var err2, err3 error
	p.memory, err2 = t.readMemory()
	list, lost, err3 := saveSome(t, v, b.saves, 137*time.Millisecond, lossLimit(name, 30*time.Second))
	p.mean = mean(list)
	p.middle, p.end, p.lost = percentile(list, 50), percentile(list, 95), lost
	return p, errors.Join(err, err2, err3)
}

func mean(list []time.Duration) (m time.Duration) {
	for _, d := range list {
		m += d / time.Duration(len(list))
	}
	return m
}
