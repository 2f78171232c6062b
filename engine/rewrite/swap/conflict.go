package swap

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"
)

// keepBoth gives a temp that holds another program's text a name beside the note and returns it. The
// file itself moves, so that a program which still has it open continues to write into the copy and
// not into nothing.
func (s Swapper) keepBoth(path, temp string) (string, error) {
	dir := filepath.Dir(path)
	if err := s.makeFolders(dir); err != nil {
		return "", fmt.Errorf("keep both versions: %w", err)
	}
	ext := filepath.Ext(path)
	stem := strings.TrimSuffix(path, ext) + ".conflict-" + time.Now().Format("20060102-150405")
	for n := 1; n < 1000; n++ {
		name := stem + ext
		if n > 1 {
			name = fmt.Sprintf("%s-%d%s", stem, n, ext)
		}
		err := s.moveFile(temp, name)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", fmt.Errorf("keep both versions: %w", err)
		}
		if err := s.files.SyncDir(dir); err != nil {
			return name, fmt.Errorf("make the other version's name durable: %w", err)
		}
		return name, nil
	}
	return "", fmt.Errorf("keep both versions: no free name like %s%s", filepath.Base(stem), ext)
}

// makeFolders brings back a folder that was deleted together with its note.
func (s Swapper) makeFolders(dir string) error {
	if _, err := s.files.Lstat(dir); !isGone(err) {
		return err
	}
	if err := s.makeFolders(filepath.Dir(dir)); err != nil {
		return err
	}
	return s.files.Mkdir(dir, 0o755)
}

// moveFile renames without replacing, or copies if that is impossible.
func (s Swapper) moveFile(from, to string) error {
	err := s.files.RenameNew(from, to)
	if !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	src, err := s.files.Open(from, Free)
	if err != nil {
		return err
	}
	defer src.Close()
	data, err := readAll(src)
	if err != nil {
		return err
	}
	if len(data) > Limit {
		return ErrTooLarge
	}
	if err := s.copyTo(to, data, src); err != nil {
		return err
	}
	// Between reading and removing nothing may have been added.
	if sum, err := s.hashFile(from); err != nil || sum != sha256.Sum256(data) {
		return errors.Join(errors.New("the displaced version is still being written"), err)
	}
	if err := s.files.SyncDir(filepath.Dir(to)); err != nil {
		return err
	}
	return s.files.Remove(from)
}

func (s Swapper) copyTo(to string, data []byte, like Handle) error {
	dst, err := s.files.Create(to)
	if err != nil {
		return err
	}
	_, err = dst.WriteAt(data, 0)
	if err == nil {
		err = dst.Like(like)
	}
	if err == nil || errors.Is(err, errOwner) {
		err = dst.Sync()
	}
	if cerr := dst.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return errors.Join(err, s.dropTemp(to))
	}
	return nil
}
