//go:build !unix

package growth

import "time"

var begun = time.Now()

// processorTime is the time since the start: Go's standard library tells no other here.
func processorTime() time.Duration { return time.Since(begun) }
