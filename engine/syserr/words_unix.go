//go:build !windows

package syserr

import "syscall"

// words are what the numbers of errno.h mean, with %s for what they are about.
var words = map[syscall.Errno]string{
	syscall.EBUSY: inUse, syscall.ETXTBSY: inUse, syscall.EAGAIN: inUse,
	syscall.ENOSPC: full, syscall.EDQUOT: full,
	syscall.EROFS: guarded,
	syscall.EIO:   failing, syscall.ENXIO: failing, syscall.ENODEV: failing,
	syscall.ESTALE: away, syscall.ETIMEDOUT: away, syscall.EHOSTDOWN: away, syscall.ENOTCONN: away,
	syscall.ENAMETOOLONG: "the name %s is too long for its disk",
	syscall.ENOTDIR:      "a part of %s is a file where a folder belongs",
	syscall.EISDIR:       "%s is a folder where a file belongs",
	syscall.ENOTEMPTY:    "the folder %s is not empty",
	syscall.ELOOP:        "%s is a link that leads round in a circle",
	syscall.EXDEV:        "%s lies on another disk",
	syscall.EMLINK:       "%s has too many names",
	syscall.EMFILE:       "too many files are open",
	syscall.ENFILE:       "too many files are open",
	syscall.ENOMEM:       "there is not enough memory",
	syscall.EFBIG:        "%s is too large for its disk",
	syscall.EPIPE:        "whoever read it has gone",
	syscall.EINVAL:       "the disk of %s cannot do that",
	syscall.ENOTSUP:      "the disk of %s cannot do that",
	syscall.ENOSYS:       "this system cannot do that",
	syscall.ENOEXEC:      "%s is no program of this system",
}
