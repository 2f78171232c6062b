package watch

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vaultdispatcher/engine/watch/disk"
)

func TestChoose(t *testing.T) {
	local, share := disk.Mount{FS: "ext4", Path: "/"}, disk.Mount{FS: "9p", Path: "/mnt/c"}
	crypt := disk.Mount{FS: "fuse.gocryptfs", Path: "/home/me/plain"}
	stick := disk.Mount{FS: "exFAT", Path: `E:\`, Ejects: true}
	tests := []struct {
		mode     string
		m        disk.Mount
		distrust string
		want     choice
	}{
		{"", local, "", choice{reason: "/ is ext4"}},
		{ModeAuto, local, "", choice{reason: "/ is ext4"}},
		{ModeAuto, disk.Mount{Path: "/x"}, "", choice{reason: "/x is a file system without a name"}},
		{ModeAuto, share, "", choice{poll: true, remote: true, reason: "/mnt/c is 9p, which does not tell of every change"}},
		{ModeAuto, crypt, "", choice{rescan: soon, reason: "/home/me/plain is fuse.gocryptfs"}},
		{ModeAuto, local, "it is dead", choice{poll: true, reason: "it is dead"}},
		{ModeAuto, stick, "", choice{poll: true, reason: `E:\ is exFAT on a drive that could not be taken out while notifications are asked for`}},
		{ModeFsnotify, stick, "", choice{reason: `E:\ is exFAT, the mode is fsnotify`}},
		{ModePoll, local, "", choice{poll: true, reason: "the mode is poll"}},
		{ModePoll, share, "", choice{poll: true, remote: true, reason: "the mode is poll"}},
		{ModeFsnotify, share, "", choice{remote: true, reason: "/mnt/c is 9p, the mode is fsnotify"}},
		{ModeFsnotify, local, "it is dead", choice{reason: "/ is ext4, the mode is fsnotify"}},
	}
	for _, tt := range tests {
		if got := chooseSource(tt.mode, tt.m, tt.distrust); got != tt.want {
			t.Errorf("%s, %+v, %q: %+v, want %+v", tt.mode, tt.m, tt.distrust, got, tt.want)
		}
	}
}

// nested is a session on a vault in which a folder is on another file system, as
// far as it knows.
func nested(t *testing.T, inner disk.Mount, change ...func(*Options)) *session {
	t.Helper()
	root := t.TempDir()
	write(t, filepath.Join(root, "n.md"), "n")
	v := newVault(t, root, change...)
	v.w.mount = func(abs string) (disk.Mount, error) {
		if strings.HasSuffix(abs, "inner") {
			return inner, nil
		}
		return disk.Mount{FS: "ext4", Path: "/"}, nil
	}
	e, err := disk.Inspect(root)
	must(t, err)
	s := newSession(v.w, root, e.ID, v.sink)
	t.Cleanup(s.closeSession)
	must(t, s.sweepVault(t.Context(), true))
	s.fallBackToPolling()
	if (s.poller != nil) != (s.opts.Mode == ModePoll) {
		t.Fatalf("polling %v before anything was mounted", s.poller != nil)
	}
	must(t, os.Mkdir(filepath.Join(root, "inner"), 0o755))
	elsewhere := disk.Ident{Dev: s.id.Dev + 1, Ino: 1}
	must(t, s.enterFolder(t.Context(), s.snap.folders[""], "inner", elsewhere, manner{via: ViaRescan}))
	s.fallBackToPolling()
	s.publishStats()
	return s
}

// What is mounted inside a vault decides for the whole of it.
func TestNestedMounts(t *testing.T) {
	s := nested(t, disk.Mount{FS: "cifs", Path: "/v/inner"})
	if s.poller == nil || !s.poller.remote || s.Stats().Reason != "/v/inner is cifs, which does not tell of every change" {
		t.Errorf("with a share inside: %+v", s.Stats())
	}
	s = nested(t, disk.Mount{FS: "cifs", Path: "/v/inner"}, func(o *Options) { o.Mode = ModePoll })
	if s.poller == nil || !s.poller.remote || s.Stats().Reason != "the mode is poll" {
		t.Errorf("with a share inside a polled vault: %+v", s.Stats())
	}
	s = nested(t, disk.Mount{FS: "cifs", Path: "/v/inner"}, func(o *Options) { o.Mode = ModeFsnotify })
	if s.poller != nil {
		t.Errorf("with a share inside, and notifications asked for: %+v", s.Stats())
	}
	s = nested(t, disk.Mount{FS: "fuse.gocryptfs", Path: "/v/inner"})
	if s.poller != nil || !s.suspicious {
		t.Errorf("with an encrypted folder inside: %+v", s.Stats())
	}
	s = nested(t, disk.Mount{FS: "xfs", Path: "/v/inner"})
	if s.poller != nil || s.suspicious {
		t.Errorf("with another disk inside: %+v", s.Stats())
	}
}
