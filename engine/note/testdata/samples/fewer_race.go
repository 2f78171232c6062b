//go:build race

package samples

// Fewer divides the rounds of the long tests that use one goroutine.
const Fewer = 27
