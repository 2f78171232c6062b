package watch

import "testing"

func TestClassify(t *testing.T) {
	tests := []struct {
		m    mount
		want class
	}{
		{mount{fs: "ext4"}, trusted}, {mount{fs: "btrfs"}, trusted}, {mount{fs: "overlay"}, trusted},
		{mount{fs: "tmpfs"}, trusted}, {mount{fs: "vfat"}, trusted}, {mount{fs: "apfs"}, trusted},
		{mount{fs: "NTFS"}, trusted}, {mount{fs: ""}, trusted},
		{mount{fs: "fuseblk"}, suspect}, {mount{fs: "fuse.gocryptfs"}, suspect}, {mount{fs: "fuse.bindfs"}, suspect},
		{mount{fs: "9p"}, polled}, {mount{fs: "nfs4"}, polled}, {mount{fs: "cifs"}, polled}, {mount{fs: "wsl1"}, polled},
		{mount{fs: "fuse"}, polled}, {mount{fs: "fuse.sshfs"}, polled}, {mount{fs: "fuse.never-heard-of"}, polled},
		{mount{fs: "virtiofs"}, polled}, {mount{fs: "smbfs"}, polled}, {mount{fs: "macfuse"}, polled},
		{mount{fs: "apfs", remote: true}, polled}, {mount{fs: "NTFS", remote: true}, polled},
	}
	for _, tt := range tests {
		if got := classify(tt.m); got != tt.want {
			t.Errorf("%+v is of class %d, want %d", tt.m, got, tt.want)
		}
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
		if got := shareOf(path); got != want {
			t.Errorf("%s is on %q, want %q", path, got, want)
		}
	}
}

// The folder of the test is on some file system, and its name is known.
func TestMountOfThisFolder(t *testing.T) {
	dir := t.TempDir()
	m, err := mountAt(dir)
	if err != nil || m.at == "" {
		t.Errorf("%s is on %+v, %v", dir, m, err)
	}
}
