package disk

import "testing"

func TestClassify(t *testing.T) {
	tests := []struct {
		m    Mount
		want Trust
	}{
		{Mount{FS: "ext4"}, Trusted}, {Mount{FS: "btrfs"}, Trusted}, {Mount{FS: "overlay"}, Trusted},
		{Mount{FS: "tmpfs"}, Trusted}, {Mount{FS: "vfat"}, Trusted}, {Mount{FS: "apfs"}, Trusted},
		{Mount{FS: "NTFS"}, Trusted}, {Mount{FS: ""}, Trusted},
		{Mount{FS: "fuseblk"}, Suspect}, {Mount{FS: "fuse.gocryptfs"}, Suspect}, {Mount{FS: "fuse.bindfs"}, Suspect},
		{Mount{FS: "9p"}, Polled}, {Mount{FS: "nfs4"}, Polled}, {Mount{FS: "cifs"}, Polled}, {Mount{FS: "wsl1"}, Polled},
		{Mount{FS: "fuse"}, Polled}, {Mount{FS: "fuse.sshfs"}, Polled}, {Mount{FS: "fuse.never-heard-of"}, Polled},
		{Mount{FS: "virtiofs"}, Polled}, {Mount{FS: "smbfs"}, Polled}, {Mount{FS: "macfuse"}, Polled},
		{Mount{FS: "apfs", Remote: true}, Polled}, {Mount{FS: "NTFS", Remote: true}, Polled},
	}
	for _, tt := range tests {
		if got := Classify(tt.m); got != tt.want {
			t.Errorf("%+v is of class %d, want %d", tt.m, got, tt.want)
		}
	}
}

// What was changed while nobody watched is told only by file systems that keep change times.
func TestKeepsStamps(t *testing.T) {
	for fs, want := range map[string]bool{
		"ext4": true, "btrfs": true, "xfs": true, "apfs": true, "overlay": true, "tmpfs": true, "zfs": true,
		"vfat": false, "exfat": false, "NTFS": false, "ntfs3": false, "fuseblk": false, "9p": false, "nfs4": false, "fuse.sshfs": false, "": false,
	} {
		if got := (Mount{FS: fs}).KeepsStamps(); got != want {
			t.Errorf("%q keeps stamps: %v", fs, got)
		}
	}
	if (Mount{FS: "apfs", Remote: true}).KeepsStamps() {
		t.Error("a share keeps stamps")
	}
}

func TestShareOf(t *testing.T) {
	tests := map[string]string{
		`C:\Users\me\Notes`:           "",
		`\\?\C:\Users\me\Notes`:       "",
		`/home/me/Notes`:              "",
		`\\nas\notes\vault`:           `\\nas\notes`,
		`//nas/notes/vault`:           `\\nas\notes`,
		`\\nas\notes`:                 `\\nas\notes`,
		`\\wsl$\Ubuntu\home\me`:       `\\wsl$\Ubuntu`,
		`\\wsl.localhost\Debian\home`: `\\wsl.localhost\Debian`,
		`\\?\UNC\nas\notes\vault`:     `\\nas\notes`,
		`\\?\unc\nas\notes`:           `\\nas\notes`,
	}
	for path, want := range tests {
		if got := findShare(path); got != want {
			t.Errorf("%s is on %q, want %q", path, got, want)
		}
	}
}

// The folder of the test is on some file system, and its name is known.
func TestMountOfThisFolder(t *testing.T) {
	dir := t.TempDir()
	m, err := FindMount(dir)
	if err != nil || m.Path == "" {
		t.Errorf("%s is on %+v, %v", dir, m, err)
	}
}
