//go:build race

package growth

// bytesTell is false under the race detector: sync.Pool then drops a quarter of what it
// is given, by chance, and a buffer is made anew. The bytes of the same work differ by a
// fifth, the pieces by a hundredth. The same test without the detector counts both.
const bytesTell = false
