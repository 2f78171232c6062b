//go:build race

package rewrite

const fewer = 4
