//go:build linux || darwin

package swap

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// IsWritable asks the system about a note whose mode allows it to be written: mode bits
// say nothing about another owner's note or a file system that is mounted read-only. It
// opens nothing.
func IsWritable(name string) bool { return unix.Access(name, unix.W_OK) == nil }

func countLinks(f *os.File) (int, error) {
	fi, err := f.Stat()
	if err != nil {
		return 0, err
	}
	st, ok := fi.Sys().(*syscall.Stat_t)
	if !ok {
		return 1, nil
	}
	return int(st.Nlink), nil
}

// appendAtEnd has the system find the end and write there in one step.
func appendAtEnd(f *os.File, p []byte) (at int64, err error) {
	if _, err := unix.FcntlInt(f.Fd(), unix.F_SETFL, unix.O_APPEND); err != nil {
		return 0, &os.PathError{Op: "append", Path: f.Name(), Err: err}
	}
	_, err = f.Write(p)
	if err == nil {
		at, err = f.Seek(0, io.SeekCurrent)
	}
	// With O_APPEND left set, every WriteAt would append as well.
	if _, ferr := unix.FcntlInt(f.Fd(), unix.F_SETFL, 0); err == nil {
		err = ferr
	}
	return at - int64(len(p)), err
}

// copyAttributes gives dst the mode, owner, extended attributes, access list and, where the system
// can, the creation date of src. It leaves out attributes that only a superuser may give, and returns
// errOwner if the owner differs. The mode comes after the owner, because a change of owner clears bits
// of it.
func copyAttributes(dst, src *os.File) error {
	fi, err := src.Stat()
	if err != nil {
		return err
	}
	if st, ok := fi.Sys().(*syscall.Stat_t); ok {
		err := dst.Chown(int(st.Uid), int(st.Gid))
		if errors.Is(err, os.ErrPermission) {
			err = dst.Chown(-1, int(st.Gid)) // a group of ours can still be kept
		}
		if err != nil && !isForbidden(err) {
			return fmt.Errorf("keep owner: %w", err)
		}
	}
	if err := dst.Chmod(fi.Mode()); err != nil && !isForbidden(err) {
		return fmt.Errorf("keep mode: %w", err)
	}
	if err := copyAttrs(int(dst.Fd()), int(src.Fd())); err != nil {
		return err
	}
	keepCreation(dst, fi)
	return sameOwner(dst, fi)
}

// sameOwner compares the owners and ignores the system's error: some file systems refuse every owner
// and have only one.
func sameOwner(dst *os.File, want os.FileInfo) error {
	fi, err := dst.Stat()
	if err != nil {
		return err
	}
	is, ok := fi.Sys().(*syscall.Stat_t)
	was, ok2 := want.Sys().(*syscall.Stat_t)
	if ok && ok2 && (is.Uid != was.Uid || is.Gid != was.Gid) {
		return errOwner
	}
	return nil
}

func copyAttrs(dst, src int) error {
	names, err := readGrowing(func(b []byte) (int, error) { return unix.Flistxattr(src, b) })
	if err != nil {
		if isForbidden(err) {
			return nil
		}
		return fmt.Errorf("list attributes: %w", err)
	}
	for name := range strings.SplitSeq(string(bytes.TrimRight(names, "\x00")), "\x00") {
		if name == "" || isChecksum(name) {
			continue
		}
		value, err := readGrowing(func(b []byte) (int, error) { return unix.Fgetxattr(src, name, b) })
		if err == nil {
			err = unix.Fsetxattr(dst, name, value, 0)
		}
		if err != nil && !isForbidden(err) {
			return fmt.Errorf("keep attribute %s: %w", name, err)
		}
	}
	return nil
}

// isChecksum names the attributes that are a checksum of the contents.
func isChecksum(name string) bool {
	return slices.Contains([]string{"security.ima", "security.evm"}, name)
}

// isForbidden reports that an attribute cannot be carried over here at all, as
// opposed to a failure.
func isForbidden(err error) bool {
	return errors.Is(err, os.ErrPermission) || errors.Is(err, errors.ErrUnsupported) || errors.Is(err, unix.EINVAL) || errors.Is(err, noAttr)
}

// readGrowing calls read with a buffer until it is large enough.
func readGrowing(read func([]byte) (int, error)) ([]byte, error) {
	for size := 256; ; size *= 4 {
		buf := make([]byte, size)
		n, err := read(buf)
		if errors.Is(err, unix.ERANGE) && size < 1<<20 {
			continue
		}
		if err != nil {
			return nil, err
		}
		return buf[:n], nil
	}
}

// syncDir makes a folder's names durable. File systems that know no such thing
// say so with EINVAL or ENOTSUP.
func syncDir(name string) error {
	d, err := os.Open(name)
	if err != nil {
		return err
	}
	defer d.Close()
	err = d.Sync()
	if errors.Is(err, unix.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		return nil
	}
	return err
}
