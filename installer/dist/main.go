// Command dist makes what people install, for all platforms, on one machine:
//
//	go run ./installer/dist                  everything, into dist/
//	go run ./installer/dist -only deb,rpm    only these kinds
//
// It builds the programs without cgo, asks the command line for its completions
// and manual pages, gathers the licences of all libraries, and hands these to
// tools that know the formats: nfpm (pinned in .ci/release) for Linux,
// makensis and wixl for Windows. What the packages look like stands in
// installer/linux, installer/windows and installer/darwin. Beside them lies a list
// of what each program is made of, read out of the program itself, and with
// -base-url what package managers ask for.
//
// Nothing in what is made depends on when or where: all times are that of the
// commit (or SOURCE_DATE_EPOCH), paths are cut, and the same source gives the same
// bytes, unless they are signed (-sign). The version stands in package assets.
package main

import (
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"vaultdispatcher/assets"
)

// kinds are made in this order.
var kinds = []kind{
	{"archive", "tar.gz and zip with the programs, for every platform", archives},
	{"deb", "package for Debian and Ubuntu", linuxPackage("deb")},
	{"rpm", "package for Fedora, SUSE and others", linuxPackage("rpm")},
	{"apk", "package for Alpine", linuxPackage("apk")},
	{"archlinux", "package for Arch Linux", linuxPackage("archlinux")},
	{"setup", "setup program for Windows", setup},
	{"app", "application for macOS, zipped", bundle},
	{"msi", "package for the Windows Installer", msi},
}

func main() {
	if err := command(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "dist:", err)
		os.Exit(1)
	}
}

func command(args []string, stdout io.Writer) error {
	flags := flag.NewFlagSet("dist", flag.ContinueOnError)
	out := flags.String("out", "dist", "`folder` for what is made")
	only := flags.String("only", "", "make only these `kinds`, separated by commas: "+strings.Join(names(kinds), ", "))
	version := flags.String("version", assets.ThisBuild().Version, "make another `version` than that of the source")
	arches := flags.String("arch", "amd64,arm64", "processors, separated by `commas`")
	signer := flags.String("sign", os.Getenv("WIKI_SIGN"), "`program` that signs programs and installers for Windows, called with the path of a file and the path for the signed one (or WIKI_SIGN)")
	base := flags.String("base-url", "", "`address` of the folder that everything will be had from, for manifests for Homebrew, scoop and winget")
	if err := flags.Parse(args); err != nil {
		return err
	}
	folder, err := address(*base)
	if err != nil {
		return err
	}
	if *signer != "" {
		if _, err := exec.LookPath(*signer); err != nil {
			return fmt.Errorf("the program that signs: %w", err)
		}
	}
	chosen, err := choose(*only)
	if err != nil {
		return err
	}
	tell := func(format string, args ...any) { fmt.Fprintf(stdout, format+"\n", args...) }
	r := &release{top: ".", version: *version, arches: strings.Split(*arches, ","), base: folder, signer: *signer, tell: tell, built: map[string]string{}, given: map[string]string{}, tools: map[string]string{}}
	return r.into(*out, chosen)
}

func names(kinds []kind) []string {
	var list []string
	for _, k := range kinds {
		list = append(list, k.name)
	}
	return list
}

// choose returns the kinds of a list, or all.
func choose(only string) ([]kind, error) {
	if only == "" {
		return kinds, nil
	}
	var chosen []kind
	for _, name := range strings.Split(only, ",") {
		i := slices.IndexFunc(kinds, func(k kind) bool { return k.name == name })
		if i < 0 {
			return nil, fmt.Errorf("there is no kind %q; there are %s", name, strings.Join(names(kinds), ", "))
		}
		chosen = append(chosen, kinds[i])
	}
	return chosen, nil
}

// into makes the chosen kinds and moves them into a folder when all are done.
func (r *release) into(out string, chosen []kind) (err error) {
	if r.top, err = filepath.Abs(r.top); err != nil {
		return err
	}
	if err := r.identify(); err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	if out, err = filepath.Abs(out); err != nil {
		return err
	}
	if r.work, err = os.MkdirTemp(out, ".making-"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(r.work)) }()
	r.tell("%s %s, commit %s of %s: %s", product, r.version, r.commit, r.time.Format("2006-01-02"), strings.Join(r.programs, ", "))
	made, err := r.folder("made")
	if err != nil {
		return err
	}
	for _, k := range chosen {
		if err := k.make(r, made); err != nil {
			return fmt.Errorf("%s: %w", k.name, err)
		}
	}
	if err := r.boms(made); err != nil {
		return err
	}
	if err := r.manifests(made); err != nil {
		return err
	}
	return r.hand(made, out)
}

// hand adds the sums and moves everything to where it was asked for.
func (r *release) hand(made, out string) error {
	if err := sums(made); err != nil {
		return err
	}
	files, err := os.ReadDir(made)
	for _, f := range files {
		err = errors.Join(err, os.Rename(filepath.Join(made, f.Name()), filepath.Join(out, f.Name())))
		r.tell("%s", f.Name())
	}
	return err
}

// sums writes SHA256SUMS of all files in a folder, as sha256sum --check reads it.
func sums(dir string) error {
	files, err := tree(dir)
	if err != nil {
		return err
	}
	var list strings.Builder
	for _, f := range files {
		body, err := os.ReadFile(f.from)
		if err != nil {
			return err
		}
		fmt.Fprintf(&list, "%x  %s\n", sha256.Sum256(body), f.to)
	}
	return os.WriteFile(filepath.Join(dir, "SHA256SUMS"), []byte(list.String()), 0o644)
}
