//go:build !race

package growth

// bytesTell says that the bytes of the same work are the same each time.
const bytesTell = true
