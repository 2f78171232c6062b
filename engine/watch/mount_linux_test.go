package watch

import (
	"maps"
	"slices"
	"testing"
)

// Lines of mountinfo as they are seen on machines of several kinds, first the
// one that everything is on.
const mountTable = `22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
23 22 0:21 / /proc rw - proc proc rw
75 22 0:43 / /mnt/c rw,noatime - 9p drvfs rw,dirsync,aname=drvfs;path=C:\;uid=1000,access=client,trans=fd
80 22 0:50 / /mnt/my\040disk rw - fuseblk /dev/sdb1 rw,user_id=0
81 22 0:51 / /home/me/remote rw - fuse.sshfs me@nas:/notes rw
82 22 0:52 / /home/me/plain rw - fuse.gocryptfs /home/me/cipher rw
83 22 0:53 / /srv rw - nfs4 nas:/srv rw
84 83 8:2 / /srv/local rw - xfs /dev/sdc1 rw
85 22 0:54 / /covered rw - nfs4 nas:/old rw
86 85 8:3 / /covered rw - ext4 /dev/sdd1 rw
87 22 0:55 / /host rw - virtiofs hostshare rw
this line is torn
88 22 0:56 / /half
`

func TestInWSL(t *testing.T) {
	const wsl, debian = "5.15.153.1-microsoft-standard-WSL2\n", "6.1.0-18-amd64\n"
	tests := []struct{ release, fs, want string }{
		{wsl, "9p", "a Windows drive seen from WSL"}, {"4.4.0-19041-Microsoft", "wsl1", "a Windows drive seen from WSL"},
		{wsl, "ext4", ""}, {wsl, "nfs4", ""}, {debian, "9p", ""}, {"", "9p", ""},
	}
	for _, tt := range tests {
		if got := inWSL(tt.release, tt.fs); got != tt.want {
			t.Errorf("%s on %q: %q", tt.fs, tt.release, got)
		}
	}
	m := mount{fs: "9p", at: "/mnt/c", of: inWSL(wsl, "9p")}
	if got := m.describe(); got != "/mnt/c is 9p (a Windows drive seen from WSL)" {
		t.Error(got)
	}
}

func TestMountFrom(t *testing.T) {
	signed := func(n int32) uint32 { return uint32(n) }
	tests := []struct {
		magic uint32
		path  string
		want  mount
		class class
	}{
		{0xef53, "/home/me/Notes", mount{fs: "ext4", at: "/"}, trusted},
		{0x01021997, "/mnt/c/Users/me/Notes", mount{fs: "9p", at: "/mnt/c"}, polled},
		{0xef53, "/mnt/cellar", mount{fs: "ext4", at: "/"}, trusted},
		{0x65735546, "/mnt/my disk/Notes", mount{fs: "fuseblk", at: "/mnt/my disk"}, suspect},
		{0x65735546, "/home/me/remote", mount{fs: "fuse.sshfs", at: "/home/me/remote"}, polled},
		{0x65735546, "/home/me/plain/a/b", mount{fs: "fuse.gocryptfs", at: "/home/me/plain"}, suspect},
		{0x6969, "/srv/notes", mount{fs: "nfs", at: "/srv"}, polled},
		{0x58465342, "/srv/local/notes", mount{fs: "xfs", at: "/srv/local"}, trusted},
		{0xef53, "/covered/notes", mount{fs: "ext4", at: "/covered"}, trusted},
		{0x65735546, "/host/notes", mount{fs: "virtiofs", at: "/host"}, polled},
		{0x65735546, "/home/me/unlisted", mount{fs: "fuse", at: "/"}, polled},
		{signed(-0x00acb2be), "/home/me", mount{fs: "cifs", at: "/"}, polled},
		{signed(-0x01acb2be), "/home/me", mount{fs: "smb3", at: "/"}, polled},
		{0x12345678, "/home/me", mount{fs: "ext4", at: "/"}, trusted},
		{0x53464846, "/mnt/c", mount{fs: "wsl1", at: "/mnt/c"}, polled},
	}
	for _, tt := range tests {
		got := mountFrom(tt.magic, tt.path, mountTable)
		if got != tt.want || classify(got) != tt.class {
			t.Errorf("%#x, %s: %+v of class %d, want %+v of class %d", tt.magic, tt.path, got, classify(got), tt.want, tt.class)
		}
	}
	if got := mountFrom(0x65735546, "/x", ""); classify(got) != polled {
		t.Errorf("without a table: %+v", got)
	}
}

func TestMountsBelow(t *testing.T) {
	const table = `22 1 8:1 / / rw - ext4 /dev/sda rw
40 22 0:40 / /home/me/Notes rw - ext4 /dev/sdb rw
41 40 0:41 / /home/me/Notes/Team\040space rw shared:1 - cifs //nas/team rw
42 40 8:1 /x /home/me/Notes/bound rw - ext4 /dev/sda rw
43 42 0:43 / /home/me/Notes/bound rw - tmpfs x rw
44 22 0:44 / /home/me/Notes2/other rw - tmpfs x rw
damaged
`
	want := map[string]string{"Team space": "41 0:41 ", "bound": "42 8:1 43 0:43 "}
	if got := mountsBelow("/home/me/Notes", table); !maps.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if got := mountsBelow("/", table); len(got) != 4 {
		t.Errorf("of the root: %q", got)
	}
	if got := differing(want, map[string]string{"bound": "42 8:1 ", "new": "1"}); !slices.Equal(got, []string{"Team space", "bound", "new"}) {
		t.Errorf("differing: %q", got)
	}
	if got := differing(nil, nil); got != nil {
		t.Errorf("differing: %q", got)
	}
}
