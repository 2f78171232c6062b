//go:build unix

package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const stranger = 4002

// place is a folder with a file that is obeyed, on a disk of the test's own choice.
type guarded struct {
	t    *testing.T
	root string
	look ownerLook
}

func newGuarded(t *testing.T) *guarded {
	root, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	p := &guarded{t: t, root: root, look: ownerLook{user: currentUser(), mount: FindMount}}
	p.look.mount = func(string) (Mount, error) { return Mount{FS: "ext4", Path: "/"}, nil }
	p.make("home/config.yaml", 0o600)
	return p
}

func (p *guarded) at(name string) string { return filepath.Join(p.root, name) }

func (p *guarded) make(name string, mode fs.FileMode) {
	must(p.t, os.MkdirAll(filepath.Dir(p.at(name)), 0o755))
	must(p.t, os.WriteFile(p.at(name), []byte("wiki: {}\n"), 0o600))
	must(p.t, os.Chmod(p.at(name), mode))
}

func (p *guarded) mode(name string, mode fs.FileMode) { must(p.t, os.Chmod(p.at(name), mode)) }

// give makes a path that of another user.
func (p *guarded) give(name string) {
	if os.Geteuid() != 0 {
		p.t.Skip("only root gives files to others")
	}
	must(p.t, os.Lchown(p.at(name), stranger, -1))
}

// expect says what the error begins with, and what it tells to type.
func (p *guarded) expect(name, text, mend string) {
	p.t.Helper()
	err := p.look.follow(p.at(name))
	if text == "" {
		must(p.t, err)
		return
	}
	f, ok := errors.AsType[*Foreign](err)
	if !ok || !strings.Contains(err.Error(), text) || !strings.Contains(f.Mend, mend) {
		p.t.Errorf("%v; want %q with %q", err, text, mend)
	}
}

func TestModesOfFiles(t *testing.T) {
	p := newGuarded(t)
	p.expect("home/config.yaml", "", "")
	p.mode("home/config.yaml", 0o664) // umask 002
	p.mode("home", 0o775)             // Homebrew's folders
	p.expect("home/config.yaml", "", "")
	p.mode("home", 0o2775|fs.ModeSetgid) // Debian's /usr/local
	p.expect("home/config.yaml", "", "")
	p.mode("home", 0o777|fs.ModeSticky) // as /tmp
	p.expect("home/config.yaml", "", "")
	p.mode("home", 0o777)
	p.expect("home/config.yaml", "everybody may write "+p.at("home")+":", "chmod o-w "+p.at("home"))
	p.mode("home", 0o700)
	p.mode("home/config.yaml", 0o666)
	p.expect("home/config.yaml", "everybody may write "+p.at("home/config.yaml"), "chmod o-w")
	p.expect("home/none.yaml", "", "")
}

func TestOwnersOfFiles(t *testing.T) {
	p := newGuarded(t)
	p.make("home/bob's/config.yaml", 0o600)
	p.give("home/bob's/config.yaml")
	p.expect("home/bob's/config.yaml", "belongs to 4002", "chown -h")
	p.expect("home/bob's/config.yaml", "belongs to 4002", `'`+p.at(`home/bob'\''s/config.yaml`)+`'`)
	p.give("home")
	p.expect("home/config.yaml", p.at("home")+" belongs to 4002", "chown -h")

	p.look.owners = append(p.look.owners, stranger) // the user behind sudo
	p.expect("home/config.yaml", "", "")
}

// A link is looked at with all the way to where it leads.
func TestOwnersOfLinks(t *testing.T) {
	p := newGuarded(t)
	p.make("open/deep/config.yaml", 0o600)
	must(t, os.Mkdir(p.at("links"), 0o700))
	must(t, os.Symlink("../open/deep", p.at("links/folder")))
	must(t, os.Symlink("links/folder/../deep/config.yaml", p.at("config.yaml")))
	must(t, os.Symlink("loop", p.at("loop")))
	p.expect("config.yaml", "", "")
	p.expect("loop", "", "")
	p.mode("open", 0o777)
	p.expect("config.yaml", "everybody may write "+p.at("open")+":", "chmod o-w")
	p.mode("open", 0o700)
	p.mode("links", 0o777)
	p.expect("config.yaml", "everybody may write "+p.at("links")+":", "chmod o-w")
}

// Where the disk makes up owners and modes they say nothing, and behind a network the numbers of users are others.
func TestDisksWithoutOwners(t *testing.T) {
	p := newGuarded(t)
	on := func(fs string) {
		p.look.mount = func(string) (Mount, error) { return Mount{FS: fs, Path: "/"}, nil }
	}
	p.mode("home/config.yaml", 0o777)
	for _, fs := range []string{"9p", "drvfs", "wsl1", "cifs", "smb3", "vfat", "exfat", "fuseblk", "fuse.sshfs", "vboxsf", "virtiofs"} {
		on(fs)
		p.expect("home/config.yaml", "", "")
	}
	for _, fs := range []string{"nfs", "nfs4", "btrfs", "tmpfs", "overlay", "zfs", "apfs", "something new"} {
		on(fs)
		p.expect("home/config.yaml", "everybody may write", "chmod o-w")
	}
	p.mode("home/config.yaml", 0o600)
	p.give("home/config.yaml")
	on("nfs4")
	p.expect("home/config.yaml", "", "")
	on("xfs")
	p.expect("home/config.yaml", "belongs to", "chown")
}

// What is mounted into a container has the users of the machine outside, and is looked at where there is none.
func TestOwnersInContainers(t *testing.T) {
	t.Setenv("KUBERNETES_SERVICE_HOST", "10.0.0.1")
	p := newGuarded(t)
	p.mode("home", 0o777)
	p.expect("home/config.yaml", "everybody may write", "chmod")
	p.look.mount = func(string) (Mount, error) { return Mount{FS: "tmpfs", Path: "/dev/shm"}, nil } // its own memory
	p.expect("home/config.yaml", "everybody may write", "chmod")
	p.look.mount = func(string) (Mount, error) { return Mount{FS: "ext4", Path: "/config"}, nil }
	p.expect("home/config.yaml", "", "")
}

// In a namespace of users the files of everybody outside seem to be nobody's.
func TestOwnersInNamespaces(t *testing.T) {
	u := user{owners: []uint32{0, 1000}}
	if u.isOwn(nobody) {
		t.Error("the files of nobody are taken for this user's")
	}
	u.unknown = true
	if !u.isOwn(nobody) || u.isOwn(stranger) {
		t.Error("a namespace hides who owns the system, and no more than that")
	}
}
