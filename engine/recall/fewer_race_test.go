//go:build race

package recall

const fewer = 4
