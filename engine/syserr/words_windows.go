package syserr

import "syscall"

// words are what the numbers of winerror.h mean, with %s for what they are about:
// https://learn.microsoft.com/windows/win32/debug/system-error-codes
var words = map[syscall.Errno]string{
	32: inUse, 33: inUse, 170: inUse, 1224: inUse,
	39: full, 112: full, 1295: full,
	19: guarded,
	21: failing, 23: failing, 27: failing, 1117: failing,
	53: away, 54: away, 59: away, 64: away, 67: away, 121: away, 1231: away,
	206:  "the name %s is too long for its disk",
	123:  "the name %s is none that its disk can have",
	267:  "a part of %s is a file where a folder belongs",
	145:  "the folder %s is not empty",
	17:   "%s lies on another disk",
	1142: "%s has too many names",
	4:    "too many files are open",
	8:    "there is not enough memory",
	14:   "there is not enough memory",
	1:    "the disk of %s cannot do that",
	50:   "the disk of %s cannot do that",
	193:  "%s is no program of this system",
}
