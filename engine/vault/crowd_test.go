package vault

import (
	"context"
	"fmt"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"vaultdispatcher/engine/vault/register"
	"vaultdispatcher/engine/watch"
)

const settleTime = 2500 * time.Millisecond

// settleAll plays changes into a vault whose looks take so long, each of which finds a question that is to settle. It returns
// when each note was looked at again, from the start.
func settleAll(t *testing.T, look time.Duration, change func(v *Vault)) map[string]time.Duration {
	v := New(Options{Register: new(register.Register), Log: slog.New(slog.DiscardHandler)}, quietPort())
	v.makeParts(t.TempDir())
	v.debounce = watch.NewDebounce(time.Second, maxWait)
	start, settled, turn := time.Now(), make(map[string]time.Duration), make(chan bool, 1)
	during := func(do func()) { // in the place of mu, in which fake time does not pass
		turn <- true
		time.Sleep(look)
		do()
		<-turn
	}
	ctx, stop := context.WithCancel(t.Context())
	go func() {
		_ = v.debounce.Run(ctx, func(ev watch.Event) {
			during(func() { v.notes.lookAt(Save{Rel: ev.Path, Crowded: ev.Crowded}, time.Now().Add(settleTime)) })
		})
	}()
	go v.notes.wakes.Run(ctx, func(rel string) { during(func() { settled[rel] = time.Since(start) }) })
	change(v)
	time.Sleep(time.Hour)
	stop()
	synctest.Wait()
	return settled
}

// A note that a person saves right after thousands were copied in, one by one or into known ones, is looked at before these, and
// they are all looked at in the end.
func TestSaveBehindCopies(t *testing.T) {
	for _, ev := range []watch.Event{
		{Kind: watch.Changed, Via: watch.ViaNative, New: true},
		{Kind: watch.Removed, Via: watch.ViaNative},
		{Kind: watch.Changed, Via: watch.ViaRescan},
	} {
		t.Run(fmt.Sprint(ev.Kind, ev.Via, ev.New), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				const n = 5000
				settled := settleAll(t, 5*time.Millisecond, func(v *Vault) {
					for i := range n {
						ev.Path = fmt.Sprintf("copied/%d.md", i)
						v.handleEvent(ev)
					}
					v.handleEvent(watch.Event{Path: "mine.md", Kind: watch.Changed, Via: watch.ViaNative})
				})
				if at := settled["mine.md"]; len(settled) != n+1 || at == 0 || at > time.Second+settleTime+300*time.Millisecond {
					t.Errorf("looked at after %v, %d in all", at, len(settled))
				}
			})
		})
	}
}

// A person goes on writing in a note while a program changes more notes each second than are looked at.
func TestSaveInsideBurst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const n = 30 * 45
		var saved time.Duration
		settled := settleAll(t, 20*time.Millisecond, func(v *Vault) {
			start := time.Now()
			save := func(rel string) { v.handleEvent(watch.Event{Path: rel, Kind: watch.Changed, Via: watch.ViaNative}) }
			save("mine.md")
			time.Sleep(10 * time.Second)
			for i := range n {
				if save(fmt.Sprintf("%d.md", i)); i == n/2 {
					save("mine.md")
					saved = time.Since(start)
				}
				time.Sleep(time.Second / 45)
			}
		})
		if late := settled["mine.md"] - saved - time.Second - settleTime; len(settled) != n+1 || late > 300*time.Millisecond {
			t.Errorf("%v late, %d in all", late, len(settled))
		}
		last := settled["0.md"]
		for i := range n {
			last = max(last, settled[fmt.Sprintf("%d.md", i)])
		}
		if last < time.Minute {
			t.Errorf("the burst was at its end after %v: nothing had to wait", last)
		}
	})
}

// What a note app has told of goes first, also where the watcher finds the same note in a crowd.
func TestToldGoesFirst(t *testing.T) {
	v := New(Options{Register: new(register.Register), Log: slog.New(slog.DiscardHandler)}, quietPort())
	now := time.Now()
	v.notes.lookAt(Save{Rel: "mine.md"}, now)
	for i := range 20 {
		v.notes.lookAt(Save{Rel: fmt.Sprintf("%d.md", i), Crowded: true}, now.Add(-time.Second))
	}
	v.notes.lookAt(Save{Rel: "mine.md", Crowded: true}, now)
	if rel, _ := v.notes.wakes.Take(now); rel != "mine.md" {
		t.Errorf("%s goes first", rel)
	}
}
