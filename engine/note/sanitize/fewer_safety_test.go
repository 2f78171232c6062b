//go:build !race && safety

package sanitize

const fewer = 1
