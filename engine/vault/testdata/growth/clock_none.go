//go:build !growth

package growth

const isTimed = false
