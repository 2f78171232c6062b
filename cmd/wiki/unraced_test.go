//go:build !race

package main

// isRacing says that the race detector is on.
const isRacing = false
