//go:build race

package note

const fewer = 27
