package vectors

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"vaultdispatcher/engine/testdata/testseed"
)

func randomUnit(r *rand.Rand, dim int) []float32 {
	v := make([]float32, dim)
	var sum float64
	for i := range v {
		v[i] = float32(r.NormFloat64())
		sum += float64(v[i]) * float64(v[i])
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(sum))
	}
	return v
}

// TestNearest holds the search with bytes against one with all digits.
func TestNearest(t *testing.T) {
	seed := testseed.Take(t)
	r := rand.New(rand.NewPCG(seed, 0))
	const dim, n, k = 96, 2000, 10
	s := newSpace(dim)
	vectors := make([][]float32, n)
	for i := range vectors {
		vectors[i] = randomUnit(r, dim)
		bytes, scale := quantiseVector(vectors[i])
		s.addVector(KeyOf(fmt.Appendf(nil, "%d", i)), bytes, scale)
	}
	same := 0
	for range 50 {
		q := randomUnit(r, dim)
		exact, order := make([]float64, n), make([]int, n)
		for i := range order {
			order[i] = i
			for c := range q {
				exact[i] += float64(q[c]) * float64(vectors[i][c])
			}
		}
		slices.SortFunc(order, func(a, b int) int { return cmp.Compare(exact[b], exact[a]) })
		got := s.findNearest(q, k)
		if len(got) != k || !slices.IsSortedFunc(got, func(a, b Neighbour) int { return cmp.Compare(b.Similarity, a.Similarity) }) {
			t.Fatalf("%d Neighbours, or out of order: %v", len(got), got)
		}
		for _, g := range got {
			var i int
			if _, err := fmt.Sscanf(string(g.Key[:]), "%d", &i); err != nil {
				t.Fatal(err)
			}
			if math.Abs(exact[i]-g.Similarity) > 0.02 {
				t.Errorf("similarity %v is told as %v", exact[i], g.Similarity)
			}
			if slices.Contains(order[:k], i) {
				same++
			}
		}
	}
	if share := float64(same) / (50 * k); share < 0.9 {
		t.Errorf("only %.3f of the Neighbours are the same", share)
	}
}

// TestSpaceModel adds and removes at random beside a plain map.
func TestSpaceModel(t *testing.T) {
	seed := testseed.Take(t)
	r := rand.New(rand.NewPCG(seed, 0))
	s, model := newSpace(2), make(map[Key]bool)
	for range 5000 {
		k := Key{byte(r.IntN(40))}
		switch r.IntN(3) {
		case 0:
			s.removeText(k)
			delete(model, k)
		case 1:
			s.addVector(k, []int8{127, int8(k[0])}, 1)
			model[k] = true
		case 2:
			s.addVector(k, nil, 0)
			model[k] = false
		}
		found := make(map[Key]bool)
		for _, n := range s.findNearest([]float32{1, 0}, 100) {
			found[n.Key] = true
		}
		want := 0
		for k, has := range model {
			if !s.hasText(k) || found[k] != has {
				t.Fatalf("%v: has %v, found %v, want %v", k, s.hasText(k), found[k], has)
			}
			if has {
				want++
			}
		}
		if len(found) != want || s.countVectors() != want || len(s.slots) != len(model) {
			t.Fatalf("%d found, size %d, want %d", len(found), s.countVectors(), want)
		}
	}
}

func TestPack(t *testing.T) {
	v := []float32{0.5, -1, 0, 0.25}
	bytes, scale := quantiseVector(v)
	got, again := unpackVector(packVector(bytes, scale))
	if !slices.Equal(got, bytes) || scale != again || len(packVector(bytes, scale)) != 8 {
		t.Errorf("%v %v became %v %v", bytes, scale, got, again)
	}
	for i, x := range v {
		if math.Abs(float64(float32(got[i])*again-x)) > 0.005 {
			t.Errorf("%v became %v", x, float32(got[i])*again)
		}
	}
	if bytes, scale := unpackVector(packVector(nil, 0)); bytes != nil || scale != 0 {
		t.Error("no vector became one")
	}
}

// TestDot holds the product against the plain sum, at every length.
func TestDot(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for n := range 40 {
		a, b := make([]int8, n), make([]int8, n)
		want := int32(0)
		for i := range n {
			a[i], b[i] = int8(r.IntN(256)), int8(r.IntN(256))
			want += int32(a[i]) * int32(b[i])
		}
		if got := dotProduct(a, b); got != want {
			t.Errorf("length %d: %d, want %d", n, got, want)
		}
	}
}

// BenchmarkNearest searches 50,000 vectors as bytes, and beside it as float32.
func BenchmarkNearest(b *testing.B) {
	for _, dim := range []int{384, 768} {
		r := rand.New(rand.NewPCG(1, 2))
		memory := heap()
		s := newSpace(dim)
		bytes := make([]int8, dim)
		for i := range 50_000 {
			for c := range bytes {
				bytes[c] = int8(r.IntN(255) - 127)
			}
			s.addVector(KeyOf(fmt.Appendf(nil, "%d", i)), bytes, 0.01)
		}
		memory = heap() - memory
		plain := make([]float32, 0, 50_000*dim)
		for _, x := range s.bytes {
			plain = append(plain, float32(x))
		}
		q := randomUnit(r, dim)
		b.Run(fmt.Sprint("bytes/50000x", dim), func(b *testing.B) {
			for b.Loop() {
				s.findNearest(q, 30)
			}
			b.ReportMetric(memory, "MB")
		})
		b.Run(fmt.Sprint("float32/50000x", dim), func(b *testing.B) {
			best := float32(0)
			for b.Loop() {
				for at := 0; at < len(plain); at += dim {
					best = max(best, dotPlain(q, plain[at:at+dim]))
				}
			}
		})
	}
}

// heap is the memory in use, in MB.
func heap() float64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc) / 1e6
}

// dotPlain is the peer: the same sums side by side, with four times the memory.
func dotPlain(a, b []float32) float32 {
	var s0, s1, s2, s3 float32
	for i := 0; i+4 <= min(len(a), len(b)); i += 4 {
		x, y := (*[4]float32)(a[i:]), (*[4]float32)(b[i:])
		s0 += x[0] * y[0]
		s1 += x[1] * y[1]
		s2 += x[2] * y[2]
		s3 += x[3] * y[3]
	}
	return s0 + s1 + s2 + s3
}
