package engine

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// What a kill has left of this engine's, a moment ago, is swept at the next start; another
// engine's is left, which may be at work on the same vault.
func TestSweepsItsOwnTemps(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	r := startEngine(t, dir, &echoes{})
	r.save("n.md", "a note\n")
	tmp := filepath.Join(r.vault, ".vault-mind", "tmp")
	text := []byte("the new text of a note\n")
	sum := sha256.Sum256(text)
	temp := func(engine string) string {
		return filepath.Join(tmp, fmt.Sprintf("%s-0123456789abcdef-%x-00000000000000bb.new", engine, sum[:8]))
	}
	own, other := temp(r.id), temp("00000000000000aa")
	r.stop()
	if err := os.MkdirAll(tmp, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{own, other} {
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r = startEngine(t, dir, &echoes{})
	for end := time.Now().Add(time.Minute); ; <-time.After(5 * time.Millisecond) {
		if _, err := os.Lstat(own); os.IsNotExist(err) {
			break
		}
		if time.Now().After(end) {
			t.Fatal("its own temp is still there")
		}
	}
	r.save("m.md", question(1))
	r.until("m.md", answer(1))
	if _, err := os.Lstat(other); err != nil {
		t.Errorf("another engine's temp: %v", err)
	}
}

// What the engine has in a vault comes back once all of it was taken away, by git clean or a sync program, and an
// answer has made the folder anew.
func TestFolderOfTheEngineComesBack(t *testing.T) {
	t.Parallel()
	r := startEngine(t, t.TempDir(), &echoes{})
	r.save("n.md", question(1))
	r.until("n.md", answer(1))
	r.rest()
	ours := filepath.Join(r.vault, ".vault-mind")
	for end := time.Now().Add(time.Minute); os.RemoveAll(ours) != nil; { // a probe may be at work there
		if time.Now().After(end) {
			t.Fatal("the folder cannot be removed")
		}
	}
	r.save("m.md", question(2))
	r.until("m.md", answer(2))
	for _, name := range []string{".gitignore", "server.json", filepath.Join("engines", r.id+".json")} {
		for end := time.Now().Add(time.Minute); ; <-time.After(5 * time.Millisecond) {
			if _, err := os.Lstat(filepath.Join(ours, name)); err == nil {
				break
			}
			if time.Now().After(end) {
				t.Fatalf("%s is still gone", name)
			}
			r.vaults[0].Condition.Ask()
		}
	}
}
