//go:build unix

package shown

import "syscall"

const withoutWaiting = syscall.O_NONBLOCK // for whoever writes into a pipe
