package journal

import (
	"encoding/binary"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"modernc.org/libc"
	lib "modernc.org/sqlite/lib"

	"vaultdispatcher/engine/journal/database"
)

// An engine opens its journal before any other database. SQLite takes the slab before its first connection alone, also
// where a journal is there already, whose file is checked by a plain connection.
func TestPagesOfAJournalAreInTheSlab(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "journal.db")
	j, err := On(database.Open(t.Context(), path))
	must(t, err)
	must(t, j.Close())
	said, err := childCommand(t, path, "slab").Output()
	must(t, err)
	if n, err := strconv.Atoi(strings.TrimSpace(string(said))); err != nil || n < 5 {
		t.Errorf("%q pages are in the slab", said)
	}
}

// countSlabPages asks SQLite.
func countSlabPages() uint32 {
	tls := libc.NewTLS()
	defer tls.Close()
	numbers := libc.Xcalloc(tls, 2, 4)
	defer libc.Xfree(tls, numbers)
	lib.Xsqlite3_status(tls, lib.SQLITE_STATUS_PAGECACHE_USED, numbers, numbers+4, 0)
	return binary.NativeEndian.Uint32(libc.GoBytes(numbers, 4))
}
