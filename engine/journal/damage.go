package journal

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// asideMark stands between a journal's path and the time it was moved aside.
const asideMark = ".corrupt-"

// moveAside renames a damaged journal and its write-ahead log; not a byte of
// them is changed. The shared memory holds nothing of its own and goes.
//
// The journal goes before its log: a crash between the two leaves a log without
// a journal, which the next Open takes for damage again and keeps as well.
func moveAside(path string, now time.Time) error {
	aside := path + asideMark + now.UTC().Format("20060102T150405.000Z")
	if _, err := os.Lstat(aside); err == nil {
		return fmt.Errorf("%s exists", aside)
	}
	err := os.Rename(path, aside)
	if errors.Is(err, fs.ErrNotExist) { // only the log is left; its name needs a journal beside it
		err = os.WriteFile(aside, nil, 0o600)
	}
	if err != nil {
		return err
	}
	for _, tail := range []string{"-wal", "-journal"} {
		if err := os.Rename(path+tail, aside+tail); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	if err := os.Remove(path + "-shm"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// takeOver brings what can be read of the newest damaged journal into this one,
// records the damage in the same transaction, and lists what is to be told.
// A journal moved aside by a start that did not come this far is found by having
// no record yet.
func (j *Journal) takeOver(ctx context.Context, path string, found *damaged) error {
	asides, err := listAsides(path)
	if err != nil || len(asides) == 0 {
		return err
	}
	known, err := j.readDamages(ctx)
	if err != nil {
		return err
	}
	newest := asides[len(asides)-1]
	if !slices.ContainsFunc(known, func(d Damage) bool { return d.Path == newest }) {
		d := Damage{At: time.Now(), Path: newest, Problem: "it was found damaged at an earlier start"}
		if found != nil {
			d.Problem = found.problem
		}
		if err := j.salvage(ctx, path+".salvage", d); err != nil {
			return fmt.Errorf("take over what %s holds: %w", newest, err)
		}
		if known, err = j.readDamages(ctx); err != nil {
			return err
		}
	}
	j.damage = slices.DeleteFunc(known, func(d Damage) bool { return !slices.Contains(asides, d.Path) })
	return nil
}

// listAsides returns the damaged journals beside path, oldest first.
func listAsides(path string) ([]string, error) {
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	var asides []string
	for _, e := range entries {
		rest, ok := strings.CutPrefix(e.Name(), filepath.Base(path)+asideMark)
		if ok && strings.HasSuffix(rest, "Z") { // not the log of one
			asides = append(asides, filepath.Join(filepath.Dir(path), e.Name()))
		}
	}
	return asides, nil // ReadDir sorts by name, which is by time
}

// readDamages returns all recorded damage, oldest first.
func (j *Journal) readDamages(ctx context.Context) ([]Damage, error) {
	rows, err := j.writer.QueryContext(ctx, "SELECT at, path, problem, salvaged, lost FROM damages ORDER BY path")
	return collect(rows, err, func(d *Damage) error {
		return rows.Scan((*millis)(&d.At), &d.Path, &d.Problem, &d.Salvaged, &d.Lost)
	})
}
