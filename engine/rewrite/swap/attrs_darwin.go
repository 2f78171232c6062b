package swap

import "golang.org/x/sys/unix"

// noAttr says that an attribute vanished between the listing and the reading.
const noAttr = unix.ENOATTR
