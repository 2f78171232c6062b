// Loopback shows a folder at a second place through FUSE, until it is unmounted
// there:
//
//	loopback [-timeout 1s] FOLDER MOUNTPOINT
//
// What is written into FOLDER itself reaches MOUNTPOINT without a notification,
// as with a share that another machine writes to. With -timeout the kernel
// believes what it knows of names and attributes for that long; without it, it
// asks each time.
package main

import (
	"flag"
	"fmt"
	"os"
	"time"

	"github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"
)

func main() {
	timeout := flag.Duration("timeout", 0, "how long names and attributes are cached")
	flag.Parse()
	if flag.NArg() != 2 {
		fmt.Fprintln(os.Stderr, "loopback: a folder and a mount point are needed")
		os.Exit(2)
	}
	if err := serve(flag.Arg(0), flag.Arg(1), *timeout); err != nil {
		fmt.Fprintln(os.Stderr, "loopback:", err)
		os.Exit(1)
	}
}

// serve returns when the mount point is unmounted.
func serve(folder, at string, timeout time.Duration) error {
	root, err := fs.NewLoopbackRoot(folder)
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
