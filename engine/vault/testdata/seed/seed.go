// Package seed gives random tests a seed that is printed.
package seed

import (
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
)

// Rand returns random numbers, or those of the variable SEED to play a failure again.
func Rand(t *testing.T) (*rand.Rand, uint64) {
	t.Helper()
	seed := rand.Uint64()
	if v := os.Getenv("SEED"); v != "" {
		var err error
		if seed, err = strconv.ParseUint(v, 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("SEED=%d", seed)
	return rand.New(rand.NewPCG(seed, 0)), seed
}
