// Command dist makes what people install, for all platforms, on one machine:
//
//	go run ./installer/dist                  everything, into dist/
//	go run ./installer/dist -only deb,rpm    only these kinds
//	go run ./installer/dist -os darwin       only what is for this system
//	go run ./installer/dist -join a,b        nothing new: what was made in parts, put together
//
// It builds the programs without cgo (but for the tray on a Mac), asks the command line for its completions
// and manual pages, gathers the licences of all libraries, and hands these to
// tools that know the formats: nfpm (a library of .ci/release/pack) for Linux,
// makensis and wixl for Windows. Their configuration is in installer/linux,
// installer/windows and installer/darwin. It also writes a list of the libraries in each
// program, read out of the program itself, and with -base-url the manifests of package
// managers.
//
// Nothing in what is made depends on when or where: all times are that of the
// commit (or SOURCE_DATE_EPOCH), paths are cut, and the same source gives the same
// bytes, unless they are signed (-sign); what is made for macOS on a Mac holds the
// tray, which Apple's tools build. The version is in package assets.
package main

import (
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"vaultdispatcher/assets"
)

// kinds are made in this order.
var kinds = []kind{
	{"archive", "tar.gz and zip with the programs, for every platform", makeArchives, strings.Join(platforms, " ")},
	{"deb", "package for Debian and Ubuntu", makeLinuxPackages("deb"), "linux"},
	{"rpm", "package for Fedora, SUSE and others", makeLinuxPackages("rpm"), "linux"},
	{"apk", "package for Alpine", makeLinuxPackages("apk"), "linux"},
	{"archlinux", "package for Arch Linux", makeLinuxPackages("archlinux"), "linux"},
	{"image", "image for containers, for docker load and podman load", makeImages, "linux"},
	{"setup", "setup program for Windows", makeSetup, "windows"},
	{"app", "application for macOS, zipped", makeApplications, "darwin"},
	{"msi", "package for the Windows Installer", makeMSI, "windows"},
}

func main() {
	if err := runCommand(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "dist:", err)
		os.Exit(1)
	}
}

func runCommand(args []string, stdout io.Writer) error {
	flags := flag.NewFlagSet("dist", flag.ContinueOnError)
	out := flags.String("out", "dist", "`folder` for what is made")
	only := flags.String("only", "", "make only these `kinds`, separated by commas: "+strings.Join(listNames(kinds), ", "))
	systems := flags.String("os", strings.Join(platforms, ","), "systems, separated by `commas`")
	parts := flags.String("join", "", "`folders`, separated by commas, of what was made in parts, as on several machines; they are checked, and put together with the manifests")
	version := flags.String("version", assets.ThisBuild().Version, "make another `version` than that of the source")
	arches := flags.String("arch", "amd64,arm64", "processors, separated by `commas`")
	signer := flags.String("sign", os.Getenv("WIKI_SIGN"), "`program` that signs programs and installers for Windows, called with the path of a file and the path for the signed one (or WIKI_SIGN)")
	var places addresses
	places.addFlags(flags)
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("%q is no flag; lists have commas between, and no spaces", flags.Arg(0))
	}
	joins, err := isJoin(flags)
	if err != nil {
		return err
	}
	if err := places.complete(*version); err != nil {
		return err
	}
	if *signer != "" {
		if _, err := exec.LookPath(*signer); err != nil {
			return fmt.Errorf("the program that signs: %w", err)
		}
	}
	chosen, err := chooseKinds(*only)
	if err != nil {
		return err
	}
	wanted := strings.Split(*systems, ",")
	if i := slices.IndexFunc(wanted, func(name string) bool { return !slices.Contains(platforms, name) }); i >= 0 {
		return fmt.Errorf("there is no system %q; there are %s", wanted[i], strings.Join(platforms, ", "))
	}
	tell := func(format string, args ...any) { fmt.Fprintf(stdout, format+"\n", args...) }
	r := &release{top: ".", version: *version, systems: wanted, arches: strings.Split(*arches, ","), addresses: places, signer: *signer, tell: tell, built: map[string]string{}, inputs: map[string]string{}, tools: map[string]string{}}
	if joins {
		return r.fillFolder(*out, func(made string) error { return r.joinParts(strings.Split(*parts, ","), made) })
	}
	return r.fillFolder(*out, func(made string) error { return r.makeKinds(chosen, made) })
}

func listNames(kinds []kind) []string {
	var list []string
	for _, k := range kinds {
		list = append(list, k.name)
	}
	return list
}

// chooseKinds returns the kinds of a list, or all.
func chooseKinds(only string) ([]kind, error) {
	if only == "" {
		return kinds, nil
	}
	var chosen []kind
	for _, name := range strings.Split(only, ",") {
		i := slices.IndexFunc(kinds, func(k kind) bool { return k.name == name })
		if i < 0 {
			return nil, fmt.Errorf("there is no kind %q; there are %s", name, strings.Join(listNames(kinds), ", "))
		}
		chosen = append(chosen, kinds[i])
	}
	return chosen, nil
}

// fillFolder has a folder filled, adds the sums, and moves everything to out when all is done.
func (r *release) fillFolder(out string, fill func(made string) error) (err error) {
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
	made, err := r.makeFolder("made")
	if err != nil {
		return err
	}
	if err := fill(made); err != nil {
		return err
	}
	return r.handOver(made, out)
}

// makeKinds makes those of the chosen kinds that are for a system that was asked for, lists of their parts, and
// manifests.
func (r *release) makeKinds(chosen []kind, made string) error {
	chosen = slices.DeleteFunc(slices.Clone(chosen), func(k kind) bool {
		return !slices.ContainsFunc(strings.Fields(k.systems), func(goos string) bool { return slices.Contains(r.systems, goos) })
	})
	if len(chosen) == 0 {
		return fmt.Errorf("none of the kinds that -only names is for %s", strings.Join(r.systems, ", "))
	}
	if slices.Contains(r.systems, "darwin") && len(r.shippedPrograms("darwin")) < len(r.programs) {
		r.tell("what is for macOS is made without the tray applet, which needs Apple's libraries: make it on a Mac to have it inside")
	}
	for _, k := range chosen {
		if err := k.make(r, made); err != nil {
			return fmt.Errorf("%s: %w", k.name, err)
		}
	}
	return errors.Join(r.writeBoms(made), r.writeManifests(made))
}

// handOver adds the sums and moves everything to where it was asked for.
func (r *release) handOver(made, out string) error {
	if err := writeSums(made); err != nil {
		return err
	}
	files, err := os.ReadDir(made)
	for _, f := range files {
		err = errors.Join(err, os.Rename(filepath.Join(made, f.Name()), filepath.Join(out, f.Name())))
		r.tell("%s", f.Name())
	}
	return err
}

// writeSums writes SHA256SUMS of all files in a folder, as sha256sum --check reads it.
func writeSums(dir string) error {
	sums, err := sumFiles(dir)
	if err != nil {
		return err
	}
	var list strings.Builder
	for _, name := range slices.Sorted(maps.Keys(sums)) {
		fmt.Fprintf(&list, "%s  %s\n", sums[name], name)
	}
	return os.WriteFile(filepath.Join(dir, "SHA256SUMS"), []byte(list.String()), 0o644)
}

// sumFiles returns the SHA-256 sum of each file in a folder, by its name.
func sumFiles(dir string) (map[string]string, error) {
	files, err := listFiles(dir)
	sums := make(map[string]string, len(files))
	for _, f := range files {
		body, problem := os.ReadFile(f.source)
		err = errors.Join(err, problem)
		sums[f.target] = fmt.Sprintf("%x", sha256.Sum256(body))
	}
	return sums, err
}
