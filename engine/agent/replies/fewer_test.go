//go:build !race

package replies

// fewer divides the rounds of the long tests that use one goroutine. The race
// detector has nothing to find in them and makes them ten times as slow; here
// they make all.
const fewer = 1
