//go:build race

package sanitize

const fewer = 27
