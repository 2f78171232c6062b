package client

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// tokenBytes is the size of a token before it is written in hex.
const tokenBytes = 32

// ErrToken is a token file that is there and of no use.
var ErrToken = errors.New("the token file is damaged or readable by others")

// LoadToken reads the token from its file. A file that other users can read, or
// that holds something else, is refused; the engine replaces it at its start.
// A missing file is fs.ErrNotExist.
func LoadToken(path string) (string, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return "", fmt.Errorf("read the token: %w", err)
	}
	if !info.Mode().IsRegular() || isExposed(info) {
		return "", fmt.Errorf("read the token: %w", ErrToken)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return "", fmt.Errorf("read the token: %w", err)
	}
	token := string(text)
	if raw, err := hex.DecodeString(token); err != nil || len(raw) != tokenBytes {
		return "", fmt.Errorf("read the token: %w", ErrToken)
	}
	return token, nil
}

// EnsureToken returns the token in the file, and makes both where there are
// none. A token that others could read is not kept: it may have been read.
func EnsureToken(path string) (string, error) {
	token, err := LoadToken(path)
	if err == nil || !errors.Is(err, ErrToken) && !errors.Is(err, fs.ErrNotExist) {
		return token, err
	}
	token, err = newToken(path)
	if err != nil {
		return "", fmt.Errorf("make a token: %w", err)
	}
	return token, nil
}

// newToken writes a fresh token beside the file and then moves it into place, so
// that no reader ever sees half a token or one with a wider mode.
func newToken(path string) (string, error) {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	raw := make([]byte, tokenBytes)
	rand.Read(raw) // never fails
	token := hex.EncodeToString(raw)
	f, err := os.CreateTemp(dir, ".token-*") // mode 0600
	if err != nil {
		return "", err
	}
	defer os.Remove(f.Name())
	_, err = f.WriteString(token)
	err = errors.Join(err, f.Sync(), f.Close())
	if err != nil {
		return "", err
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return "", err
	}
	return token, nil
}
