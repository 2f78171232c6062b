package swap

import (
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"time"
)

// CleanTemps removes temps in a vault that were left before their intention was recorded and that
// known (the temps of open intentions) does not name, if they are older than olderThan. It removes
// those of an earlier run of engine, whose intentions known has all of, at any age if no bytes are
// lost with them: unfinished temps, and new bytes that were not exchanged, for the old ones are in the
// note then. A temp whose contents are not ours is not removed but returned in kept.
func CleanTemps(root, engine string, known []string, olderThan time.Duration) (kept []string, err error) {
	return On(nil).CleanTemps(root, engine, known, olderThan)
}

// CleanTemps is [CleanTemps] on s's file operations.
func (s Swapper) CleanTemps(root, engine string, known []string, olderThan time.Duration) (kept []string, err error) {
	top, err := s.files.Resolve(root)
	if err != nil {
		return nil, fmt.Errorf("%w: %v", ErrVaultGone, err)
	}
	dir := filepath.Join(top, vaultDir, tempsDir)
	entries, err := s.files.ReadDir(dir)
	if isGone(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list temps: %w", err)
	}
	open := make(map[string]bool, len(known))
	for _, k := range known {
		open[siblingTemp(filepath.Base(k), "")] = true
	}
	for _, e := range entries {
		fi, ierr := e.Info()
		if ierr != nil || !fi.Mode().IsRegular() || open[siblingTemp(e.Name(), "")] {
			continue
		}
		temp, old := filepath.Join(dir, e.Name()), time.Since(fi.ModTime()) >= olderThan
		ok, cerr := true, error(nil)
		if old {
			ok, cerr = s.cleanTemp(temp)
		} else {
			cerr = s.cleanOwn(temp, engine)
		}
		if !ok {
			kept = append(kept, temp)
		}
		err = errors.Join(err, cerr)
	}
	return kept, err
}

// cleanTemp removes one stray temp and reports whether it was ours to remove.
func (s Swapper) cleanTemp(temp string) (bool, error) {
	m := tempName.FindStringSubmatch(filepath.Base(temp))
	if m == nil {
		return false, nil
	}
	if m[5] == partKind[1:] {
		return true, s.dropTemp(temp)
	}
	sum, err := s.hashFile(temp)
	if err != nil {
		return false, err
	}
	if digits := hex.EncodeToString(sum[:8]); digits != m[3] && digits != m[4] {
		return false, nil
	}
	return true, s.dropTemp(temp)
}

// cleanOwn removes a young temp of an earlier run of engine if its bytes are safe elsewhere.
func (s Swapper) cleanOwn(temp, engine string) error {
	m := tempName.FindStringSubmatch(filepath.Base(temp))
	if m == nil || engine == "" || m[1] != engine || m[2] == thisRun {
		return nil
	}
	switch m[5] {
	case partKind[1:]:
		return s.dropTemp(temp)
	case newKind[1:]:
		sum, err := s.hashFile(temp)
		if err != nil || hex.EncodeToString(sum[:8]) != m[3] || m[3] == m[4] {
			return err
		}
		return s.dropTemp(temp)
	}
	return nil
}
