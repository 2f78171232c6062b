package vectors

import (
	"fmt"
	"io/fs"
	"log/slog"
	"syscall"
	"testing"
)

// What the status says of a failure are no words of the system.
func TestTroubleIsPlain(t *testing.T) {
	v := New("index.db", Meaning{Embedder: &slowEmbedder{}, Weight: 1}, nil, slog.New(slog.DiscardHandler), func() {})
	v.keepTrouble(&fs.PathError{Op: "open", Path: "/models/a.bin", Err: syscall.EACCES})
	if told := v.State().LastError; told != "this user may not use /models/a.bin" {
		t.Errorf("told is %q", told)
	}
	locked := &fs.PathError{Op: "open", Path: "/models/b.bin", Err: syscall.EACCES}
	v.keepTrouble(nil)
	v.queryError = locked
	if told := v.State().LastError; told != "this user may not use /models/b.bin" {
		t.Errorf("told of a query is %q", told)
	}
	v.Broken, v.queryError = fmt.Errorf("read the settings: %w", locked), nil
	if told := v.State().LastError; told != "read the settings: this user may not use /models/b.bin" {
		t.Errorf("told of no embedder is %q", told)
	}
	v.Broken = nil
	if v.keepTrouble(nil); v.State().LastError != "" {
		t.Error("a failure that is over is still told")
	}
}
