package watch

import (
	"flag"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"vaultdispatcher/engine/testdata/testseed"
	"vaultdispatcher/engine/watch/source"
)

var (
	foldersFlag = flag.Int("folders", 100, "how many folders the tests of whole folders make and move")
	tortureTime = flag.Duration("torture", time.Second, "how long each torture test changes the vault")
)

// Several writers do at random what people, editors and synchronisation programs
// do to a vault. Every text is unique, so when the notes as read at their latest
// events equal the notes on disk, the last save of each was reported, and every
// removal.
func TestTorture(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"native", "poll", "overflows", "narrow", "dropped"} {
		t.Run(mode, func(t *testing.T) { torture(t, mode) })
	}
}

func torture(t *testing.T, mode string) {
	seed := testseed.Take(t)
	root, outside := t.TempDir(), t.TempDir()
	v := newVault(t, root, swift)
	switch mode {
	case "poll":
		v.w.opts.Mode = ModePoll
	case "dropped":
		v.w.opts.Mode = ModeFsnotify // keeps the source although it misses changes
		v.w.opts.Rescan = 300 * time.Millisecond
		v.loseHalf(rand.New(rand.NewPCG(seed, 99)))
	}
	v.start()
	v.waitReady()

	var clock atomic.Int64
	var wg sync.WaitGroup
	lasts := *tortureTime
	if testing.Short() {
		lasts = min(lasts, 300*time.Millisecond)
	}
	end := time.Now().Add(lasts)
	for w := range 3 {
		wg.Go(func() {
			vandal := &vandal{
				rnd:     rand.New(rand.NewPCG(seed, uint64(w))),
				root:    root,
				outside: outside,
				clock:   &clock,
				uproots: mode == "overflows" || mode == "poll",
			}
			for time.Now().Before(end) {
				vandal.act()
			}
		})
	}
	for disturbed := true; disturbed && time.Now().Before(end); {
		switch mode {
		case "overflows":
			v.w.hints.AddOverflow()
			<-time.After(50 * time.Millisecond)
		case "narrow":
			collapseHints(v.w.hints)
			<-time.After(time.Millisecond)
		default:
			disturbed = false
		}
	}
	wg.Wait()
	v.settled()
	if mode == "dropped" {
		v.w.Rescan() // the watches themselves are made again by this
	}
	v.mirrorsDisk()
	v.stop()

	surprises := 0
	for _, e := range v.events {
		if strings.HasPrefix(e.Path, ".") || strings.Contains(e.Path, "/.") || !strings.HasSuffix(e.Path, ".md") {
			t.Errorf("reported %s, which is ignored", e.Path)
		}
		if e.Via == ViaRescan {
			surprises++
		}
	}
	t.Logf("count: %d operations, %d events, %d of them found by comparison; %+v", clock.Load(), len(v.events), surprises, v.w.Stats())
}

// loseHalf puts somebody between the source and the reconciler who passes on one
// hint of two.
func (v *vault) loseHalf(coin *rand.Rand) {
	var mu sync.Mutex // guards coin: a source that ends may still pass on while the next one does
	open := v.w.opener
	v.w.opener = func(root string, h *source.Hints, log *slog.Logger) (source.Source, error) {
		far := source.NewHints()
		go func() {
			for {
				select {
				case <-v.Context().Done():
					return
				case <-far.Wake:
				}
				paths, all := far.Take()
				for rel, what := range paths {
					mu.Lock()
					isKept := rel == "" || coin.IntN(2) == 0
					mu.Unlock()
					if isKept {
						h.Add(rel, what)
					}
				}
				if all {
					h.AddAll()
				}
			}
		}()
		return open(root, far, log)
	}
}

// vandal changes a small tree, so that its writers meet.
type vandal struct {
	rnd           *rand.Rand
	root, outside string
	clock         *atomic.Int64 // makes each text unique
	uproots       bool          // the whole vault may go for a moment
}

func (d *vandal) pick(from ...string) string { return from[d.rnd.IntN(len(from))] }

func (d *vandal) folder() string {
	p := d.root
	for range d.rnd.IntN(4) {
		p = filepath.Join(p, d.pick("a", "b", "c", "d", ".hidden"))
	}
	return p
}

func (d *vandal) note() string {
	return filepath.Join(d.folder(), d.pick("1.md", "2.md", "3.md", "4.md", "pic.png"))
}

// act does one thing. Most of it fails now and then, because another writer was
// faster; that is what it is for.
func (d *vandal) act() {
	token := d.clock.Add(1)
	text := []byte(fmt.Sprintf("text %d", token))
	switch n := d.rnd.IntN(100); {
	case n < 35:
		os.WriteFile(d.note(), text, 0o644)
	case n < 50:
		p := d.note()
		tmp := fmt.Sprintf("%s.%d.tmp", p, token)
		if os.WriteFile(tmp, text, 0o644) == nil {
			if os.Rename(tmp, p) != nil {
				os.Remove(tmp)
			}
		}
	case n < 60:
		os.Remove(d.note())
	case n < 68:
		os.Rename(d.note(), d.note())
	case n < 80:
		p := d.folder()
		os.MkdirAll(p, 0o755)
		os.WriteFile(filepath.Join(p, "1.md"), text, 0o644)
	case n < 90:
		os.Rename(d.folder(), d.folder())
	case n < 94:
		away := filepath.Join(d.outside, fmt.Sprint(token))
		if p := d.folder(); p != d.root && os.Rename(p, away) == nil {
			os.WriteFile(filepath.Join(away, "2.md"), text, 0o644)
			os.Rename(away, d.folder())
		}
	case n < 96:
		if p := d.folder(); p != d.root {
			os.RemoveAll(p)
		}
	default:
		if p := d.folder(); p != d.root || d.uproots {
			os.Rename(p, p+"~")
			os.Rename(p+"~", p)
		}
	}
}

// collapseHints does what hints do when they are more than can be held: they are said
// of folders, or of everything.
func collapseHints(h *source.Hints) {
	paths, all := h.Take()
	for rel, what := range paths {
		switch dir, _ := splitPath(rel); {
		case dir != "":
			h.Add(dir, what)
		case rel == "" && what == source.Subtree:
			h.Add(rel, what)
		default:
			all = true
		}
	}
	if all {
		h.AddAll()
	}
}
