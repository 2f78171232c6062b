package database

import (
	"context"
	"errors"
	"time"

	"vaultdispatcher/engine/due"
	"vaultdispatcher/engine/journal/dbfile"
)

// busyPause is the time between two tries of [OpenFree]; each try waits itself.
const busyPause = 500 * time.Millisecond

// OpenFree is [Open], but where another program holds the file locked it waits until that lets go.
// waits is called once then, with the [dbfile.ErrBusy]. The end of ctx ends it at once: SQLite cannot be
// told to stop waiting, so a try that is at work ends by itself a few seconds later and leaves nothing open.
func OpenFree(ctx context.Context, path string, waits func(error)) (*dbfile.DB, error) {
	for told := false; ; told = true {
		d, err := openBeside(ctx, path, func() {})
		if err == nil || !errors.Is(err, dbfile.ErrBusy) {
			return d, err
		}
		if !told {
			waits(err)
		}
		if err := due.Sleep(ctx, busyPause); err != nil {
			return nil, err
		}
	}
}

// openBeside is Open in a goroutine, which is left behind when ctx ends; ended is called when it has ended.
func openBeside(ctx context.Context, path string, ended func()) (*dbfile.DB, error) {
	type opened struct {
		db  *dbfile.DB
		err error
	}
	done := make(chan opened)
	go func() {
		defer ended()
		d, err := Open(ctx, path)
		select {
		case done <- opened{d, err}:
		case <-ctx.Done():
			if err == nil {
				_ = d.Close()
			}
		}
	}()
	select {
	case o := <-done:
		return o.db, o.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
