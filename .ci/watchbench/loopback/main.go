// Loopback shows a folder at a second place through FUSE, until it is unmounted
// there:
//
//	loopback [-timeout 1s] [-plain] FOLDER MOUNTPOINT
//
// A write into FOLDER itself reaches MOUNTPOINT without a notification, as with a share that another machine writes
// to. With -timeout the kernel believes its names and attributes for that long; without it, it asks each time. With
// -plain two files cannot be exchanged in one step, as with most shares.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"syscall"
	"time"

	"github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"
)

func main() {
	timeout := flag.Duration("timeout", 0, "how long names and attributes are cached")
	plain := flag.Bool("plain", false, "files cannot be exchanged")
	flag.Parse()
	if flag.NArg() != 2 {
		fmt.Fprintln(os.Stderr, "loopback: a folder and a mount point are needed")
		os.Exit(2)
	}
	if err := serveFolder(flag.Arg(0), flag.Arg(1), *timeout, *plain); err != nil {
		fmt.Fprintln(os.Stderr, "loopback:", err)
		os.Exit(1)
	}
}

// serveFolder returns when the mount point is unmounted.
func serveFolder(folder, at string, timeout time.Duration, plain bool) error {
	root, err := rootOf(folder, plain)
	if err != nil {
		return err
	}
	server, err := fs.Mount(at, root, &fs.Options{
		MountOptions: fuse.MountOptions{FsName: folder, Name: "loopback", DirectMount: true},
		AttrTimeout:  &timeout,
		EntryTimeout: &timeout,
	})
	if err != nil {
		return fmt.Errorf("mounting at %s: %w", at, err)
	}
	server.Wait()
	return nil
}

func rootOf(folder string, plain bool) (fs.InodeEmbedder, error) {
	if !plain {
		return fs.NewLoopbackRoot(folder)
	}
	var st syscall.Stat_t
	if err := syscall.Stat(folder, &st); err != nil {
		return nil, fmt.Errorf("finding %s: %w", folder, err)
	}
	data := &fs.LoopbackRoot{Path: folder, Dev: st.Dev}
	root := &plainNode{fs.LoopbackNode{RootData: data}}
	data.RootNode = root
	return root, nil
}

// plainNode is a file or folder that knows only the plain kind of rename.
type plainNode struct{ fs.LoopbackNode }

// WrapChild makes those below it of the same kind.
func (n *plainNode) WrapChild(_ context.Context, ops fs.InodeEmbedder) fs.InodeEmbedder {
	if below, ok := ops.(*fs.LoopbackNode); ok {
		return &plainNode{fs.LoopbackNode{RootData: below.RootData}}
	}
	return ops
}

func (n *plainNode) Rename(ctx context.Context, name string, to fs.InodeEmbedder, newName string, flags uint32) syscall.Errno {
	if flags != 0 {
		return syscall.EINVAL
	}
	return n.LoopbackNode.Rename(ctx, name, to, newName, flags)
}
