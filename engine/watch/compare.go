package watch

import (
	"context"
	"slices"
	"strings"
	"time"
)

// compare applies a listing to the snapshot: first what went, then what is new
// or different, then the folders below.
func (s *session) compare(ctx context.Context, f *folder, l listing, h how) error {
	now := time.Now()
	f.times, f.plain = l.times.digest(), l.plain
	if l.times.fresh(now) {
		s.revisits.add(f.path, now)
	}
	slices.SortFunc(l.entries, func(a, b entry) int { return strings.Compare(a.name, b.name) })
	if err := s.clearMissing(f, l.entries, h); err != nil {
		return err
	}
	if len(f.notes) == 0 {
		f.notes = slices.Grow(f.notes, countFiles(l.entries))
	}
	entered := make(map[string]bool)
	for _, e := range l.entries {
		if e.kind == kindFile {
			s.record(f, e.name, e.stamp, now, h.of(e))
			continue
		}
		if e.kind == kindUnclear {
			s.missedOut(f.join(e.name))
			continue
		}
		i, known := f.sub(e.name)
		if e.kind != kindFolder || known && (e.unasked || f.subs[i].id == e.id) {
			continue
		}
		if err := s.enter(ctx, f, e.name, e.id, h); err != nil {
			return err
		}
		entered[f.join(e.name)] = true
	}
	l.free()
	if !h.deep {
		return nil
	}
	return s.descend(ctx, f, h, entered)
}

// descend visits the folders in f, but those that were entered already.
func (s *session) descend(ctx context.Context, f *folder, h how, entered map[string]bool) error {
	for _, sub := range slices.Clone(f.subs) {
		if entered[sub.path] || s.snap.folders[sub.path] != sub {
			continue
		}
		if err := s.visit(ctx, sub, sub.id, h); err != nil {
			return err
		}
	}
	return nil
}

// clearMissing forgets what a listing no longer holds. Reading a folder while
// names in it are being changed may skip one that was there all the time, so
// each is asked for by its own name before it is given up.
func (s *session) clearMissing(f *folder, entries []entry, h how) error {
	var names []string
	for _, n := range f.notes {
		if !lists(entries, n.name, kindFile) {
			names = append(names, n.name)
		}
	}
	for _, sub := range f.subs {
		_, name := split(sub.path)
		if !lists(entries, name, kindFolder) {
			names = append(names, name)
		}
	}
	for _, name := range names {
		e, err := inspect(s.abs(f.join(name)))
		if err != nil && !absent(err) {
			continue
		}
		if err != nil || !lists(entries, name, e.kind) && respelled(entries, name) {
			e.kind = kindOther
		}
		if err := s.clear(f, name, e.kind, h); err != nil {
			return err
		}
	}
	return nil
}

// lists reports whether sorted entries have the name as k, or as something that
// may be k.
func lists(entries []entry, name string, k kind) bool {
	i, ok := slices.BinarySearchFunc(entries, name, func(e entry, name string) int {
		return strings.Compare(e.name, name)
	})
	return ok && (entries[i].kind == k || entries[i].kind == kindUnclear)
}

// respelled reports whether a name that is not listed is listed in another
// spelling. Where the system takes both for the same name, asking for the old
// one finds the new one.
func respelled(entries []entry, name string) bool {
	for _, e := range entries {
		if sameName(e.name, name) {
			return true
		}
	}
	return false
}

func countFiles(entries []entry) int {
	n := 0
	for _, e := range entries {
		if e.kind == kindFile {
			n++
		}
	}
	return n
}
