package vectors

import "math"

// Key names the text of a chunk; the same text has the same vector in every note.
type Key [16]byte

// KeyOf makes a key of a hash as it is stored.
func KeyOf(hash []byte) (k Key) {
	copy(k[:], hash)
	return k
}

// space holds all vectors in memory, with one byte for each number. That is a quarter
// of the memory, and finds 0.98 of the same neighbours. Vectors are compared one by
// one, so none is missed; 50,000 of 384 numbers take some ten milliseconds.
type space struct {
	dim   int
	slots map[Key]int // -1 for a text that has no vector
	keys  []Key
	scale []float32 // of the bytes; 0 in a free slot
	bytes []int8
	free  []int
}

func newSpace(dim int) *space { return &space{dim: dim, slots: make(map[Key]int)} }

// Neighbour is a text near to a query.
type Neighbour struct {
	Key        Key
	Similarity float64 // similarity, 1 at most
}

// quantiseVector writes numbers as bytes, times a scale.
func quantiseVector(v []float32) (bytes []int8, scale float32) {
	for _, x := range v {
		scale = max(scale, x, -x)
	}
	bytes = make([]int8, len(v))
	if scale == 0 {
		return bytes, 0
	}
	scale /= 127
	for i, x := range v {
		bytes[i] = int8(math.RoundToEven(float64(x / scale)))
	}
	return bytes, scale
}

// countVectors returns the number of vectors.
func (s *space) countVectors() int { return len(s.keys) - len(s.free) }

func (s *space) hasText(k Key) bool { _, ok := s.slots[k]; return ok }

// addVector takes a vector, or none for a text that cannot have one.
func (s *space) addVector(k Key, bytes []int8, scale float32) {
	s.removeText(k)
	if len(bytes) != s.dim || scale == 0 {
		s.slots[k] = -1
		return
	}
	if n := len(s.free) - 1; n >= 0 {
		at := s.free[n]
		s.free = s.free[:n]
		copy(s.bytes[at*s.dim:], bytes)
		s.keys[at], s.scale[at], s.slots[k] = k, scale, at
		return
	}
	s.slots[k] = len(s.keys)
	s.keys = append(s.keys, k)
	s.scale = append(s.scale, scale)
	s.bytes = append(s.bytes, bytes...)
}

func (s *space) removeText(k Key) {
	at, ok := s.slots[k]
	delete(s.slots, k)
	if ok && at >= 0 {
		s.scale[at] = 0
		s.free = append(s.free, at)
	}
}

// findNearest returns the n texts nearest to a vector, the nearest first.
func (s *space) findNearest(v []float32, n int) []Neighbour {
	if len(v) != s.dim || n < 1 {
		return nil
	}
	q, unit := quantiseVector(v)
	best := make([]Neighbour, 0, n+1)
	for i, scale := range s.scale {
		if scale == 0 {
			continue
		}
		near := float64(dotProduct(q, s.bytes[i*s.dim:(i+1)*s.dim])) * float64(unit*scale)
		if len(best) == n && near <= best[n-1].Similarity {
			continue
		}
		at := len(best)
		for at > 0 && best[at-1].Similarity < near {
			at--
		}
		best = append(best, Neighbour{})
		copy(best[at+1:], best[at:])
		best[at] = Neighbour{s.keys[i], near}
		best = best[:min(len(best), n)]
	}
	return best
}

// dotProduct takes eight numbers at a time, in four sums side by side. That is twice as
// fast as one by one, and as fast as plain Go is with float32.
func dotProduct(a, b []int8) int32 {
	var s0, s1, s2, s3 int32
	n := min(len(a), len(b))
	i := 0
	for ; i+8 <= n; i += 8 {
		x, y := (*[8]int8)(a[i:]), (*[8]int8)(b[i:])
		s0 += int32(x[0])*int32(y[0]) + int32(x[4])*int32(y[4])
		s1 += int32(x[1])*int32(y[1]) + int32(x[5])*int32(y[5])
		s2 += int32(x[2])*int32(y[2]) + int32(x[6])*int32(y[6])
		s3 += int32(x[3])*int32(y[3]) + int32(x[7])*int32(y[7])
	}
	for ; i < n; i++ {
		s0 += int32(a[i]) * int32(b[i])
	}
	return s0 + s1 + s2 + s3
}

// listVectors returns what s holds, as the file has it, in the memory of s.
func (s *space) listVectors() []storedVector {
	list := make([]storedVector, 0, len(s.slots))
	for k, at := range s.slots {
		one := storedVector{key: k}
		if at >= 0 {
			one.bytes, one.scale = s.bytes[at*s.dim:(at+1)*s.dim], s.scale[at]
		}
		list = append(list, one)
	}
	return list
}
