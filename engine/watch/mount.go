package watch

import (
	"slices"
	"strings"
)

// mount is what the system tells of the file system that holds a folder.
type mount struct {
	fs     string // its name, such as "ext4", "9p" or "fuse.sshfs"; empty when the system does not say
	at     string // where it is mounted
	remote bool   // the system itself says that it is not local
	ejects bool   // a person may take it out, but not while somebody listens
	of     string // what it is to a person, where that says more; for words only
}

// mountAt asks for the file system that holds the folder at abs.
func mountAt(abs string) (mount, error) {
	if share := shareOf(abs); share != "" {
		return mount{fs: "a share", at: share, remote: true}, nil
	}
	return mountOf(abs)
}

// differing returns the places where something is mounted now and was not, or the
// other way round, or something else was.
func differing(before, now map[string]string) (places []string) {
	for place, what := range now {
		if before[place] != what {
			places = append(places, place)
		}
	}
	for place := range before {
		if _, still := now[place]; !still {
			places = append(places, place)
		}
	}
	slices.Sort(places)
	return places
}

// class says how far the notifications of a file system can be trusted.
type class uint8

const (
	// trusted file systems tell of every change.
	trusted class = iota
	// suspect ones tell of changes that go through the mount, which nearly always
	// are all there are: they are compared more often.
	suspect
	// polled ones may be changed from another side, of which nothing is told, or
	// tell of nothing at all. That our own writes are told of proves nothing here.
	polled
)

// classify tells from the file system alone: never from the machine, because
// inside WSL the Linux disk tells of every change and a Windows drive of none.
func classify(m mount) class {
	name := strings.ToLower(m.fs)
	switch {
	case slices.Contains(localFUSE, name):
		return suspect
	case m.remote, name == "fuse", strings.HasPrefix(name, "fuse."), slices.Contains(foreign, name):
		return polled
	}
	return trusted
}

// localFUSE are programs that show a local disk or folder, which is hardly ever
// written to behind their back.
var localFUSE = []string{
	"fuseblk", "fuse.bindfs", "fuse.cryfs", "fuse.encfs", "fuse.exfat", "fuse.fuse-overlayfs", "fuse.gocryptfs",
	"fuse.mergerfs", "fuse.ntfs-3g", "fuse.securefs", "fuse.unionfs", "fuse.veracrypt", "ufsd_ntfs",
}

// foreign are file systems whose other side is another machine, another system
// on this one, or another node of a cluster.
var foreign = []string{
	"9p", "acfs", "afpfs", "afs", "autofs", "ceph", "cifs", "coda", "davfs", "drvfs", "ftp", "fusefs", "gfs2", "hostfs",
	"lustre", "macfuse", "ncpfs", "nfs", "nfs4", "ocfs2", "osxfuse", "prl_fs", "smb", "smb2", "smb3", "smbfs", "vboxsf",
	"virtiofs", "vmhgfs", "webdav", "wsl1",
}

// describe names a file system and its place in words.
func (m mount) describe() string {
	name := m.fs
	if name == "" {
		name = "a file system without a name"
	}
	if m.of != "" {
		name += " (" + m.of + ")"
	}
	return m.at + " is " + name
}
