package watch

import (
	"os"

	"golang.org/x/sys/unix"
)

func mountOf(abs string) (mount, error) {
	var st unix.Statfs_t
	if err := unix.Statfs(abs, &st); err != nil {
		return mount{}, &os.PathError{Op: "statfs", Path: abs, Err: err}
	}
	return mount{
		fs:     unix.ByteSliceToString(st.Fstypename[:]),
		at:     unix.ByteSliceToString(st.Mntonname[:]),
		remote: st.Flags&unix.MNT_LOCAL == 0,
	}, nil
}

// mountsIn knows of none: what is mounted in a vault is found by a comparison.
func mountsIn(string) map[string]string { return nil }
