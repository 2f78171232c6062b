package winpath

import (
	"reflect"
	"strings"
	"testing"
)

// mounts is what WSL 2 shows; the lines are made as its source makes the mounts.
const mounts = `
21 26 8:32 / / rw,relatime - ext4 /dev/sdc rw,discard,errors=remount-ro,data=ordered
83 86 0:37 / /usr/lib/wsl/drivers ro,nosuid,nodev,noatime - 9p drivers ro,aname=drivers;fmask=222;dmask=222,cache=0x5,access=client,msize=65536,trans=fd,rfd=8,wfd=8
90 21 0:40 / /mnt/c rw,noatime shared:1 - 9p C:\134 rw,dirsync,aname=drvfs;path=C:\134;uid=1000;gid=1000;symlinkroot=/mnt/,mmap,access=client,msize=65536,trans=fd,rfd=5,wfd=5
91 21 0:41 / /media/my\040notes rw,noatime - 9p drvfs rw,aname=drvfs;uid=1000;path=D:\134My\040Notes;symlinkroot=/mnt/,trans=virtio
92 21 0:42 / /mnt/share rw,noatime - 9p \134\134srv\134x rw,aname=drvfs;path=UNC\134srv\134x;symlinkroot=/mnt/,trans=virtio
93 21 0:43 / /windows/e rw - virtiofs 5f2c0a3e-0000-4000-8000-000000000001 rw
94 21 0:44 / /mnt/f rw - drvfs F: rw,noatime
95 21 0:45 /sub /mnt/bound rw - 9p G:\134 rw,aname=drvfs;path=G:\134;uid=0
96 21 0:46 / /mnt/odd rw - 9p drvfs rw,aname=drvfs;path=H:\134..\134..;uid=0
97 21 0:47 / /mnt/other rw - 9p share rw,aname=x;path=I:\134;uid=0
98 21 0:48 / /host rw - virtiofs mytag rw
99 broken
`

func tags(tag string) string {
	return map[string]string{"5f2c0a3e-0000-4000-8000-000000000001": `E:\`, "mytag": ""}[tag]
}

func TestReadDrives(t *testing.T) {
	want := []Drive{{"C:", "/mnt/c"}, {"D:/My Notes", "/media/my notes"}, {"E:", "/windows/e"}, {"F:", "/mnt/f"}}
	if got := ReadDrives(mounts, tags); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if got := ReadDrives("", tags); got != nil {
		t.Errorf("of no table: %q", got)
	}
}

func TestLocal(t *testing.T) {
	h := Host{Distro: "Ubuntu-24.04", Drives: append(ReadDrives(mounts, tags), Drive{"D:", "/mnt/d"})}
	for _, test := range []struct{ file, want string }{
		{`C:\Users\me\n.md`, "/mnt/c/Users/me/n.md any"},
		{`c:/Users/me/n.md`, "/mnt/c/Users/me/n.md any"},
		{`c:\Users/me\\.\x\..\n.md`, "/mnt/c/Users/me/n.md any"},
		{`C:\`, "/mnt/c any"},
		{`C:`, "/mnt/c any"},
		{`d:\my notes\a.md`, "/media/my notes/a.md any, /mnt/d/my notes/a.md any"},
		{`D:\My Notes\..\a.md`, "/mnt/d/a.md any"},
		{`D:\My Notes2\a.md`, "/mnt/d/My Notes2/a.md any"},
		{`E:\a.md`, "/windows/e/a.md any"},
		{`\\wsl.localhost\Ubuntu-24.04\home\me\N.md`, "/home/me/N.md"},
		{`\\WSL.LocalHost\ubuntu-24.04/home\me\N.md`, "/home/me/N.md"},
		{`//wsl$/UBUNTU-24.04/home/me/../me/N.md`, "/home/me/N.md"},
		{`\\wsl$\Ubuntu-24.04\mnt\c\Users\me\n.md`, "/mnt/c/Users/me/n.md"},
		{`\\wsl$\Ubuntu-24.04\`, "/"},
		{`\\wsl$\Ubuntu-24.04`, ""},
		{`\\wsl$\Ubuntu\home\me\N.md`, ""},
		{`\\wsl$\Ubuntu-24.04x\home\me\N.md`, ""},
		{`\\wsl.local\Ubuntu-24.04\home\me\N.md`, ""},
		{`\\\wsl$\Ubuntu-24.04\home\me\N.md`, ""},
		{`\wsl$\Ubuntu-24.04\home\me\N.md`, ""},
		{`\\wsl$\Ubuntu-24.04\..\Other\home`, ""},
		{`\\wsl$\..\wsl$\Ubuntu-24.04\home`, ""},
		{`C:\..\..\home\me\N.md`, ""},
		{`C:Users\me\n.md`, ""},
		{`G:\a.md`, ""}, // only a folder of it is mounted, and which is not known
		{`Z:\a.md`, ""},
		{`\\?\C:\Users\me\n.md`, ""},
		{`\\.\C:\n.md`, ""},
		{`\\?\UNC\wsl$\Ubuntu-24.04\home\me\N.md`, ""},
		{"/mnt/c/n.md", ""},
		{"n.md", ""},
		{"", ""},
	} {
		var got []string
		for _, l := range h.Local(test.file) {
			if got = append(got, l.Path); l.AnyCase {
				got[len(got)-1] += " any"
			}
		}
		if strings.Join(got, ", ") != test.want {
			t.Errorf("%s: %q, want %q", test.file, got, test.want)
		}
	}
	if got := (Host{}).Local(`\\wsl$\\home\me\N.md`); got != nil {
		t.Errorf("without the name of this distribution: %v", got)
	}
}
