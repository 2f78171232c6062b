package source

import (
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"time"

	"golang.org/x/sys/windows"

	"vaultdispatcher/engine/watch/disk"
)

// rdcw is the source that ReadDirectoryChangesW makes: one handle on the root
// hears of the whole vault. A handle per folder, as fsnotify has, would cost 64 KiB
// of buffer for each and keep the folder above from being renamed. One thread waits
// in the system for as long as the source is open.
type rdcw struct {
	root string
	h    *Hints
	log  *slog.Logger

	dir        windows.Handle
	overlapped windows.Overlapped
	buf        []byte         // the system writes here between start and wait
	stop       windows.Handle // an event: close was called
	drained    chan struct{}
	pinned     runtime.Pinner // overlapped and buf
}

const (
	// rdcwBuffer is the largest buffer that network file systems take, says
	// https://learn.microsoft.com/windows/win32/api/winbase/nf-winbase-readdirectorychangesw
	rdcwBuffer = 64 << 10
	// That attributes change tells that the text of a note came from the cloud.
	rdcwEvents = windows.FILE_NOTIFY_CHANGE_FILE_NAME | windows.FILE_NOTIFY_CHANGE_DIR_NAME |
		windows.FILE_NOTIFY_CHANGE_SIZE | windows.FILE_NOTIFY_CHANGE_ATTRIBUTES | windows.FILE_NOTIFY_CHANGE_LAST_WRITE | windows.FILE_NOTIFY_CHANGE_CREATION
)

// openRDCW listens when it returns: what happens from then on is told.
func openRDCW(root string, h *Hints, log *slog.Logger) (Source, error) {
	dir, err := disk.OpenHandle(root, windows.FILE_LIST_DIRECTORY, windows.FILE_FLAG_OVERLAPPED)
	if err != nil {
		return nil, fmt.Errorf("asking the system for change notifications: %w", err)
	}
	r := &rdcw{root: root, h: h, log: log, dir: dir, buf: make([]byte, rdcwBuffer), drained: make(chan struct{})}
	r.pinned.Pin(&r.overlapped)
	r.pinned.Pin(&r.buf[0])
	r.overlapped.HEvent, err = windows.CreateEvent(nil, 1, 0, nil)
	if err == nil {
		r.stop, err = windows.CreateEvent(nil, 1, 0, nil)
	}
	if err == nil {
		err = r.requestChanges()
	}
	if err != nil {
		r.closeHandles()
		return nil, fmt.Errorf("asking the system for change notifications: %w", err)
	}
	go r.drainChanges()
	return r, nil
}

func (r *rdcw) Name() string { return "rdcw" }

func (r *rdcw) Close() {
	if err := windows.SetEvent(r.stop); err != nil {
		r.log.Error("ending change notifications", "root", r.root, "err", err)
	}
	<-r.drained
	r.closeHandles()
}

func (r *rdcw) closeHandles() {
	for _, h := range []windows.Handle{r.dir, r.overlapped.HEvent, r.stop} {
		if h != 0 {
			windows.CloseHandle(h)
		}
	}
	r.pinned.Unpin()
}

// requestChanges asks for the next changes. A buffer that overflowed meanwhile is
// reported as ERROR_NOTIFY_ENUM_DIR, says the page of ReadDirectoryChangesW, and asked
// for again.
func (r *rdcw) requestChanges() error {
	for range 2 {
		err := windows.ReadDirectoryChanges(r.dir, &r.buf[0], uint32(len(r.buf)), true, rdcwEvents, nil, &r.overlapped, 0)
		if !errors.Is(err, windows.ERROR_NOTIFY_ENUM_DIR) {
			return err
		}
		r.h.AddOverflow()
	}
	return windows.ERROR_NOTIFY_ENUM_DIR
}

// drainChanges passes on notices until close is called or the system ends them, as it does when the folder is
// deleted. Then the session must end, and a new one look at the folder anew. A handle follows a folder that is moved;
// the session finds that.
func (r *rdcw) drainChanges() {
	defer close(r.drained)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := r.waitForChanges()
	if err == nil {
		return
	}
	r.log.Warn("change notifications have ended", "root", r.root, "err", err)
	// Not at once: a root that fails again and again would be compared without end.
	if !r.isStoppedWithin(2 * time.Second) {
		r.h.Add("", Subtree)
	}
}

// waitForChanges returns nil when close was called. Nothing is under way when it returns.
func (r *rdcw) waitForChanges() error {
	for {
		got, err := windows.WaitForMultipleObjects([]windows.Handle{r.stop, r.overlapped.HEvent}, false, windows.INFINITE)
		switch {
		case err != nil:
			return r.cancelRequest(err)
		case got == windows.WAIT_OBJECT_0:
			return r.cancelRequest(nil)
		case got == windows.WAIT_OBJECT_0+1:
			if err := r.readChanges(); err != nil {
				return err
			}
		}
	}
}

// readChanges takes what was told and asks for more.
func (r *rdcw) readChanges() error {
	var n uint32
	err := windows.GetOverlappedResult(r.dir, &r.overlapped, &n, false)
	switch {
	case errors.Is(err, windows.ERROR_NOTIFY_ENUM_DIR):
		n = 0
	case err != nil:
		return err
	}
	parseNotices(r.buf[:min(int(n), len(r.buf))], r.h)
	return r.requestChanges()
}

// cancelRequest ends the request that is under way: the system writes into buf until
// then. It returns why.
func (r *rdcw) cancelRequest(why error) error {
	if err := windows.CancelIoEx(r.dir, &r.overlapped); err != nil && !errors.Is(err, windows.ERROR_NOT_FOUND) {
		why = errors.Join(why, err)
	}
	var n uint32
	_ = windows.GetOverlappedResult(r.dir, &r.overlapped, &n, true) // that it was cancelled is the point
	return why
}

// isStoppedWithin reports whether close is called before limit has passed.
func (r *rdcw) isStoppedWithin(limit time.Duration) bool {
	got, err := windows.WaitForSingleObject(r.stop, uint32(limit.Milliseconds()))
	return err == nil && got == windows.WAIT_OBJECT_0
}
