package postings

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"vaultdispatcher/engine/recall/cachefile"
	"vaultdispatcher/engine/testdata/testseed"
)

// table is what the postings should hold: by word and chunk, how often by column.
type table map[string]map[Chunk][3]int

// store is a database with postings, and what they should hold.
type store struct {
	t    *testing.T
	db   *sql.DB
	want table
	ends map[Chunk]bool // chunks that are there
}

func newStore(t *testing.T) *store {
	db, err := cachefile.Open(filepath.Join(t.TempDir(), "postings.db"), "", 1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	if _, err := db.Exec(Schema); err != nil {
		t.Fatal(err)
	}
	return &store{t, db, make(table), make(map[Chunk]bool)}
}

// inTx runs do in a transaction.
func (s *store) inTx(do func(tx *sql.Tx) error) error {
	tx, err := s.db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := do(tx); err != nil {
		return err
	}
	return tx.Commit()
}

// change removes some chunks and adds others in one part.
func (s *store) change(remove, add int, words func() string, r *rand.Rand) {
	s.t.Helper()
	err := s.inTx(func(tx *sql.Tx) error {
		p, err := NewPart(s.t.Context(), tx)
		if err != nil {
			return err
		}
		there := slices.Sorted(maps.Keys(s.ends))
		for range min(remove, len(there)) {
			if c := there[r.IntN(len(there))]; s.ends[c] {
				delete(s.ends, c)
				p.Remove(c)
				for _, chunks := range s.want {
					delete(chunks, c)
				}
			}
		}
		for range add {
			c := p.NextChunk(uint8(r.IntN(256)))
			s.ends[c] = true
			for in := Title; in <= Body; in++ {
				for range r.IntN(30) {
					word := words()
					p.Add([]byte(word), c, in)
					if s.want[word] == nil {
						s.want[word] = make(map[Chunk][3]int)
					}
					times := s.want[word][c]
					times[in]++
					s.want[word][c] = times
				}
			}
		}
		return p.Store(s.t.Context(), tx)
	})
	if err != nil {
		s.t.Fatal(err)
	}
}

// read returns what the postings hold of the words from first to last. It asks for others with them.
func (s *store) read(first, last string) (table, error) {
	list := []Range{{first, last}, {"w10", "w2\x00f1"}, {first, last}, {"x", "w"}}
	got := make([]table, len(list))
	for i := range got {
		got[i] = make(table)
	}
	err := s.inTx(func(tx *sql.Tx) error {
		r := NewReader(tx)
		gone, err := r.ReadGone(s.t.Context())
		if err != nil {
			return err
		}
		return r.Read(s.t.Context(), list, func(i int, word []byte, l List) { s.addList(got[i], string(word), l, gone) })
	})
	if !maps.EqualFunc(got[0], got[2], maps.Equal[map[Chunk][3]int, map[Chunk][3]int]) || len(got[3]) > 0 {
		s.t.Errorf("the same range twice: %d words and %d; none: %d", len(got[0]), len(got[2]), len(got[3]))
	}
	return got[0], err
}

// addList adds a list of a word, without the chunks that are gone.
func (s *store) addList(to table, word string, l List, gone map[Chunk]bool) {
	var before Chunk
	l.Each(func(c Chunk, in Column, times int) {
		if c < before {
			s.t.Errorf("%q: chunk %d after %d", word, c, before)
		}
		if before = c; gone[c] {
			return
		}
		if to[word] == nil {
			to[word] = make(map[Chunk][3]int)
		}
		sums := to[word][c]
		if sums[in] != 0 {
			s.t.Errorf("%q: column %d of chunk %d twice", word, in, c)
		}
		sums[in] = times
		to[word][c] = sums
	})
}

// check compares the words from first to last.
func (s *store) checkWords(first, last string) {
	s.t.Helper()
	got, err := s.read(first, last)
	if err != nil {
		s.t.Fatal(err)
	}
	want := make(table)
	for word, chunks := range s.want {
		if first <= word && word <= last && len(chunks) > 0 {
			want[word] = chunks
		}
	}
	if !maps.EqualFunc(got, want, maps.Equal[map[Chunk][3]int, map[Chunk][3]int]) {
		s.t.Fatalf("from %q to %q: %d words, want %d", first, last, len(got), len(want))
	}
}

func (s *store) countRows(query string) (n int) {
	s.t.Helper()
	if err := s.db.QueryRow(query).Scan(&n); err != nil {
		s.t.Fatal(err)
	}
	return n
}

// inventWord returns one of some hundred words, some of them common.
func inventWord(r *rand.Rand) func() string {
	return func() string { return fmt.Sprintf("w%d\x00f%d", int(300/(1+20*r.Float64())), r.IntN(3)) }
}

// Whatever is added, removed and merged, in whatever order, and wherever a merge is cut
// short: what is read is what is there.
func TestReadWhatIsThere(t *testing.T) {
	seed := testseed.Take(t)
	r := rand.New(rand.NewPCG(seed, 1))
	t.Logf("seed %d", seed)
	cut := errors.New("cut short")
	for range 3 {
		s := newStore(t)
		for range 20 {
			s.change(r.IntN(4), r.IntN(12), inventWord(r), r)
			steps := r.IntN(6)
			err := Merge(t.Context(), int64(r.IntN(3))<<14, func(do func(tx *sql.Tx) error) error {
				if steps--; steps == 0 {
					return cut
				}
				return s.inTx(do)
			})
			if err != nil && err != cut {
				t.Fatal(err)
			}
			s.checkWords("w1", "w2")
			s.checkWords("w", "x")
		}
		s.change(len(s.ends)/2, 0, nil, r)
		if err := Merge(t.Context(), 0, s.inTx); err != nil {
			t.Fatal(err)
		}
		s.checkWords("w", "x")
	}
}

// A merge in many steps moves every word, and one that is cut short in any of them loses none.
func TestMergeInSteps(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	s := newStore(t)
	for part := range 5 {
		s.change(0, 20, func() string { return fmt.Sprintf("w%d-%d", part, r.IntN(1<<30)) }, r)
		s.change(9, 20, inventWord(r), r)
	}
	cut := errors.New("cut short")
	for allowed := 1; ; allowed++ {
		left := allowed
		err := mergeInSteps(t.Context(), 0, 5000, func(do func(tx *sql.Tx) error) error {
			if left--; left < 0 {
				return cut
			}
			return s.inTx(do)
		})
		s.checkWords("w", "x")
		if err == nil {
			break
		}
		if err != cut {
			t.Fatal(err)
		}
	}
	if n := s.countRows("SELECT count(*) FROM parts"); n != 1 {
		t.Errorf("%d parts are left", n)
	}
	if n := s.countRows("SELECT count(*) FROM blocks WHERE first = x'20' OR part NOT IN (SELECT id FROM parts)"); n != 0 {
		t.Errorf("%d blocks are left of chunks that are gone, or of no part", n)
	}
}

// What is gone stays gone where a merge of large parts is cut short and small ones are merged
// before it goes on.
func TestMergeOfSavesAfterOneCutShort(t *testing.T) {
	cut := errors.New("cut short")
	for allowed := 1; allowed <= 4; allowed++ {
		r := rand.New(rand.NewPCG(3, uint64(allowed)))
		s := newStore(t)
		for range 4 {
			s.change(20, 300, func() string { return fmt.Sprintf("w%d", r.IntN(3000)) }, r)
		}
		left := allowed
		err := mergeInSteps(t.Context(), 0, 5000, func(do func(tx *sql.Tx) error) error {
			if left--; left < 0 {
				return cut
			}
			return s.inTx(do)
		})
		if err != cut {
			t.Fatalf("the merge was not cut short: %v", err)
		}
		for range 8 {
			s.change(1, 2, inventWord(r), r)
			if err := Merge(t.Context(), 100<<10, s.inTx); err != nil {
				t.Fatal(err)
			}
			s.checkWords("w", "x")
		}
		if err := Merge(t.Context(), 0, s.inTx); err != nil {
			t.Fatal(err)
		}
		s.checkWords("w", "x")
	}
}

// Numbers of chunks are not used twice, also where the newest is gone and merged away.
func TestNumbersAreNotUsedTwice(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	s := newStore(t)
	s.change(0, 3, inventWord(r), r)
	first := slices.Max(slices.Collect(maps.Keys(s.ends)))
	s.change(100, 0, nil, r)
	for len(s.ends) > 0 {
		s.change(1, 0, nil, r)
	}
	if err := Merge(t.Context(), 0, s.inTx); err != nil {
		t.Fatal(err)
	}
	s.change(0, 1, inventWord(r), r)
	if next := slices.Min(slices.Collect(maps.Keys(s.ends))); next.placeInOrder() <= first.placeInOrder() {
		t.Errorf("chunk %d comes after %d", next.placeInOrder(), first.placeInOrder())
	}
	s.checkWords("w", "x")
}

// A block of which any byte has changed is found when it is read.
func TestDamagedBlock(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	s := newStore(t)
	s.change(0, 5, inventWord(r), r)
	var data []byte
	if err := s.db.QueryRow("SELECT data FROM blocks").Scan(&data); err != nil {
		t.Fatal(err)
	}
	for range 20 {
		bad := bytes.Clone(data)
		bad[r.IntN(len(bad))] ^= byte(1 + r.IntN(255))
		if r.IntN(8) == 0 {
			bad = bad[:r.IntN(8)]
		}
		if _, err := s.db.Exec("UPDATE blocks SET data = ?", bad); err != nil {
			t.Fatal(err)
		}
		if _, err := s.read("w", "x"); !cachefile.IsDamaged(err) {
			t.Fatalf("a changed block is read: %v", err)
		}
		for range mostAlike {
			s.change(0, 1, inventWord(r), r)
		}
		if err := Merge(context.Background(), 0, s.inTx); !cachefile.IsDamaged(err) {
			t.Fatalf("a changed block is merged: %v", err)
		}
		if _, err := s.db.Exec("DELETE FROM parts WHERE id > 1"); err != nil {
			t.Fatal(err)
		}
		if _, err := s.db.Exec("DELETE FROM blocks WHERE part > 1"); err != nil {
			t.Fatal(err)
		}
	}
}
