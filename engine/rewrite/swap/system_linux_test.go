package swap

import (
	"context"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

func stat(t *testing.T, path string) *syscall.Stat_t {
	t.Helper()
	fi, err := os.Lstat(path)
	if err != nil {
		t.Fatal(err)
	}
	return fi.Sys().(*syscall.Stat_t)
}

// The displaced file is the very one that was the note, and the name is never
// absent: an exchange and not a write.
func TestExchangeIsAnExchange(t *testing.T) {
	root, path := vault(t, before)
	was := stat(t, path).Ino
	held, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	out := file(t, On(nil), root, path, before, after)
	if out.InPlace || stat(t, path).Ino == was {
		t.Errorf("the note is still the same file: %+v", out)
	}
	buf := make([]byte, len(before))
	if _, err := held.ReadAt(buf, 0); err != nil || string(buf) != before {
		t.Errorf("a reader that had the old note open reads %q, %v", buf, err)
	}
}

// accessList is a POSIX access list: owner, user 1234, group, mask, others.
func accessList() []byte {
	b := binary.LittleEndian.AppendUint32(nil, 2)
	for _, e := range [][3]uint32{{1, 6, 1<<32 - 1}, {2, 6, 1234}, {4, 4, 1<<32 - 1}, {16, 6, 1<<32 - 1}, {32, 0, 1<<32 - 1}} {
		b = binary.LittleEndian.AppendUint16(b, uint16(e[0]))
		b = binary.LittleEndian.AppendUint16(b, uint16(e[1]))
		b = binary.LittleEndian.AppendUint32(b, e[2])
	}
	return b
}

func TestModeOwnerAndAttributesStay(t *testing.T) {
	for name, files := range map[string]Files{"exchange": nil, "in place": noExchange()} {
		t.Run(name, func(t *testing.T) {
			root, path := vault(t, before)
			attrs := map[string]string{}
			for k, v := range map[string]string{"user.tag": "blue\x00\xff", "user.empty": "", "system.posix_acl_access": string(accessList())} {
				if err := unix.Setxattr(path, k, []byte(v), 0); err == nil {
					attrs[k] = v
				} else if !errors.Is(err, errors.ErrUnsupported) {
					t.Fatal(err)
				}
			}
			if os.Getuid() == 0 {
				if err := os.Chown(path, 1000, 1001); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.Chmod(path, 0o660); err != nil {
				t.Fatal(err)
			}
			was := stat(t, path)
			file(t, On(files), root, path, before, after)
			is := stat(t, path)
			if is.Mode != was.Mode || is.Uid != was.Uid || is.Gid != was.Gid {
				t.Errorf("mode %o owner %d:%d, want %o %d:%d", is.Mode, is.Uid, is.Gid, was.Mode, was.Uid, was.Gid)
			}
			for k, v := range attrs {
				buf := make([]byte, 256)
				n, err := unix.Getxattr(path, k, buf)
				if err != nil || string(buf[:n]) != v {
					t.Errorf("%s is %q, %v, want %q", k, buf[:max(n, 0)], err, v)
				}
			}
			t.Logf("%d attributes, owner %d", len(attrs), is.Uid)
		})
	}
}

func TestLinkIsFollowedAndStays(t *testing.T) {
	root, path := vault(t, before)
	link := filepath.Join(root, "Link.md")
	if err := os.Symlink("Note.md", link); err != nil {
		t.Fatal(err)
	}
	out, err := On(nil).File(context.Background(), change(root, link, before, after, nil))
	if err != nil || !out.Written {
		t.Fatalf("got %+v, %v", out, err)
	}
	if to, err := os.Readlink(link); err != nil || to != "Note.md" {
		t.Errorf("the link is %q, %v", to, err)
	}
	wantNote(t, path, after)

	_, elsewhere := vault(t, before)
	out1, out2 := filepath.Join(root, "Out.md"), filepath.Join(root, "folder")
	if err := errors.Join(os.Symlink(elsewhere, out1), os.Symlink(filepath.Dir(elsewhere), out2)); err != nil {
		t.Fatal(err)
	}
	for _, p := range []string{out1, filepath.Join(out2, "Note.md")} {
		if _, err := On(nil).File(context.Background(), change(root, p, before, after, nil)); !errors.Is(err, ErrOutside) {
			t.Errorf("%s: got %v, want ErrOutside", p, err)
		}
	}
	wantNote(t, elsewhere, before)
}

func TestHardLinksStayOneFile(t *testing.T) {
	root, path := vault(t, before)
	twin := filepath.Join(root, "Twin.md")
	if err := os.Link(path, twin); err != nil {
		t.Fatal(err)
	}
	if out := file(t, On(nil), root, path, before, after); !out.InPlace {
		t.Errorf("got %+v, want it written in place", out)
	}
	wantNote(t, twin, after)
	if stat(t, path).Ino != stat(t, twin).Ino {
		t.Error("the hard link is broken")
	}
}

func TestPipeIsNoNote(t *testing.T) {
	root, _ := vault(t, before)
	pipe := filepath.Join(root, "Pipe.md")
	if err := unix.Mkfifo(pipe, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := On(nil).Read(root, pipe); !errors.Is(err, ErrNotAFile) {
		t.Errorf("got %v, want ErrNotAFile", err)
	}
}

func TestTempFolderIsNoLink(t *testing.T) {
	root, path := vault(t, before)
	if err := os.Symlink(t.TempDir(), filepath.Join(root, ".vault-mind")); err != nil {
		t.Fatal(err)
	}
	if _, err := On(nil).File(context.Background(), change(root, path, before, after, nil)); err == nil {
		t.Error("temps went where a link leads")
	}
	wantNote(t, path, before)
}

// While an editor has the note open for writing it is left alone.
func TestWriterIsRespected(t *testing.T) {
	for name, files := range map[string]Files{"exchange": nil, "in place": noExchange()} {
		t.Run(name, func(t *testing.T) {
			root, path := vault(t, before)
			if !Probe(root).Lease {
				t.Log("no leases on this file system: nothing to respect")
				return
			}
			editor, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
			if err != nil {
				t.Fatal(err)
			}
			var log []Intention
			_, err = On(files).File(context.Background(), change(root, path, before, after, &log))
			if !errors.Is(err, ErrBusy) || len(log) > 0 {
				t.Errorf("got %v and %d intentions, want ErrBusy before anything is recorded", err, len(log))
			}
			if _, err := os.Lstat(filepath.Join(root, ".vault-mind", "tmp")); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("a busy note costs a temp: %v", err)
			}
			if _, err := editor.WriteString("four\n"); err != nil {
				t.Fatal(err)
			}
			if err := editor.Close(); err != nil {
				t.Fatal(err)
			}
			file(t, On(files), root, path, before+"four\n", after+"four\n")
		})
	}
}

// An editor that has found the old file and comes to write it while we hold it
// must find it under the note's name again.
func TestWaitingWriterIsNotRobbed(t *testing.T) {
	root, path := vault(t, before)
	if !Probe(root).Lease {
		t.Log("no leases on this file system: nobody waits")
		return
	}
	saved := make(chan error, 1)
	first := true
	files := hooked{Files: osFiles{}, exchange: func(temp, note string) error {
		if !first {
			return exchange(temp, note)
		}
		first = false
		waiting(t, path)
		go func() { saved <- appendTo(path, "four\n") }()
		// The goroutine may open the note before or after the exchange; the old
		// file is only ours again when it has been put back either way.
		return exchange(temp, note)
	}}
	var log []Intention
	out, err := On(files).File(context.Background(), change(root, path, before, after, &log))
	if err := <-saved; err != nil {
		t.Fatal(err)
	}
	// Who came after the exchange has found our bytes: if they go back while it
	// writes, it writes a copy; if it was faster, its save stays the note.
	got, copies := read(t, path), strings.Join(conflicts(t, root), "|")
	waited := got == before+"four\n" && copies == "" && errors.Is(err, ErrChanged)
	moved := got == before && copies == after+"four\n" && errors.Is(err, ErrChanged)
	onTop := got == after+"four\n" && (copies == "" || copies == before)
	if !waited && !moved && !onTop {
		t.Errorf("note holds %q, copies hold %q: %+v, %v", got, copies, out, err)
	}
	// A save that was put back has a copy until the grace is over.
	for _, in := range log {
		if outcome, err := Settle(in); err != nil || outcome.Conflict != "" {
			t.Errorf("the end of the grace: %+v, %v", outcome, err)
		}
	}
	wantNoTemps(t, root)
}

// waiting asks to write a note that is held, without waiting for it.
func waiting(t *testing.T, path string) {
	t.Helper()
	fd, err := unix.Open(path, unix.O_WRONLY|unix.O_NONBLOCK, 0)
	if !errors.Is(err, unix.EAGAIN) {
		t.Errorf("the note is not held: %d, %v", fd, err)
	}
}

func appendTo(path, text string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}

// Somebody who comes to write the displaced file after we looked twice finds it
// beside the note.
func TestLateWriterGetsACopy(t *testing.T) {
	root, path := vault(t, before)
	if !Probe(root).Lease {
		t.Log("no leases on this file system: nobody is noticed")
		return
	}
	in := intention(t, root, path, before, after, newKind)
	write(t, path, after)
	write(t, in.Temp, before)
	late, err := os.OpenFile(in.Temp, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	out, err := Recover(in)
	if err != nil || !out.Written || out.Conflict == "" {
		t.Fatalf("got %+v, %v", out, err)
	}
	if _, err := late.WriteString("four\n"); err != nil {
		t.Fatal(err)
	}
	late.Close()
	wantNote(t, path, after)
	wantNote(t, out.Conflict, before+"four\n")
}

func TestProbe(t *testing.T) {
	root, path := vault(t, before)
	c := Probe(root)
	t.Logf("%s: %+v", root, c)
	if (c.Reason == "") != (c.Exchange && c.Lease) {
		t.Errorf("got %+v", c)
	}
	if out := file(t, On(nil), root, path, before, after); out.InPlace == c.Exchange {
		t.Errorf("probed %+v and then %+v", c, out)
	}
	// Nobody can make folders in /proc, not even the superuser.
	if c := Probe("/proc"); c.Exchange || c.Lease || c.Reason == "" {
		t.Errorf("/proc: %+v", c)
	}
	shut := t.TempDir()
	if err := os.Chmod(shut, 0o555); err != nil {
		t.Fatal(err)
	}
	if c := Probe(shut); os.Getuid() != 0 && (c.Exchange || c.Reason == "") {
		t.Errorf("a vault that cannot be written: %+v", c)
	}
	if c := Probe(root + "-gone"); c.Exchange || c.Reason == "" {
		t.Errorf("a vault that is gone: %+v", c)
	}
}
