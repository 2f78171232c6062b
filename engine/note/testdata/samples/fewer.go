//go:build !race

package samples

// Fewer divides the rounds of the long tests that use one goroutine. The race
// detector has nothing to find in them and makes them ten times as slow; here
// they make all.
const Fewer = 1
