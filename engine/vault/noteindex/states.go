package noteindex

import (
	"iter"
	"maps"
	"reflect"
)

// States remembers a value of each note, while it is not the zero value. Its zero value remembers none.
type States[N comparable, S any] struct{ values map[N]S }

// Of returns what is remembered of a note.
func (t *States[N, S]) Of(note N) S { return t.values[note] }

// Edit changes what is remembered of a note.
func (t *States[N, S]) Edit(note N, change func(s *S)) {
	s := t.values[note]
	change(&s)
	switch {
	case reflect.ValueOf(&s).Elem().IsZero():
		delete(t.values, note)
		return
	case t.values == nil:
		t.values = make(map[N]S)
	}
	t.values[note] = s
}

// All iterates over the notes, in no order. They may be edited meanwhile.
func (t *States[N, S]) All() iter.Seq2[N, S] { return maps.All(t.values) }

// Len is how many notes there are.
func (t *States[N, S]) Len() int { return len(t.values) }
