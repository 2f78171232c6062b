package cli

import (
	"context"
	"net"
	"strings"
	"sync"
	"time"
)

// A program that tries a server again and again may say nothing of it. One that has said nothing for a while is left alone as
// long as the name of one of its servers can be found: it may think. So the wait for a long answer is as long as ever.

// askedBy is when each of them has begun to ask its server, after its start. It is a variable for tests.
var askedBy = 12 * time.Second

const (
	quietFor   = 8 * time.Second // since it said something last
	lookUpTime = 5 * time.Second // a name that is not found by then is not found
)

// lookUpHost finds the addresses of a host. It is a variable for tests.
var lookUpHost = net.DefaultResolver.LookupHost

// silence is that of a program.
type silence struct {
	servers []string      // hosts; at least one
	heard   chan struct{} // with room for one: it has said something
}

// hear takes note that the program has said something.
func (s silence) hear() {
	select {
	case s.heard <- struct{}{}:
	default:
	}
}

// await returns what to say of the servers when the program has been silent and none of them is found; "" when ctx ends or one
// of them is. They are looked up once.
func (s silence) await(ctx context.Context) string {
	start := time.Now()
	timer := time.NewTimer(askedBy)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return ""
		case <-s.heard:
			timer.Reset(max(quietFor, askedBy-time.Since(start)))
		case <-timer.C:
			if s.isAnyFound(ctx) || ctx.Err() != nil {
				return ""
			}
			return "name resolution failed for " + strings.Join(s.servers, ", ")
		}
	}
}

// isAnyFound looks the servers up, side by side.
func (s silence) isAnyFound(ctx context.Context) bool {
	ctx, stop := context.WithTimeout(ctx, lookUpTime)
	defer stop()
	found := make(chan bool, len(s.servers))
	var all sync.WaitGroup
	for _, host := range s.servers {
		all.Go(func() {
			addresses, err := lookUpHost(ctx, host)
			found <- err == nil && len(addresses) > 0
		})
	}
	defer all.Wait()
	for range s.servers {
		if <-found {
			stop()
			return true
		}
	}
	return false
}
