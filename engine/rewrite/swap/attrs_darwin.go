package swap

import (
	"os"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// noAttr says that an attribute vanished between the listing and the reading.
const noAttr = unix.ENOATTR

// keepCreation gives dst the creation date of src, which people sort notes by. A file system
// without such a date is no reason to leave an answer unwritten:
// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/setattrlist.2.html
func keepCreation(dst *os.File, src os.FileInfo) {
	st, ok := src.Sys().(*syscall.Stat_t)
	if !ok || st.Birthtimespec.Sec <= 0 {
		return
	}
	created := unix.Timespec{Sec: st.Birthtimespec.Sec, Nsec: st.Birthtimespec.Nsec}
	list := unix.Attrlist{Bitmapcount: unix.ATTR_BIT_MAP_COUNT, Commonattr: unix.ATTR_CMN_CRTIME}
	bytes := (*[unsafe.Sizeof(created)]byte)(unsafe.Pointer(&created))[:]
	_ = unix.Setattrlist(dst.Name(), &list, bytes, unix.FSOPT_NOFOLLOW)
}
