package follow

import (
	"context"
	"slices"
	"time"

	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/find"
	"vaultdispatcher/engine/vault/noteindex"
)

// This file says which questions were compared with every possible match. Keys that very many notes
// share are left out.

// gatherRivals returns those of the notes that are gone, with the settling ones that may have
// become them by one of the keys. A rival of a rival counts too: where it has its own place, the
// first is free. wanted are the keys of the claims, crowded those that very many notes have.
func (f *Follower) gatherRivals(ctx context.Context, rel string, notes, keys []string, end string, looked time.Time) (strays []Stray, finds []Find, wanted []string, crowded map[string]bool, err error) {
	for {
		if strays, err = f.findStrays(ctx, notes); err != nil {
			return nil, nil, nil, nil, err
		}
		wanted = keysOfStrays(strays, keys)
		settling, many := f.opts.Settling.NotesWith(wanted, end, f.mostAlike)
		if finds, err = f.readFinds(ctx, settling, strays); err != nil {
			return nil, nil, nil, nil, err
		}
		for _, found := range finds {
			keys = append(keys, find.KeysBeside(tracesOf(found.Free)...)...)
		}
		if err = f.sweep(ctx, rel, keys, looked); err != nil {
			return nil, nil, nil, nil, err
		}
		rivals, _ := f.memory.suspects.WithAny(keys, end, f.mostAlike)
		if len(rivals) <= len(notes) || len(rivals) > f.mostAlike {
			return strays, finds, wanted, many, nil
		}
		notes = rivals
	}
}

// findRare returns what reports whether one of the markers of a question was compared with all
// that may be the same: each of its keys is among these, and not crowded.
func findRare(keys []string, crowded map[string]bool) func(traces []note.Trace) bool {
	compared := noteindex.SetOf(keys)
	return func(traces []note.Trace) bool {
		return len(crowded) == 0 || slices.ContainsFunc(traces, func(t note.Trace) bool {
			return !slices.ContainsFunc(find.KeysBeside(t), func(key string) bool { return crowded[key] || !compared[key] })
		})
	}
}

// keysOfStrays are those of the claims that have one of the keys; without any they are all.
func keysOfStrays(strays []Stray, keys []string) (all []string) {
	among := noteindex.SetOf(keys)
	for _, s := range strays {
		for _, t := range Traces(s.Claims) {
			if beside := find.KeysBeside(t); len(keys) == 0 || slices.ContainsFunc(beside, func(key string) bool { return among[key] }) {
				all = append(all, beside...)
			}
		}
	}
	return all
}
