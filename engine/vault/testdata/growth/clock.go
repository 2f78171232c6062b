//go:build growth

package growth

// isTimed says that the processor's time is measured.
const isTimed = true
