package doctor

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"vaultdispatcher/engine/files"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/syserr"
)

// checkJournal reads the whole journal. A damaged one is mended by opening it, as the next
// start of the engine would: its bytes are kept aside, and what can be read is taken over.
func checkJournal(ctx context.Context, l *look) []Finding {
	file := filepath.Join(l.State, "journal.db")
	if _, err := os.Stat(file); err != nil {
		return nil // the first engine makes it, or checkState tells why not
	}
	problem, err := journal.Inspect(ctx, file)
	switch {
	case errors.Is(err, journal.ErrFull): // checkState tells it
		return nil
	case err != nil:
		return []Finding{{Code: JournalUnread, About: file, Detail: syserr.Plain(err)}}
	case problem == "":
		return nil
	case l.isRunning() || l.isSilent():
		return []Finding{{Code: JournalInUse, About: file, Detail: problem}}
	}
	return []Finding{{Code: JournalDamaged, About: file, Detail: problem,
		fix: func(ctx context.Context) error { return mendJournal(ctx, l.State, file) }}}
}

// mendJournal opens the journal while no engine has it.
func mendJournal(ctx context.Context, state, file string) error {
	lock, err := files.TakeLock(filepath.Join(state, "lock"))
	if err != nil {
		return err
	}
	defer lock.Close()
	j, err := journal.Open(ctx, file)
	if err != nil {
		return err
	}
	return j.Close()
}
