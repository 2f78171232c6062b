package syserr

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"vaultdispatcher/engine/journal/dbfile"
)

// raw are words that only the system or SQLite says.
var raw = []string{"errno", "no such file", "permission denied", "device or resource", "SQLITE", "database is locked", "open /", "cannot find", "no space left on device", "input/output error"}

func TestPlain(t *testing.T) {
	path := func(errno error) error { return &fs.PathError{Op: "open", Path: "/notes/a.md", Err: errno} }
	link := func(errno error) error {
		return &os.LinkError{Op: "exchange", Old: "/notes/.vault-mind/tmp/x.new", New: "/notes/a.md", Err: errno}
	}
	own := errors.New("the note is gone")
	for _, tt := range []struct {
		err  error
		want string
	}{
		{nil, ""},
		{own, "the note is gone"},
		{fmt.Errorf("exchange: %w", link(syscall.EBUSY)), "exchange: another program has /notes/a.md in use"},
		{link(fmt.Errorf("%w (%w)", errors.ErrUnsupported, syscall.EBUSY)), "another program has /notes/a.md in use"},
		{path(syscall.EACCES), "this user may not use /notes/a.md"},
		{path(syscall.EPERM), "this user may not use /notes/a.md"},
		{path(fs.ErrNotExist), "/notes/a.md is not there"},
		{fmt.Errorf("read the note: %w", path(syscall.ENOENT)), "read the note: /notes/a.md is not there"},
		{path(syscall.EEXIST), "/notes/a.md is there already"},
		{path(syscall.ENOSPC), "there is no room left on the disk of /notes/a.md"},
		{fmt.Errorf("cannot write the output: %w", syscall.ENOSPC), "cannot write the output: there is no room left on the disk"},
		{path(syscall.EROFS), "the disk of /notes/a.md is read-only"},
		{path(syscall.EIO), "the disk of /notes/a.md does not work as it should"},
		{path(syscall.ESTALE), "the disk of /notes/a.md does not answer"},
		{path(syscall.ENAMETOOLONG), "the name /notes/a.md is too long for its disk"},
		{path(syscall.ENOTDIR), "a part of /notes/a.md is a file where a folder belongs"},
		{path(syscall.EISDIR), "/notes/a.md is a folder where a file belongs"},
		{path(syscall.ELOOP), "/notes/a.md is a link that leads round in a circle"},
		{path(syscall.EMFILE), "too many files are open"},
		{path(syscall.Errno(4095)), "the system refuses what was to be done with /notes/a.md"},
		{os.NewSyscallError("fsync", syscall.EIO), "the disk does not work as it should"},
		{os.NewSyscallError("chmod", syscall.EPERM), "this user may not use it"},
		{syscall.EBUSY, "another program has it in use"},
		{fmt.Errorf("open the index of Notes: %w", errors.Join(path(syscall.EACCES), own)), "open the index of Notes: this user may not use /notes/a.md\nthe note is gone"},
		{fmt.Errorf("%w (%w)", own, syscall.EBUSY), "the note is gone (another program has it in use)"},
		{&net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", syscall.ETIMEDOUT)}, "dial tcp: connect: connection timed out"}, // of a model server
		{&hidden{"it is kept", path(syscall.EACCES)}, "it is kept"},
	} {
		if got := Plain(tt.err); got != tt.want {
			t.Errorf("%v:\n%q, want\n%q", tt.err, got, tt.want)
		}
	}
}

// hidden says in other words what its cause says.
type hidden struct {
	text  string
	cause error
}

func (h *hidden) Error() string { return h.text }
func (h *hidden) Unwrap() error { return h.cause }

func TestRaw(t *testing.T) {
	denied := &fs.PathError{Op: "open", Path: "/a", Err: syscall.EACCES}
	for _, tt := range []struct {
		err  error
		want string
	}{
		{nil, ""},
		{errors.New("ours"), "ours"},
		{fmt.Errorf("look: %w", denied), "look: open /a: permission denied"},
		{&hidden{"it is kept", fmt.Errorf("look: %w", denied)}, "it is kept (open /a: permission denied)"},
		{&hidden{"ours", errors.New("ours too")}, "ours"},
	} {
		if got := Raw(tt.err); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
		if got, want := IsWorded(tt.err), strings.Contains(tt.want, "denied"); got != want {
			t.Errorf("%v is worded: %v, want %v", tt.err, got, want)
		}
	}
}

// What SQLite and the system themselves say, of real files.
func TestRealErrors(t *testing.T) {
	dir := t.TempDir()
	lock := filepath.Join(dir, "locked.db")
	if err := dbfile.Create(lock); err != nil {
		t.Fatal(err)
	}
	db, err := dbfile.Connect(lock, "rw", 2, "busy_timeout(0)")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	one, err := db.Begin()
	if err != nil {
		t.Fatal(err)
	}
	defer one.Rollback()
	found := map[string]error{}
	ctx := t.Context()
	other, err := dbfile.Connect(lock, "rw", 1)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	conn, err := other.Conn(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_, err = conn.ExecContext(ctx, "PRAGMA busy_timeout = 0")
	if err != nil {
		t.Fatal(err)
	}
	_, found["another program holds"] = conn.ExecContext(ctx, "BEGIN IMMEDIATE")
	none, err := dbfile.Connect(filepath.Join(dir, "none", "none.db"), "rw", 1)
	if err != nil {
		t.Fatal(err)
	}
	defer none.Close()
	found["cannot be opened"] = none.PingContext(ctx)
	_, found["does not take it"] = conn.ExecContext(ctx, "SELECT nothing FROM nowhere")
	_, found["is not there"] = os.ReadFile(filepath.Join(dir, "none.md"))
	found["belongs"] = os.WriteFile(dir, nil, 0o600)
	for want, err := range found {
		got := Plain(fmt.Errorf("doing: %w", err))
		if err == nil || !strings.Contains(got, want) || !strings.HasPrefix(got, "doing: ") {
			t.Errorf("%v: %q, want %q", err, got, want)
		}
		for _, word := range raw {
			if strings.Contains(got, word) {
				t.Errorf("%q has %q", got, word)
			}
		}
	}
}

// The console gets words, the file what the system said.
func TestLogs(t *testing.T) {
	err := fmt.Errorf("look: %w", &fs.PathError{Op: "open", Path: "/a", Err: syscall.EACCES})
	for want, replace := range map[string]func([]string, slog.Attr) slog.Attr{"look: this user may not use /a": ForPeople, "look: open /a: permission denied": ForLog} {
		var out bytes.Buffer
		slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{ReplaceAttr: replace})).Warn("message", "error", err, "count", 1, "none", nil)
		if !strings.Contains(out.String(), want) || !strings.Contains(out.String(), "count=1") {
			t.Errorf("%s, want %q", out.String(), want)
		}
	}
}
