package disk

import (
	"slices"
	"strings"
)

// Mount is what the system tells of the file system that holds a folder.
type Mount struct {
	FS      string // its name, such as "ext4", "9p" or "fuse.sshfs"; empty when the system does not say
	Path    string // where it is mounted
	Remote  bool   // the system itself says that it is not local
	Ejects  bool   // a person may take it out, but not while a handle watches it
	Meaning string // its kind in words, if FS says too little; not for decisions
}

// FindMount asks for the file system that holds the folder at abs.
func FindMount(abs string) (Mount, error) {
	if share := findShare(abs); share != "" {
		return Mount{FS: "a share", Path: share, Remote: true}, nil
	}
	return queryMount(abs)
}

// ChangedMounts returns the places where something is mounted now and was not, or the
// other way round, or something else was.
func ChangedMounts(before, now map[string]string) (places []string) {
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

// Trust says how far the notifications of a file system can be trusted.
type Trust uint8

const (
	// Trusted file systems report every change.
	Trusted Trust = iota
	// Suspect ones report changes that go through the mount, which nearly always are
	// all there are: they are compared more often.
	Suspect
	// Polled ones may be changed from another side without any notification here:
	// https://man7.org/linux/man-pages/man7/inotify.7.html ("Limitations and caveats"),
	// https://github.com/fsnotify/fsnotify ("Why don't notifications work with NFS,
	// SMB, FUSE"). Notifications of our own writes prove nothing.
	Polled
)

// Classify looks at the file system alone, never at the machine: inside WSL the Linux
// disk reports every change, and a Windows drive none that is made by Windows
// (https://github.com/microsoft/WSL/issues/4739).
func Classify(m Mount) Trust {
	name := strings.ToLower(m.FS)
	switch {
	case slices.Contains(localFUSE, name):
		return Suspect
	case m.Remote, name == "fuse", strings.HasPrefix(name, "fuse."), slices.Contains(foreign, name):
		return Polled
	}
	return Trusted
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

// KeepsStamps reports whether the stamps of notes on a file system show changes that were made while no watcher ran.
// Such a file system keeps change times, which no program can put back, and the inodes of files. FAT derives them from
// the other times, and a share has them from elsewhere.
func (m Mount) KeepsStamps() bool {
	return Classify(m) == Trusted && slices.Contains(keeping, strings.ToLower(m.FS))
}

// keeping are file systems of Unix, which keep change times and inodes on their disk.
var keeping = []string{"apfs", "bcachefs", "btrfs", "ext2", "ext3", "ext4", "f2fs", "hfs", "overlay", "tmpfs", "ufs", "xfs", "zfs"}

// KeepsModes reports whether a file system keeps who may write a file. Others make it up, such as the 777 of a Windows drive
// in WSL (https://learn.microsoft.com/windows/wsl/file-permissions), or ask a server that has rules of its own.
func (m Mount) KeepsModes() bool {
	name := strings.ToLower(m.FS)
	if slices.Contains(unixShares, name) {
		return true
	}
	return Classify(m) == Trusted && !slices.Contains(modeless, name)
}

// unixShares carry the modes of files between Unix machines.
var unixShares = []string{"acfs", "ceph", "gfs2", "lustre", "nfs", "nfs4", "ocfs2"}

// modeless are local file systems that have neither modes nor owners.
var modeless = []string{"exfat", "fat", "fat32", "hpfs", "iso9660", "msdos", "ntfs3", "udf", "vfat"}

// Describe names a file system and its place in words.
func (m Mount) Describe() string {
	name := m.FS
	if name == "" {
		name = "a file system without a name"
	}
	if m.Meaning != "" {
		name += " (" + m.Meaning + ")"
	}
	return m.Path + " is " + name
}
