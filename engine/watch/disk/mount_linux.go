package disk

import (
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// queryMount asks for the file system that holds the folder at abs.
func queryMount(abs string) (Mount, error) {
	var st unix.Statfs_t
	if _, err := retryCall(func() (int, error) { return 0, unix.Statfs(abs, &st) }); err != nil {
		return Mount{}, &os.PathError{Op: "statfs", Path: abs, Err: err}
	}
	table, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		table = nil // then the number alone must do
	}
	// The field is signed, and on some machines 32 bits wide.
	m := combineMount(uint32(st.Type), abs, string(table))
	release, _ := os.ReadFile("/proc/sys/kernel/osrelease") // without it, without words
	m.Meaning = nameWSLDrive(string(release), m.FS)
	return m, nil
}

// nameWSLDrive describes a file system to a user of WSL. No decision depends on it: the Linux disk reports every
// change in WSL, too.
func nameWSLDrive(release, fs string) string {
	windows := fs == "9p" || fs == "drvfs" || fs == "wsl1"
	if !windows || !strings.Contains(strings.ToLower(release), "microsoft") {
		return ""
	}
	return "a Windows drive seen from WSL"
}

// magics are the numbers by which file systems call themselves.
var magics = map[uint32]string{
	unix.V9FS_MAGIC: "9p", unix.NFS_SUPER_MAGIC: "nfs", unix.SMB_SUPER_MAGIC: "smb", unix.CIFS_SUPER_MAGIC: "cifs",
	unix.SMB2_SUPER_MAGIC: "smb3", unix.FUSE_SUPER_MAGIC: "fuse", unix.AFS_SUPER_MAGIC: "afs", unix.AFS_FS_MAGIC: "afs",
	unix.CEPH_SUPER_MAGIC: "ceph", unix.CODA_SUPER_MAGIC: "coda", unix.HOSTFS_SUPER_MAGIC: "hostfs",
	unix.OCFS2_SUPER_MAGIC: "ocfs2", unix.EXT4_SUPER_MAGIC: "ext4", unix.XFS_SUPER_MAGIC: "xfs",
	unix.BTRFS_SUPER_MAGIC: "btrfs", unix.TMPFS_MAGIC: "tmpfs", unix.F2FS_SUPER_MAGIC: "f2fs",
	unix.BCACHEFS_SUPER_MAGIC: "bcachefs", unix.OVERLAYFS_SUPER_MAGIC: "overlay", unix.EXFAT_SUPER_MAGIC: "exfat",
	unix.MSDOS_SUPER_MAGIC: "vfat",
	// Those below are not in the kernel's headers.
	0x53464846: "wsl1", 0x786F4256: "vboxsf", 0x7C7C6673: "prl_fs", 0xBACBACBC: "vmhgfs", 0x01161970: "gfs2",
	0x0BD00BD0: "lustre", 0x2FC12FC1: "zfs",
}

// combineMount puts together what statfs and the table of mounts say. Where they
// are of different minds the number is right: the line may be of a mount that
// another one covers. The table alone tells one FUSE program from another.
func combineMount(magic uint32, abs, table string) Mount {
	fs, at := findMountLine(abs, table)
	known := magics[magic]
	switch {
	case known == "":
		return Mount{FS: fs, Path: at}
	case known == "fuse" && (strings.HasPrefix(fs, "fuse") || fs == "virtiofs"):
		return Mount{FS: fs, Path: at}
	}
	return Mount{FS: known, Path: at}
}

// findMountLine finds the mount that holds abs in the text of mountinfo: the longest
// mount point above it, and of several on the same place the last.
//
//	36 35 98:0 /mnt1 /mnt/parent rw,noatime master:1 - ext3 /dev/root rw,errors=continue
func findMountLine(abs, table string) (fs, at string) {
	at = "/"
	for line := range strings.Lines(table) {
		before, after, ok := strings.Cut(line, " - ")
		fields, rest := strings.Fields(before), strings.Fields(after)
		if !ok || len(fields) < 5 || len(rest) < 1 {
			continue
		}
		point := unescape.Replace(fields[4])
		if len(point) >= len(at) && (point == "/" || abs == point || strings.HasPrefix(abs, point+"/")) {
			fs, at = rest[0], point
		}
	}
	return fs, at
}

// MountsBelow returns what is mounted below root: for each place, by its path in root,
// a text that is another one for another mount.
func MountsBelow(root string) map[string]string {
	table, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return nil // then the next comparison has to find it
	}
	return parseMountsBelow(root, string(table))
}

func parseMountsBelow(root, table string) map[string]string {
	var found map[string]string
	for line := range strings.Lines(table) {
		fields := strings.Fields(line)
		if len(fields) < 5 {
			continue
		}
		rel, below := strings.CutPrefix(unescape.Replace(fields[4]), strings.TrimSuffix(root, "/")+"/")
		if !below || rel == "" {
			continue
		}
		if found == nil {
			found = make(map[string]string)
		}
		found[rel] += fields[0] + " " + fields[2] + " "
	}
	return found
}

// unescape reads the characters that mountinfo cannot write as they are.
var unescape = strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`)
