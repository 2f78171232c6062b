package database

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"slices"

	"vaultdispatcher/engine/journal/dbfile"
)

// The whole check of the same bytes by the same program finds the same. So what it found sound is remembered by a sum of all
// its bytes: to sum them up takes a twentieth of the time, and finds each byte that has changed since.

// soundMark is appended to a path for the sum of the bytes that were found sound.
const soundMark = ".sound"

// sumFile sums up a file that is all there is of a journal, and the program that checks it. It returns nothing where there is more
// than the file, or doubt, or where a file is so large that it is not checked at each start.
func sumFile(path string) []byte {
	size := dbfile.Size(path)
	if size == 0 || size > smallFile || isDoubtful(path) || dbfile.CheckKind(path) != nil {
		return nil
	}
	program, err := os.Executable()
	if err != nil {
		return nil
	}
	is, err := os.Stat(program)
	if err != nil {
		return nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	sum := sha256.New()
	fmt.Fprintf(sum, "%q %d %d\n", program, is.Size(), is.ModTime().UnixNano())
	if _, err := io.Copy(sum, f); err != nil {
		return nil
	}
	return sum.Sum(nil)
}

// isSound reports whether a file with this sum was found sound.
func isSound(path string, sum []byte) bool {
	known, err := os.ReadFile(path + soundMark)
	return err == nil && sum != nil && bytes.Equal(known, sum)
}

// rememberSound remembers the sum of a file that was found sound, if it still has it. Without it the next start checks again.
func rememberSound(path string, sum []byte) {
	if sum != nil && slices.Equal(sum, sumFile(path)) {
		_ = os.WriteFile(path+soundMark, sum, 0o600)
	}
}

// CheckClosed checks a journal that was closed as the next start would, which then need not. What is damaged is left for it to find.
func CheckClosed(path string) {
	sum := sumFile(path)
	if sum == nil || isSound(path, sum) {
		return
	}
	if current, err := inspectFile(context.Background(), path, true); current && err == nil {
		rememberSound(path, sum)
	}
}
