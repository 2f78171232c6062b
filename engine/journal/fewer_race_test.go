//go:build race

package journal

const fewer = 5
