package watch

import (
	"context"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"vaultdispatcher/engine/watch/disk"
)

// BenchmarkPollIdle measures what polling 10,000 notes costs while nothing
// happens, in percent of one core.
func BenchmarkPollIdle(b *testing.B) {
	root := b.TempDir()
	plant(b, root, benchFolders, benchNotes)
	w, err := New(Options{Root: root, Mode: ModePoll})
	if err != nil {
		b.Fatal(err)
	}
	ctx, cancel := context.WithCancel(b.Context())
	done := make(chan error)
	go func() { done <- w.Run(ctx, func(Event) {}) }()
	<-w.Ready()
	<-time.After(2 * disk.Freshness) // the notes were written just now
	for b.Loop() {
		before, start := busy(b), time.Now()
		<-time.After(20 * time.Second)
		percent := 100 * float64(busy(b)-before) / float64(time.Since(start))
		b.ReportMetric(percent, "%core")
	}
	b.ReportMetric(float64(w.Stats().ScanTook.Microseconds())/1000, "ms/pass")
	cancel()
	if err := <-done; err != nil {
		b.Fatal(err)
	}
}

// busy is the time that the process has spent on a core.
func busy(b *testing.B) time.Duration {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
