package main

import (
	"testing"

	"vaultdispatcher/engine/lazyregexp"
)

// Expressions compile when they are first used, which may be on a user's machine.
func TestExpressionsCompile(t *testing.T) {
	if n := lazyregexp.CompileAll(); n < 100 {
		t.Errorf("the program has %d expressions", n)
	}
}
