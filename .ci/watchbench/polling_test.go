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
	mean        time.Duration // from save to report
	middle, end time.Duration // the same, p50 and p95
	lost        int
}

// measurePolling compares the two that poll, at an equal time to find a save: in the middle,
// and in the mean, where the few that take long count more.
func (b *bench) measurePolling() error {
	us, err := b.pollingOf(oursPolling, 0)
	if err != nil {
		return err
	}
	// How long chokidar takes at one interval tells the interval at which it takes
	// as long as ours.
	one, err := b.pollingOf(chokidarPol, time.Second)
	if err != nil {
		return err
	}
	for name, of := range map[string]func(polled) time.Duration{
		"p50":  func(p polled) time.Duration { return p.middle },
		"mean": func(p polled) time.Duration { return p.mean },
	} {
		interval := time.Duration(float64(time.Second) * ratio(of(us), of(one))).Round(10 * time.Millisecond)
		if interval < 100*time.Millisecond {
			return fmt.Errorf("chokidar would have to poll every %v", interval)
		}
		them, err := b.pollingOf(chokidarPol, interval)
		if err != nil {
			return err
		}
		b.addPolling(fmt.Sprintf("polling %d notes, equal %s (chokidar every %d ms)", small, name, interval.Milliseconds()), us, them)
	}
	return nil
}

func (b *bench) addPolling(what string, us, them polled) {
	both := map[string]polled{oursPolling: us, chokidarPol: them}
	b.table.addRow(what+": save to report, mean, p50, p95", formatEach(both, func(p polled) string {
		return fmt.Sprintf("%s, %s, %s", formatMillis(p.mean), formatMillis(p.middle), formatMillis(p.end))
	}))
	b.table.addRow("the same, CPU of a core when nothing happens", formatEach(both, func(p polled) string { return fmt.Sprintf("%.2f %%", p.cpu) }),
		atMost("%", us.cpu, 1), atMost("of chokidar", us.cpu/max(them.cpu, 0.01), 0.2))
	b.table.addRow("the same, memory (RSS)", formatEach(both, func(p polled) string { return formatMegabytes(p.memory) }))
	b.table.addLosses("the same, single saves", b.saves, map[string]int{oursPolling: us.lost, chokidarPol: them.lost})
}

func (b *bench) pollingOf(name string, interval time.Duration) (p polled, err error) {
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
