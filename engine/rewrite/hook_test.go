package rewrite

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/note/progress"
	"vaultdispatcher/engine/rewrite/swap"
)

// disk is the real disk with a step before every operation, reads included. A
// step's error is the operation's; nothing is done then, save that an errShort
// writes the first half. Files are not made durable, since no power is cut here.
type disk struct {
	swap.Files
	step     func(op string) error
	inPlace  bool // no exchange
	realSync bool
}

var errShort = fmt.Errorf("half of it: %w", syscall.ENOSPC)

func newDisk(step func(op string) error) *disk { return &disk{Files: swap.System(), step: step} }

func (d *disk) Resolve(name string) (string, error) {
	if err := d.step("resolve"); err != nil {
		return "", err
	}
	return d.Files.Resolve(name)
}

func (d *disk) Lstat(name string) (fs.FileInfo, error) {
	if err := d.step("lstat"); err != nil {
		return nil, err
	}
	return d.Files.Lstat(name)
}

func (d *disk) ReadDir(name string) ([]fs.DirEntry, error) {
	if err := d.step("readdir"); err != nil {
		return nil, err
	}
	return d.Files.ReadDir(name)
}

func (d *disk) Mkdir(name string, perm fs.FileMode) error {
	if err := d.step("mkdir"); err != nil {
		return err
	}
	return d.Files.Mkdir(name, perm)
}

func (d *disk) Create(name string) (swap.Handle, error) {
	if err := d.step("create"); err != nil {
		return nil, err
	}
	h, err := d.Files.Create(name)
	return d.wrap(h, err)
}

func (d *disk) Open(name string, hold swap.Hold) (swap.Handle, error) {
	if err := d.step("open"); err != nil {
		return nil, err
	}
	h, err := d.Files.Open(name, hold)
	return d.wrap(h, err)
}

func (d *disk) wrap(h swap.Handle, err error) (swap.Handle, error) {
	if err != nil {
		return nil, err
	}
	return &handle{h, d}, nil
}

func (d *disk) Rename(from, to string) error {
	if err := d.step("rename"); err != nil {
		return err
	}
	return d.Files.Rename(from, to)
}

func (d *disk) RenameNew(from, to string) error {
	if err := d.step("rename new"); err != nil {
		return err
	}
	return d.Files.RenameNew(from, to)
}

func (d *disk) Exchange(temp, path string) error {
	if err := d.step("exchange"); err != nil {
		return err
	}
	if d.inPlace {
		return errors.ErrUnsupported
	}
	return d.Files.Exchange(temp, path)
}

func (d *disk) Remove(name string) error {
	if err := d.step("remove"); err != nil {
		return err
	}
	return d.Files.Remove(name)
}

func (d *disk) SyncDir(name string) error {
	if err := d.step("sync dir"); err != nil || !d.realSync {
		return err
	}
	return d.Files.SyncDir(name)
}

type handle struct {
	swap.Handle
	d *disk
}

func (h *handle) ReadAt(p []byte, off int64) (int, error) {
	if err := h.d.step("read"); err != nil {
		return 0, err
	}
	return h.Handle.ReadAt(p, off)
}

func (h *handle) WriteAt(p []byte, off int64) (int, error) {
	err := h.d.step("write")
	if errors.Is(err, errShort) {
		n, werr := h.Handle.WriteAt(p[:len(p)/2], off)
		return n, errors.Join(err, werr)
	}
	if err != nil {
		return 0, err
	}
	return h.Handle.WriteAt(p, off)
}

func (h *handle) Append(p []byte) (int64, error) {
	err := h.d.step("write")
	if errors.Is(err, errShort) {
		at, werr := h.Handle.Append(p[:len(p)/2])
		return at, errors.Join(err, werr)
	}
	if err != nil {
		return 0, err
	}
	return h.Handle.Append(p)
}

func (h *handle) Stat() (fs.FileInfo, error) {
	if err := h.d.step("stat"); err != nil {
		return nil, err
	}
	return h.Handle.Stat()
}

func (h *handle) Truncate(size int64) error {
	if err := h.d.step("truncate"); err != nil {
		return err
	}
	return h.Handle.Truncate(size)
}

func (h *handle) Sync() error {
	if err := h.d.step("sync"); err != nil || !h.d.realSync {
		return err
	}
	return h.Handle.Sync()
}

func (h *handle) Links() (int, error) {
	if err := h.d.step("links"); err != nil {
		return 0, err
	}
	return h.Handle.Links()
}

func (h *handle) Like(other swap.Handle) error {
	if err := h.d.step("like"); err != nil {
		return err
	}
	return h.Handle.Like(other.(*handle).Handle)
}

// Close closes in any case: a dead process holds nothing either.
func (h *handle) Close() error {
	return errors.Join(h.d.step("close"), h.Handle.Close())
}

var _ io.ReaderAt = (*handle)(nil)

// brisk waits for others as long as usual has patience for one save.
var brisk = waitPolicy{
	rest: 6 * time.Millisecond, patience: 60 * time.Millisecond,
	tries: 12, backoff: 2 * time.Millisecond, longest: 20 * time.Millisecond,
}

// scene is a vault with one note that asks.
type scene struct {
	t          testing.TB
	root, path string
}

// newScene makes the note old, so that nobody waits for it to come to rest.
func newScene(t testing.TB, dir, text string) scene {
	t.Helper()
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	s := scene{t, dir, filepath.Join(dir, "Note.md")}
	old := time.Now().Add(-time.Minute)
	if err := errors.Join(os.WriteFile(s.path, []byte(text), 0o644), os.Chtimes(s.path, old, old)); err != nil {
		t.Fatal(err)
	}
	return s
}

func (s scene) read() string {
	s.t.Helper()
	b, err := os.ReadFile(s.path)
	if err != nil {
		s.t.Fatal(err)
	}
	return string(b)
}

// everything is the note and all its conflict copies.
func (s scene) everything() string {
	s.t.Helper()
	names, err := filepath.Glob(filepath.Join(s.root, "*.md"))
	if err != nil {
		s.t.Fatal(err)
	}
	var all strings.Builder
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			s.t.Fatal(err)
		}
		all.Write(b)
		all.WriteByte('\n')
	}
	return all.String()
}

// settle ends the grace of everything that was displaced.
func (s scene) settle(log []swap.Intention) {
	s.t.Helper()
	for _, in := range log {
		if _, err := swap.On(healthy).Settle(in); err != nil {
			s.t.Error(err)
		}
	}
}

// job asks for the answers of all the markers a note holds.
func (s scene) job(answer func(i int) string) Job {
	s.t.Helper()
	doc := note.Parse(progress.Bare([]byte(s.read())).Text)
	job := Job{Root: s.root, Path: s.path}
	for i, m := range doc.Markers {
		job.Places = append(job.Places, place(m, answer(i)))
	}
	return job
}

func place(m note.Marker, answer string) Place {
	return Place{Trace: m.Trace(), Answer: answer}
}

// noStrayTemps sweeps and expects that nothing was left to keep.
func (s scene) noStrayTemps() {
	s.t.Helper()
	kept, err := swap.CleanTemps(s.root, "", nil, 0)
	if err != nil || len(kept) > 0 {
		s.t.Errorf("temps with words in them: %q, %v", kept, err)
	}
	left, err := os.ReadDir(filepath.Join(s.root, ".vault-mind", "tmp"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) || len(left) > 0 {
		s.t.Errorf("temps: %v, %v", left, err)
	}
}

func unlogged(swap.Intention) error { return nil }

// logTo keeps what is logged.
func logTo(logged *[]swap.Intention) func(swap.Intention) error {
	return logAfter(func(string) error { return nil }, logged)
}

// logAfter keeps what is logged, after a step that may fail.
func logAfter(step func(op string) error, logged *[]swap.Intention) func(swap.Intention) error {
	return func(in swap.Intention) error {
		if err := step("log"); err != nil {
			return err
		}
		*logged = append(*logged, in)
		return nil
	}
}

func numbered(i int) string { return fmt.Sprintf("answer number %d", i) }

var ctx = context.Background()
