package vault

import (
	"context"
	"errors"
	"io/fs"
	"time"

	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/rewrite/swap"
	"vaultdispatcher/engine/vault/follow"
)

// withdrawChanged ends dispatches whose line the user has changed or removed, and
// returns the claims that still hold; why says which of it. What an agent is already working on ends
// only when its line became another marker: a line that is merely gone may come
// back with its note, and its answer is kept in any case.
func (v *Vault) withdrawChanged(ctx context.Context, rel, why string, markers []note.Marker, claims []journal.Claim) ([]journal.Claim, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	found := follow.PairClaims(markers, claims)
	asked, _ := v.keepAnswerable(rel, found.Free, nil)
	fresh := v.settling.ListUnseen(rel, asked)
	standing, ended := make(map[string]bool), make(map[string]bool)
	for _, c := range found.Claimed {
		standing[c.Dispatch] = true
	}
	for id, lost := range found.Lost {
		if underWay(lost[0]) && !follow.WasEdited(lost, fresh, asked) || lost[0].Status == journal.Cancelled && standing[id] {
			continue
		}
		err := v.dispatcher.Cancel(ctx, id, why)
		if err != nil && !errors.Is(err, journal.ErrState) {
			return nil, err
		}
		ended[id] = err == nil
	}
	var kept []journal.Claim
	for _, c := range claims {
		if !ended[c.Dispatch] {
			kept = append(kept, c)
		}
	}
	return kept, nil
}

// underWay reports whether an agent is at work for a claim, or its answer waits
// to be written.
func underWay(c journal.Claim) bool {
	return c.Status == journal.Processing || c.Status == journal.Queued && c.Answered
}

// forgetNote forgets a note that is not there any more, but for its questions, which may have
// moved along with it. That notes of a vault are gone whose folder is away is not believed.
// The caller holds mu.
func (v *Vault) forgetNote(ctx context.Context, rel string, claims []journal.Claim) error {
	v.engine.KeepUntaken(v.Root, rel, nil, time.Time{})
	v.forgetWake(rel)
	v.arrivals.NoteGone(rel)
	v.copied.Forget(rel)
	err := v.giveUpVanished(ctx, rel, claims)
	if err != nil || !swap.Reachable(v.Root) {
		return err
	}
	if err := v.origins.Departed(ctx, rel); err != nil {
		return err
	}
	return v.questions.Depart(ctx, rel)
}

// giveUpVanished gives up the questions of a note that has been gone for a while. What
// an agent is working on goes on: its answer is kept in any case. The caller
// holds mu.
func (v *Vault) giveUpVanished(ctx context.Context, rel string, claims []journal.Claim) error {
	left, err := v.follower.Gone(ctx, rel, len(claims))
	if left > 0 {
		followed{v}.LookAt(rel, time.Now().Add(left))
	} else if len(claims) > 0 {
		_, failed := v.withdrawChanged(ctx, rel, "its note is gone", nil, claims)
		err = errors.Join(err, failed)
	}
	return err
}

// followed is what following asks of a vault ([follow.Vault]), whose mu is held.
type followed struct{ v *Vault }

func (f followed) IsWatched() bool      { return f.v.IsWatched() }
func (f followed) LookAgain(rel string) { f.v.lookAgain(rel) }

func (f followed) LookAt(rel string, at time.Time) {
	f.v.wakeAt(Save{Rel: rel, Trigger: "reconcile"}, at)
}

func (f followed) QuestionMoved(dispatch, rel string) {
	f.v.dispatcher.Moved(dispatch, rel)
	f.v.writer.Moved(dispatch, rel)
}

func (f followed) NoteRenamed(ctx context.Context, from, to string) error {
	f.v.writer.Renamed(f.v.Root, from, to)
	return f.v.questions.Depart(ctx, from)
}

// isNoNote reports whether a note that could not be read is none. The caller holds mu.
func (v *Vault) isNoNote(rel string, err error) bool {
	info, there := v.disk.Stat(rel)
	return errors.Is(err, fs.ErrInvalid) || there == nil && info.Mode()&fs.ModeSymlink != 0 // one that leads out of the vault
}
