package tray

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/testdata/testseed"
)

var (
	errBroken   = errors.New("it broke")
	notOurToken = &api.StatusError{Status: 401, Code: "unauthorized", Text: "This call needs the token."}
	tooMany     = &api.StatusError{Status: 429, Code: "rate_limited", RetryAfter: 5 * time.Second}
)

// play runs a follower against an engine that behaves as follow and ask say, for
// that long, and returns when its calls began, by kind.
func play(t *testing.T, d time.Duration, follow func(context.Context, func(api.Status)) error, ask func() error, heard func(polled)) (follows, asks []time.Duration) {
	t.Helper()
	begun := time.Now()
	ctx, cancel := context.WithTimeout(t.Context(), d)
	defer cancel()
	f := newFollower(nil)
	f.follow = func(ctx context.Context, tell func(api.Status)) error {
		follows = append(follows, time.Since(begun))
		return follow(ctx, tell)
	}
	f.ask = func(context.Context) (api.Status, error) {
		asks = append(asks, time.Since(begun))
		return api.Status{}, ask()
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		f.pollForever(ctx)
	}()
	for {
		select {
		case p := <-f.heard:
			heard(p)
		case <-ended:
			return follows, asks
		}
	}
}

// However calls end and whoever is in a hurry, they begin two seconds apart.
func TestCallsAreTwoSecondsApart(t *testing.T) {
	seed := testseed.Take(t)
	synctest.Test(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(seed, 0))
		ends := []error{api.ErrNotRunning, api.ErrNotOurs, tooMany, errBroken, nil}
		var calls []time.Time
		end := func(ctx context.Context) error {
			calls = append(calls, time.Now())
			if r.IntN(2) == 0 {
				select {
				case <-time.After(time.Duration(r.Int64N(int64(20 * time.Second)))):
				case <-ctx.Done():
				}
			}
			return ends[r.IntN(len(ends))]
		}
		f := newFollower(nil)
		f.follow = func(ctx context.Context, tell func(api.Status)) error {
			if r.IntN(2) == 0 {
				tell(api.Status{})
			}
			if err := end(ctx); err != nil {
				return err
			}
			return errBroken
		}
		f.ask = func(ctx context.Context) (api.Status, error) { return api.Status{}, end(ctx) }
		ctx, cancel := context.WithTimeout(t.Context(), 12*time.Hour)
		defer cancel()
		go func() {
			r := rand.New(rand.NewPCG(seed, 1))
			for ctx.Err() == nil {
				time.Sleep(time.Duration(r.Int64N(int64(time.Minute))))
				f.pollSoon()
			}
		}()
		f.pollForever(ctx)
		for i := range calls[1:] {
			if d := calls[i+1].Sub(calls[i]); d < pollEvery {
				t.Fatalf("call %d came %s after the one before", i+1, d)
			}
		}
		if len(calls) < 1000 {
			t.Errorf("only %d calls in half a day", len(calls))
		}
		time.Sleep(time.Minute) // for who hurries
	})
}

// While a stream lasts nothing else is asked.
func TestFollowingAsksForNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		heard := 0
		follows, asks := play(t, 24*time.Hour, func(ctx context.Context, tell func(api.Status)) error {
			tell(api.Status{})
			<-ctx.Done()
			return ctx.Err()
		}, func() error { return nil }, func(polled) { heard++ })
		if len(follows) != 1 || len(asks) != 0 || heard != 1 {
			t.Errorf("followed at %v, asked at %v, heard %d times", follows, asks, heard)
		}
	})
}

// Where no engine is it is looked for less and less often, but at once when one may
// have come.
func TestEngineIsLookedForSlowly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var heard []error
		follows, asks := play(t, 59*time.Second, func(context.Context, func(api.Status)) error { return api.ErrNotRunning },
			func() error { return nil }, func(p polled) { heard = append(heard, p.err) })
		want := []time.Duration{0, 2, 6, 14, 24, 34, 44, 54}
		for i := range want {
			if len(follows) != len(want) || follows[i] != want[i]*time.Second {
				t.Fatalf("looked at %v", follows)
			}
		}
		if len(asks) != 0 || len(heard) != len(want) || !errors.Is(heard[0], api.ErrNotRunning) {
			t.Errorf("asked at %v, heard %v", asks, heard)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		f, calls := newFollower(nil), 0
		f.follow = func(context.Context, func(api.Status)) error { calls++; return api.ErrNotRunning }
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			f.pollForever(ctx)
		}()
		time.Sleep(15 * time.Second) // the fourth call was at 14, the next is far
		f.pollSoon()
		synctest.Wait()
		time.Sleep(time.Second)
		synctest.Wait()
		if calls != 5 {
			t.Errorf("%d calls, two seconds after the fourth and in a hurry", calls)
		}
		cancel()
		<-ended
	})
}

// An engine that has no room for a follower is asked instead, and tried again later.
func TestRefusedIsAsked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		statuses := 0
		follows, asks := play(t, 63*time.Second, func(context.Context, func(api.Status)) error { return tooMany },
			func() error { return nil }, func(p polled) {
				if statuses++; p.err != nil {
					t.Errorf("heard %v", p.err)
				}
			})
		if len(follows) != 3 || follows[1] != askFor || len(asks) < 25 || statuses != len(asks) || asks[0] != pollEvery {
			t.Errorf("followed at %v, asked at %v, heard %d statuses", follows, asks, statuses)
		}
	})
}

// An engine that does not take our token is another user's, or has another state
// folder. Its status is open to everybody, and not for us to show and to notify of.
func TestEngineOfAnother(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		heard := 0
		follows, asks := play(t, 35*time.Second, func(context.Context, func(api.Status)) error { return notOurToken },
			func() error { return nil }, func(p polled) {
				if heard++; !errors.Is(p.err, notOurToken) {
					t.Errorf("heard %v", p.err)
				}
			})
		if len(follows) != 4 || follows[3] != 3*pollSlowly || len(asks) > 0 || heard != 4 {
			t.Errorf("followed at %v, asked at %v, heard %d times", follows, asks, heard)
		}
	})
}

// A stream that is cut is taken up again without a word, also when the engine is just
// ending; what lasts is said.
func TestCutIsNoNews(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var heard []polled
		turn := 0
		play(t, 20*time.Second, func(_ context.Context, tell func(api.Status)) error {
			switch turn++; turn {
			case 1, 3:
				tell(api.Status{Version: "1"})
				time.Sleep(5 * time.Second)
			}
			return errBroken
		}, func() error { return nil }, func(p polled) { heard = append(heard, p) })
		if len(heard) < 3 || heard[0].err != nil || heard[1].err != nil || heard[2].err == nil {
			t.Errorf("heard %v", heard)
		}
	})
}

// An engine that stands still is told of after one short question, and is followed
// again once it goes on; one that has only been slow is not told of at all.
func TestSilenceIsAskedAbout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun, stands := time.Now(), 90*time.Second
		const silence = 20 * time.Second // of a stream
		var said []time.Duration         // when an error was heard
		var last polled
		play(t, 5*time.Minute, func(ctx context.Context, tell func(api.Status)) error {
			if time.Since(begun) < 60*time.Second || time.Since(begun) > stands+60*time.Second {
				tell(api.Status{})
			}
			select {
			case <-time.After(silence):
				return context.DeadlineExceeded
			case <-ctx.Done():
				return ctx.Err()
			}
		}, func() error {
			if now := time.Since(begun); now < 60*time.Second || now > stands+60*time.Second {
				return nil
			}
			time.Sleep(pollTime)
			return context.DeadlineExceeded
		}, func(p polled) {
			if last = p; p.err != nil {
				said = append(said, time.Since(begun))
			}
		})
		if len(said) == 0 || said[0] < 60*time.Second || said[0] > 60*time.Second+silence+pollTime+pollEvery {
			t.Errorf("an engine that stands still from 1m0s on is told of at %v", said)
		}
		if last.err != nil {
			t.Errorf("last heard: %v", last.err)
		}
	})
}
