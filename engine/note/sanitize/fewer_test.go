//go:build !race && !safety

package sanitize

// fewer divides the rounds of the long tests that use one goroutine. The race
// detector has nothing to find in them and makes them ten times as slow; the bed
// .ci/safety, which has the build tag safety, makes them all.
const fewer = 4
