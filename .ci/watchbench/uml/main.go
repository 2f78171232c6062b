//go:build linux

// Uml starts user-mode Linux on machines whose processor has more registers than
// its kernel knows of:
//
//	uml linux.uml ARGUMENT...
//
// Linux 6.1 as a program saves the extended registers of its processes in a
// buffer of fixed size, and the machine's kernel refuses to set them from one
// that is too short, which it is where there is AMX: the guest panics before its
// first program runs. So the two calls that read and set the extended registers
// fail from the beginning, and the guest saves the basic ones. Programs in it
// must then leave the extended registers alone (GODEBUG=cpu.avx=off, and
// GLIBC_TUNABLES for others).
package main

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "uml: a program is needed")
		os.Exit(2)
	}
	if err := becomeProgram(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "uml:", err)
		os.Exit(1)
	}
}

// becomeProgram replaces this process with the program. It returns only when it cannot.
func becomeProgram(args []string) error {
	path, err := exec.LookPath(args[0])
	if err != nil {
		return err
	}
	runtime.LockOSThread() // the filter is that of a thread
	if err := refuseExtended(); err != nil {
		return fmt.Errorf("setting a filter of system calls: %w", err)
	}
	return syscall.Exec(path, args, os.Environ())
}

// The register set of the extended registers, and where a filter finds the
// number and the lower halves of the arguments of a call.
const (
	xstate              = 0x202
	number, arg0, arg2  = 0, 16, 32
	loadWord, jumpEqual = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K
	giveBack            = unix.BPF_RET | unix.BPF_K
)

// refuseExtended makes ptrace fail for this thread and what it becomes, when it is
// asked for the extended registers.
func refuseExtended() error {
	filter := []unix.SockFilter{
		{Code: loadWord, K: number},
		{Code: jumpEqual, K: unix.SYS_PTRACE, Jf: 6},
		{Code: loadWord, K: arg0},
		{Code: jumpEqual, K: unix.PTRACE_GETREGSET, Jt: 1},
		{Code: jumpEqual, K: unix.PTRACE_SETREGSET, Jf: 3},
		{Code: loadWord, K: arg2},
		{Code: jumpEqual, K: xstate, Jf: 1},
		{Code: giveBack, K: unix.SECCOMP_RET_ERRNO | uint32(unix.EINVAL)},
		{Code: giveBack, K: unix.SECCOMP_RET_ALLOW},
	}
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	return unix.Prctl(unix.PR_SET_SECCOMP, unix.SECCOMP_MODE_FILTER, uintptr(unsafe.Pointer(&program)), 0, 0)
}
