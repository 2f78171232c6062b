package growth

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"
)

// countsCalls says that calls to the system are counted.
const countsCalls = true

// looks is how often this process has asked what there is to know of a file: stat, by whatever room and package.
var looks atomic.Int64

// Calls count what a process asks of its disks, in whatever room: stats, in the process of [Alone], and reads, those of
// SQLite's pages among them.
func Calls() []Counter {
	var calls []Counter
	if looksCounted {
		calls = append(calls, Counter{"stats", func() float64 { return float64(looks.Load()) }})
	}
	if _, err := os.Stat("/proc/self/io"); err == nil { // not every kernel counts
		calls = append(calls, Counter{"reads", reads})
	}
	return calls
}

// reads is how often this process has read (https://docs.kernel.org/filesystems/proc.html, syscr).
func reads() float64 {
	text, err := os.ReadFile("/proc/self/io")
	if err != nil {
		panic(err)
	}
	for line := range strings.Lines(string(text)) {
		if n, ok := strings.CutPrefix(line, "syscr: "); ok {
			count, err := strconv.Atoi(strings.TrimSpace(n))
			if err != nil {
				panic(err)
			}
			return float64(count)
		}
	}
	panic("the kernel does not count what is read")
}

// What seccomp(2) and seccomp_unotify(2) want.
const (
	setModeFilter = 1
	everyThread   = 1 << 0
	newListener   = 1 << 3
	everyThreadOr = 1 << 4 // an error where a thread cannot have the filter, and no number of it
	letPass       = 0x7fff0000
	tellListener  = 0x7fc00000
	receive       = 0xc0502100
	send          = 0xc0182101
	goOn          = 1
	loadNumber    = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS
	isNumber      = unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K
	returns       = unix.BPF_RET | unix.BPF_K
)

// told is struct seccomp_notif, and answer struct seccomp_notif_resp.
type told struct {
	id         uint64
	pid, flags uint32
	data       [64]byte
}

type answer struct {
	id    uint64
	value int64
	error int32
	flags uint32
}

// countLooks has the kernel tell of each look at a file before it is made, for as long as this process lives, and lets it be made.
// Only calls before which Go gives its processor away may be told of, or the one who listens could wait for that processor; so
// reads, which Go's own runtime makes too, are not.
func countLooks() error {
	numbers := []uint32{unix.SYS_NEWFSTATAT, unix.SYS_STATX}
	filter := []unix.SockFilter{{Code: loadNumber}}
	for i, number := range numbers {
		filter = append(filter, unix.SockFilter{Code: isNumber, Jt: uint8(len(numbers) - i), K: number})
	}
	filter = append(filter, unix.SockFilter{Code: returns, K: letPass}, unix.SockFilter{Code: returns, K: tellListener})
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	listens := make(chan error)
	go func() {
		runtime.LockOSThread()
		if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
			listens <- fmt.Errorf("give up new privileges: %w", err)
			return
		}
		fd, _, errno := unix.Syscall(unix.SYS_SECCOMP, setModeFilter, everyThread|newListener|everyThreadOr, uintptr(unsafe.Pointer(&program)))
		if errno != 0 {
			listens <- fmt.Errorf("install a filter: %w", errno)
			return
		}
		listens <- nil
		for {
			var look told
			if _, _, errno := unix.Syscall(unix.SYS_IOCTL, fd, receive, uintptr(unsafe.Pointer(&look))); errno != 0 {
				continue // who asked is gone, or a signal came
			}
			looks.Add(1)
			pass := answer{id: look.id, flags: goOn}
			unix.Syscall(unix.SYS_IOCTL, fd, send, uintptr(unsafe.Pointer(&pass)))
		}
	}()
	return <-listens
}
