package doctor

import (
	"time"

	"vaultdispatcher/engine/patience"
)

// DiskTime is how long the disk of a folder may take to answer a question that a
// person waits for.
const DiskTime = time.Second

// Await waits for a look at a disk, but no longer than [DiskTime]; ok says whether it
// came back. A system call that hangs cannot be ended, so such a look is left behind.
func Await[T any](look func() T) (found T, ok bool) {
	answer := make(chan T, 1)
	go func() { answer <- look() }()
	select {
	case found = <-answer:
		return found, true
	case <-time.After(patience.Of(DiskTime)):
		return found, false
	}
}
