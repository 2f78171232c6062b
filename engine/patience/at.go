package patience

import (
	"context"
	"slices"
	"sync"
)

// behind are the looks that were left behind, by their folders; each channel is closed when its look is back.
var (
	behindMu sync.Mutex // guards behind
	behind   = make(map[string][]<-chan struct{})
)

// AwaitAt is [AwaitUntil] at a folder. Where a look there was left behind, another begins only when that one is back: so
// a disk that hangs takes few places of those that the process has, however often it is asked for.
func AwaitAt[T any](ctx context.Context, folder string, look func() T) (found T, ok bool) {
	for {
		back := earlier(folder)
		if back == nil {
			break
		}
		select {
		case <-back:
		case <-ctx.Done():
			return found, false
		}
	}
	found, ok, back := await(ctx, look)
	if !ok && back != nil {
		behindMu.Lock()
		defer behindMu.Unlock()
		behind[folder] = append(behind[folder], back)
	}
	return found, ok
}

// earlier is a look that was left behind at a folder and is not back, or nil.
func earlier(folder string) <-chan struct{} {
	behindMu.Lock()
	defer behindMu.Unlock()
	left := slices.DeleteFunc(behind[folder], func(back <-chan struct{}) bool {
		select {
		case <-back:
			return true
		default:
			return false
		}
	})
	if len(left) == 0 {
		delete(behind, folder)
		return nil
	}
	behind[folder] = left
	return left[0]
}
