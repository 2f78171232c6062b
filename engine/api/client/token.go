package client

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"vaultdispatcher/engine/files"
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

// newToken replaces the file; no reader sees half a token or one with a wider mode.
func newToken(path string) (string, error) {
	raw := make([]byte, tokenBytes)
	rand.Read(raw) // never fails
	token := hex.EncodeToString(raw)
	return token, files.Write(path, []byte(token), 0o600)
}
