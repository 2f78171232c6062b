package watch

import (
	"context"
	"io/fs"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"

	"vaultdispatcher/engine/watch/disk"
)

const benchFolders, benchNotes = 1000, 10

// BenchmarkReady measures how soon 10,000 notes in 1,000 folders are listed and
// watched, against the least that has to be done for it: walk and add. The two
// take turns, so that both see the same machine.
func BenchmarkReady(b *testing.B) {
	root := b.TempDir()
	plant(b, root, benchFolders, benchNotes)
	var ours, bare []time.Duration
	for b.Loop() {
		bare = append(bare, bareReady(b, root))
		ours = append(ours, ready(b, root))
	}
	report(b, ours, bare)
}

func ready(b *testing.B, root string) time.Duration {
	start := time.Now()
	w, err := New(Options{Root: root})
	if err != nil {
		b.Fatal(err)
	}
	ctx, cancel := context.WithCancel(b.Context())
	done := make(chan error)
	notes := 0
	go func() { done <- w.Run(ctx, func(Event) { notes++ }) }()
	<-w.Ready()
	took := time.Since(start)
	cancel()
	if err := <-done; err != nil || notes != benchFolders*benchNotes {
		b.Fatalf("%d notes, %v", notes, err)
	}
	return took
}

func bareReady(b *testing.B, root string) time.Duration {
	start := time.Now()
	w, err := fsnotify.NewWatcher()
	if err != nil {
		b.Fatal(err)
	}
	defer w.Close()
	err = filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		return w.Add(p)
	})
	if err != nil {
		b.Fatal(err)
	}
	return time.Since(start)
}

// BenchmarkRescan measures a comparison of the whole vault in which nothing
// differs, against a walk that stats every note and compares nothing.
func BenchmarkRescan(b *testing.B) {
	root := b.TempDir()
	plant(b, root, benchFolders, benchNotes)
	s := benchSession(b, root)
	var ours, walk []time.Duration
	for b.Loop() {
		start := time.Now()
		err := filepath.WalkDir(root, func(_ string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				_, err = d.Info()
			}
			return err
		})
		walk = append(walk, time.Since(start))
		if err == nil {
			start = time.Now()
			err = s.sweepVault(b.Context(), false)
			ours = append(ours, time.Since(start))
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	report(b, ours, walk)
}

// BenchmarkSnapshot measures the memory that stays for each note, beside the
// bytes of its name.
func BenchmarkSnapshot(b *testing.B) {
	root := b.TempDir()
	plant(b, root, 100, 100)
	const nameLen = len("a note about something 00000.md")
	for b.Loop() {
		before := liveBytes()
		s := benchSession(b, root)
		*s.recent = *newRecent() // what a while without changes leaves
		perNote := float64(liveBytes()-before) / float64(s.snap.notes)
		b.ReportMetric(perNote-float64(nameLen), "B/note")
		runtime.KeepAlive(s)
	}
}

func benchSession(b *testing.B, root string) *session {
	w, err := New(Options{Root: root})
	if err != nil {
		b.Fatal(err)
	}
	e, err := disk.Inspect(root)
	if err != nil {
		b.Fatal(err)
	}
	s := newSession(w.(*reconciler), root, e.ID, func(Event) {})
	b.Cleanup(s.closeSession)
	<-time.After(disk.Freshness) // the notes were written just now, and would be looked at again
	if err := s.sweepVault(b.Context(), true); err != nil {
		b.Fatal(err)
	}
	s.becomeReady()
	return s
}

func liveBytes() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// report compares the best of both sides: what disturbs a run makes it longer.
func report(b *testing.B, ours, peer []time.Duration) {
	us, them := slices.Min(ours), slices.Min(peer)
	b.ReportMetric(float64(us.Microseconds())/1000, "ms/best")
	b.ReportMetric(float64(them.Microseconds())/1000, "peer-ms/best")
	b.ReportMetric(float64(us)/float64(them), "ratio")
}
