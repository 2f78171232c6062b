package patience

import (
	"context"
	"slices"
	"sync"
	"time"
)

// lost is a look that was left behind.
type lost struct {
	end   <-chan struct{} // closed when the look is back
	start time.Time
}

var (
	behindMu sync.Mutex                // guards behind
	behind   = make(map[string][]lost) // by their folders
)

// onceMore is how long a disk is waited for that has kept a look for [DiskTime].
const onceMore = 100 * time.Millisecond

// AwaitAt is [AwaitUntil] at a folder. After a look there was left behind, another begins only when that one has
// returned. AwaitAt waits for it until it has taken [DiskTime], or a moment. So a disk that hangs takes few of the
// process's places, and little of a person's time, however often it is asked for.
func AwaitAt[T any](ctx context.Context, folder string, look func() T) (found T, ok bool) {
	for {
		look, isLost := earlier(folder)
		if !isLost {
			break
		}
		select {
		case <-look.end:
		case <-time.After(max(Of(onceMore), time.Until(look.start.Add(Of(DiskTime))))):
			return found, false
		case <-ctx.Done():
			return found, false
		}
	}
	begun := time.Now()
	found, ok, back := await(ctx, look)
	if !ok && back != nil {
		behindMu.Lock()
		defer behindMu.Unlock()
		behind[folder] = append(behind[folder], lost{back, begun})
	}
	return found, ok
}

// earlier is a look that was left behind at a folder and is not back.
func earlier(folder string) (first lost, isThere bool) {
	behindMu.Lock()
	defer behindMu.Unlock()
	left := slices.DeleteFunc(behind[folder], func(look lost) bool {
		select {
		case <-look.end:
			return true
		default:
			return false
		}
	})
	if len(left) == 0 {
		delete(behind, folder)
		return lost{}, false
	}
	behind[folder] = left
	return left[0], true
}
