package disk

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
		if got := nameWSLDrive(tt.release, tt.fs); got != tt.want {
			t.Errorf("%s on %q: %q", tt.fs, tt.release, got)
		}
	}
	m := Mount{FS: "9p", Path: "/mnt/c", Meaning: nameWSLDrive(wsl, "9p")}
	if got := m.Describe(); got != "/mnt/c is 9p (a Windows drive seen from WSL)" {
		t.Error(got)
	}
}

func TestMountFrom(t *testing.T) {
	signed := func(n int32) uint32 { return uint32(n) }
	tests := []struct {
		magic uint32
		path  string
		want  Mount
		class Trust
	}{
		{0xef53, "/home/me/Notes", Mount{FS: "ext4", Path: "/"}, Trusted},
		{0x01021997, "/mnt/c/Users/me/Notes", Mount{FS: "9p", Path: "/mnt/c"}, Polled},
		{0xef53, "/mnt/cellar", Mount{FS: "ext4", Path: "/"}, Trusted},
		{0x65735546, "/mnt/my disk/Notes", Mount{FS: "fuseblk", Path: "/mnt/my disk"}, Suspect},
		{0x65735546, "/home/me/remote", Mount{FS: "fuse.sshfs", Path: "/home/me/remote"}, Polled},
		{0x65735546, "/home/me/plain/a/b", Mount{FS: "fuse.gocryptfs", Path: "/home/me/plain"}, Suspect},
		{0x6969, "/srv/notes", Mount{FS: "nfs", Path: "/srv"}, Polled},
		{0x58465342, "/srv/local/notes", Mount{FS: "xfs", Path: "/srv/local"}, Trusted},
		{0xef53, "/covered/notes", Mount{FS: "ext4", Path: "/covered"}, Trusted},
		{0x65735546, "/host/notes", Mount{FS: "virtiofs", Path: "/host"}, Polled},
		{0x65735546, "/home/me/unlisted", Mount{FS: "fuse", Path: "/"}, Polled},
		{signed(-0x00acb2be), "/home/me", Mount{FS: "cifs", Path: "/"}, Polled},
		{signed(-0x01acb2be), "/home/me", Mount{FS: "smb3", Path: "/"}, Polled},
		{0x12345678, "/home/me", Mount{FS: "ext4", Path: "/"}, Trusted},
		{0x53464846, "/mnt/c", Mount{FS: "wsl1", Path: "/mnt/c"}, Polled},
	}
	for _, tt := range tests {
		got := combineMount(tt.magic, tt.path, mountTable)
		if got != tt.want || Classify(got) != tt.class {
			t.Errorf("%#x, %s: %+v of class %d, want %+v of class %d", tt.magic, tt.path, got, Classify(got), tt.want, tt.class)
		}
	}
	if got := combineMount(0x65735546, "/x", ""); Classify(got) != Polled {
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
	if got := parseMountsBelow("/home/me/Notes", table); !maps.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if got := parseMountsBelow("/", table); len(got) != 4 {
		t.Errorf("of the root: %q", got)
	}
	if got := ChangedMounts(want, map[string]string{"bound": "42 8:1 ", "new": "1"}); !slices.Equal(got, []string{"Team space", "bound", "new"}) {
		t.Errorf("differing: %q", got)
	}
	if got := ChangedMounts(nil, nil); got != nil {
		t.Errorf("differing: %q", got)
	}
}
