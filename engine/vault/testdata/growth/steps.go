package growth

import (
	"sync"
	"sync/atomic"
	"unsafe"

	"modernc.org/libc"
	lib "modernc.org/sqlite/lib"
)

// steps is how many instructions SQLite has run, in all databases of this process that were opened after [Steps] was called.
var steps atomic.Int64

// Steps counts the work of SQLite itself, whose instructions take a row each or less (https://www.sqlite.org/opcode.html): also
// of rows that a query passes over, and of pages that are at hand. It is called before a database is opened.
func Steps() Counter {
	countSteps()
	return Counter{"steps of SQLite", func() float64 { return float64(steps.Load()) }}
}

// countSteps has each new connection tell of its steps, once for this process.
var countSteps = sync.OnceFunc(func() {
	tls := libc.NewTLS()
	defer tls.Close()
	lib.Xsqlite3_auto_extension(tls, pointTo(tellSteps))
})

func tellSteps(tls *libc.TLS, db, _, _ uintptr) int32 {
	lib.Xsqlite3_progress_handler(tls, db, 1, pointTo(countStep), 0)
	return lib.SQLITE_OK
}

func countStep(*libc.TLS, uintptr) int32 {
	steps.Add(1)
	return 0
}

// pointTo is a function as the translated C code calls it: its value, which is a pointer. So it is none that is made at run time,
// or it would be cleared away.
func pointTo[T any](function T) uintptr { return *(*uintptr)(unsafe.Pointer(&function)) }
