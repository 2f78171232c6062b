// Package testseed gives each random test its seed.
//
//	r := rand.New(rand.NewPCG(testseed.Take(t), 0))
//
// By default the seed follows from the name of the test, so a change meets no old fault by chance.
// TEST_SEED=new takes a new one, as the beds do (.ci/all), and TEST_SEED=N repeats one that was printed.
package testseed

import (
	"hash/fnv"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
)

// Take returns the seed of a test and has the test print it, in the form "seed: TEST_SEED=N".
func Take(t testing.TB) uint64 {
	t.Helper()
	var seed uint64
	switch asked := os.Getenv("TEST_SEED"); asked {
	case "":
		h := fnv.New64a()
		h.Write([]byte(t.Name()))
		seed = h.Sum64()
	case "new":
		seed = rand.Uint64()
	default:
		var err error
		if seed, err = strconv.ParseUint(asked, 10, 64); err != nil {
			t.Fatalf("TEST_SEED is to be a number or new: %v", err)
		}
	}
	t.Logf("seed: TEST_SEED=%d", seed)
	return seed
}
