package doctor

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"vaultdispatcher/engine/api/client"
	"vaultdispatcher/engine/files"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/journal/database"
	"vaultdispatcher/engine/patience"
	"vaultdispatcher/engine/syserr"
	"vaultdispatcher/engine/vault/presence"
)

// checkJournal reads the whole journal. A damaged one is mended by opening it, as the next
// start of the engine would: its bytes are kept aside, and what can be read is taken over.
func checkJournal(ctx context.Context, l *look) []Finding {
	file := filepath.Join(l.State, "journal.db")
	if found := findBehind(l, file); found != nil {
		return found
	}
	if _, err := os.Stat(file); err != nil {
		return nil // the first engine makes it, or checkState tells why not
	}
	problem, err := database.Inspect(ctx, file)
	switch {
	case errors.Is(err, journal.ErrFull): // checkState tells it
		return nil
	case err != nil:
		return []Finding{{Code: JournalUnread, Subject: file, Detail: syserr.Plain(err)}}
	case problem == "":
		return nil
	case l.isRunning() || l.isSilent():
		return []Finding{{Code: JournalInUse, Subject: file, Detail: problem}}
	}
	return []Finding{{Code: JournalDamaged, Subject: file, Detail: problem,
		fix: func(ctx context.Context) error { return mendJournal(ctx, l.State, file) }}}
}

// findBehind finds a vault in which this engine has been on a later day than its journal knows. An engine that runs has
// found that itself, and says so in a notice.
func findBehind(l *look, file string) []Finding {
	token, err := client.LoadToken(filepath.Join(l.State, "token"))
	if err != nil || l.isRunning() || l.isSilent() {
		return nil
	}
	known, err := journal.ReadDays(file)
	if err != nil {
		return nil // its fault is reported below
	}
	for _, v := range l.Config.Vaults {
		said, _ := patience.Await(func() presence.Said {
			return presence.ReadSaid(v.Path, presence.IDOf(presence.ThisMachine(), l.State), presence.StateOf(token))
		})
		if known.IsBehind(v.Path, said.LastDay, said.Journal) {
			return []Finding{{Code: JournalBehind, Subject: file, Detail: v.Name + " was watched on " + said.LastDay.Format(time.DateOnly)}}
		}
	}
	return nil
}

// mendJournal opens the journal while no engine has it.
func mendJournal(ctx context.Context, state, file string) error {
	lock, err := files.TakeLock(filepath.Join(state, "lock"))
	if err != nil {
		return err
	}
	defer lock.Close()
	j, err := journal.On(database.Open(ctx, file))
	if err != nil {
		return err
	}
	return j.Close()
}
