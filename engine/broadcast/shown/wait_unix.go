//go:build unix

package shown

import "syscall"

const withoutWaiting = syscall.O_NONBLOCK // a pipe without a writer does not block
