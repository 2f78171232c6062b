//go:build race

package replies

const fewer = 8
