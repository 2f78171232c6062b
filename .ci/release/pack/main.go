// Command pack makes a package for Linux of what is laid out in the folder that it
// runs in.
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

	"github.com/goreleaser/nfpm/v2"
	_ "github.com/goreleaser/nfpm/v2/apk"
	_ "github.com/goreleaser/nfpm/v2/arch"
	_ "github.com/goreleaser/nfpm/v2/deb"
	_ "github.com/goreleaser/nfpm/v2/rpm"
)

func main() {
	config := flag.String("config", "nfpm.yaml", "`file` that says what the package holds")
	format := flag.String("format", "deb", "`format`: deb, rpm, apk or archlinux")
	out := flag.String("out", ".", "`folder` for the package")
	flag.Parse()
	if err := makePackage(*config, *format, *out); err != nil {
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
