package swap

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"
)

// as runs do in a thread of another user, which ends with it. Only a superuser
// can; the test of others skips itself.
func as(t *testing.T, become func() error, do func()) {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("root: only it becomes another user")
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // never unlocked, so that the thread ends
		if err := become(); err != nil {
			t.Error(err)
			return
		}
		do()
	}()
	<-done
}

// openTemp returns a folder for temporary files that every user can reach; ours
// may lie in a private one.
func openTemp(t *testing.T) string {
	t.Helper()
	for _, dir := range []string{os.TempDir(), "/tmp", "/var/tmp"} {
		open := true
		for at := dir; at != filepath.Dir(at); at = filepath.Dir(at) {
			info, err := os.Stat(at)
			open = open && err == nil && info.Mode().Perm()&0o001 != 0
		}
		if open {
			return dir
		}
	}
	t.Fatal("no folder for temporary files is open to other users")
	return ""
}

// A note of another user that we may write is neither leased to us nor can a
// new file be given its owner. An editor that has it open keeps its file.
func TestNoteOfAnotherUser(t *testing.T) {
	const stranger = 65534
	for name, become := range map[string]func() error{
		"no lease": func() error {
			_, _, errno := unix.RawSyscall(unix.SYS_SETRESUID, ^uintptr(0), stranger, ^uintptr(0))
			if errno != 0 {
				return errno
			}
			return nil
		},
		"a lease, but not the owner": func() error {
			_, err := unix.SetfsuidRetUid(stranger)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("TMPDIR", openTemp(t))
			root, path := vault(t, before)
			for _, dir := range []string{root, filepath.Dir(root)} {
				if err := os.Chmod(dir, 0o777); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.Chmod(path, 0o666); err != nil {
				t.Fatal(err)
			}
			if os.Getuid() == 0 {
				if err := os.Chown(path, 1000, 1000); err != nil {
					t.Fatal(err)
				}
			}
			was := stat(t, path)
			as(t, become, func() {
				out, err := On(nil).File(context.Background(), change(root, path, before, after+"and more\n", nil))
				if err != nil || !out.InPlace || out.Displaced != "" {
					t.Errorf("%+v, %v", out, err)
				}
				wantNote(t, path, after+"and more\n")
				wantNoTemps(t, root)
			})
			if is := stat(t, path); is.Uid != was.Uid || is.Gid != was.Gid || is.Ino != was.Ino || is.Mode != was.Mode {
				t.Errorf("the note has become another file: %+v", is)
			}
		})
	}
}

// An editor whose writing we cannot learn of has the note open from before the
// answer until after it. Every word is in the note.
func TestEditorOfAnotherUsersNote(t *testing.T) {
	root, path := vault(t, before)
	editor := add(t, path, "a word after the answer\n")
	files := blind{Files: osFiles{}}
	out, err := On(files).File(context.Background(), change(root, path, before, after+"and more\n", nil))
	if err != nil || !out.InPlace {
		t.Fatalf("%+v, %v", out, err)
	}
	editor()
	wantNote(t, path, after+"and more\n"+"a word after the answer\n")
	wantNoTemps(t, root)
}
