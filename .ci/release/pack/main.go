// Command pack makes a package for Linux of what is laid out in the folder that it
// runs in, or with the format image an image for containers of the folder that it is given.
//
// It is a module of its own with the other tools of a release, so that the
// programs do not carry the libraries that only their packages need.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/goreleaser/nfpm/v2"
	_ "github.com/goreleaser/nfpm/v2/apk"
	_ "github.com/goreleaser/nfpm/v2/arch"
	_ "github.com/goreleaser/nfpm/v2/deb"
	"github.com/goreleaser/nfpm/v2/files"
	_ "github.com/goreleaser/nfpm/v2/rpm"
)

func main() {
	config := flag.String("config", "nfpm.yaml", "`file` that says what the package holds")
	format := flag.String("format", "deb", "`format`: deb, rpm, apk, archlinux or image")
	out := flag.String("out", ".", "`folder` for the package, or file of the image")
	version := flag.String("version", "", "of the image")
	homepage := flag.String("homepage", "", "of the image")
	epoch := flag.Int64("time", 0, "of all that is in the image, in seconds since 1970")
	flag.Parse()
	make := func() error { return makePackage(*config, *format, *out) }
	if *format == "image" {
		make = func() error { return makeImage(flag.Arg(0), *version, *homepage, *out, time.Unix(*epoch, 0).UTC()) }
	}
	if err := make(); err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
}

// makePackage leaves no file behind when it fails.
func makePackage(config, format, out string) error {
	parsed, err := nfpm.ParseFile(config)
	if err != nil {
		return err
	}
	info, err := parsed.Get(format)
	if err != nil {
		return err
	}
	packager, err := nfpm.Get(format)
	if err != nil {
		return err
	}
	info = nfpm.WithDefaults(info)
	switch format {
	case "rpm":
		if err := markDocuments(info); err != nil {
			return err
		}
	case "deb":
		info.License = "" // Debian has no such field (https://www.debian.org/doc/debian-policy/ch-controlfields.html); copyright says it
	}
	info.Target = filepath.Join(out, packager.ConventionalFileName(info))
	f, err := os.Create(info.Target)
	if err != nil {
		return err
	}
	err = errors.Join(packager.Package(info, f), f.Close())
	if err != nil {
		_ = os.Remove(info.Target) // the first error is the one to tell
	}
	return err
}

// readersFolders hold what is for readers; rpmbuild marks the files in them by itself
// (https://github.com/rpm-software-management/rpm/blob/rpm-4.18.x/macros.in, __docdir_path).
var readersFolders = []string{"/usr/share/doc/", "/usr/share/man/"}

// markDocuments marks what is for readers, so that rpm lists it and can leave it out. It does so for rpm alone: nfpm
// drops files of this type from other formats.
func markDocuments(info *nfpm.Info) error {
	err := nfpm.PrepareForPackager(info, "rpm")
	for _, c := range info.Contents {
		inFolder := func(folder string) bool { return strings.HasPrefix(c.Destination, folder) }
		if c.Type == files.TypeFile && slices.ContainsFunc(readersFolders, inFolder) {
			c.Type = files.TypeRPMDoc
		}
	}
	return err
}
