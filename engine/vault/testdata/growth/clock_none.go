//go:build !growth

package growth

import "time"

const isTimed = false

func processorTime() time.Duration { return 0 }
