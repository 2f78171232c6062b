// Package lazyregexp compiles a regular expression when it is first used.
//
// Each command of the program is a process of its own, and so is each agent that it starts. Compiled at start, the
// program's hundred expressions would cost each process more than all else that it does before its first line.
package lazyregexp

import (
	"regexp"
	"sync"
)

// all are the expressions of the program.
var all []func() *regexp.Regexp

// New returns a function that compiles expression at its first call, and returns the same value at each. It panics,
// as [regexp.MustCompile] does, if expression is malformed. New is for variables of packages, which are made one
// after the other; the function may be called concurrently.
func New(expression string) func() *regexp.Regexp {
	compiled := sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
	all = append(all, compiled)
	return compiled
}

// CompileAll compiles every expression of the packages in this program, and returns their number. It panics at a
// malformed one, so that a test finds it before a user does.
func CompileAll() int {
	for _, compiled := range all {
		compiled()
	}
	return len(all)
}
