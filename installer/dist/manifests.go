package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"
)

// manifest is a text by which a package manager finds and checks what was made.
type manifest struct {
	manager string              // the manager
	needs   string              // the kind that it points to
	present func(o *offer) bool // reports whether that was made
	texts   map[string]string   // its files, by the forms in installer
}

var manifests = []manifest{
	{"Homebrew", "archive", (*offer).hasUnix, map[string]string{"darwin/vault-dispatcher.rb": product + ".rb"}},
	{"scoop", "archive", (*offer).hasWindows, map[string]string{"windows/scoop.json": product + ".json"}},
	{"the AUR", "archive", (*offer).hasLinux, map[string]string{"linux/PKGBUILD": "PKGBUILD"}},
	{"Nix", "archive", (*offer).hasLinux, map[string]string{"linux/vault-dispatcher.nix": product + ".nix"}},
	{"winget", "setup", func(o *offer) bool { return o.Setup() != nil }, map[string]string{
		"windows/winget.yaml":           "VaultDispatcher.VaultDispatcher.yaml",
		"windows/winget.installer.yaml": "VaultDispatcher.VaultDispatcher.installer.yaml",
		"windows/winget.locale.yaml":    "VaultDispatcher.VaultDispatcher.locale.en-US.yaml",
	}},
}

// offer holds the values for the forms of manifests.
type offer struct {
	Version, Date string
	Base          string // address of the folder that everything can be had from
	Homepage      string
	Systems       map[string]string
	Processors    map[string]string
	Windows       map[string]string
	Arches        map[string]string   // of Arch Linux, by Go's names
	Nixes         map[string]platform // by the names of Nix
	sums          map[string]string   // of what was made, by name
}

// platform is a system with a processor, by Go's names.
type platform struct{ OS, Arch string }

// PlainVersion is the version for the AUR, where it may have no hyphen (https://wiki.archlinux.org/title/PKGBUILD#pkgver).
func (o *offer) PlainVersion() string { return strings.ReplaceAll(o.Version, "-", "_") }

// offered is one file: where it can be had, its sum, and the folder in an archive.
type offered struct{ URL, Sum, Folder string }

// writeManifests writes the manifests for which all files were made. They hold addresses, so it writes none without
// -base-url.
func (r *release) writeManifests(made string) error {
	if r.base == "" {
		r.tell("no manifests for Homebrew, scoop, winget, the AUR and Nix: they hold addresses, and -base-url names none")
		return nil
	}
	o, err := r.readOffer(made)
	if err != nil {
		return err
	}
	for _, m := range manifests {
		if !m.present(o) {
			if r.joined {
				return fmt.Errorf("no manifest for %s can be written: what %q makes is in none of the parts", m.manager, m.needs)
			}
			r.tell("no manifest for %s: it points to what %q makes, and that was not made", m.manager, m.needs)
			continue
		}
		for form, name := range m.texts {
			if err := r.fillForm(form, filepath.Join(made, name), o); err != nil {
				return fmt.Errorf("the manifest for %s: %w", m.manager, err)
			}
		}
	}
	return nil
}

// readOffer reads the sums of all that was made.
func (r *release) readOffer(made string) (*offer, error) {
	sums, err := sumFiles(made)
	return &offer{
		Version: r.version, Date: r.time.Format("2006-01-02"), Base: r.base, Homepage: cmp.Or(r.homepage, r.base+"/"), sums: sums,
		Systems:    map[string]string{"darwin": "macos", "linux": "linux"},
		Processors: map[string]string{"amd64": "intel", "arm64": "arm"},
		Windows:    map[string]string{"amd64": "64bit", "arm64": "arm64"},
		Arches:     map[string]string{"amd64": "x86_64", "arm64": "aarch64"},
		Nixes: map[string]platform{
			"x86_64-linux": {"linux", "amd64"}, "aarch64-linux": {"linux", "arm64"},
			"x86_64-darwin": {"darwin", "amd64"}, "aarch64-darwin": {"darwin", "arm64"},
		},
	}, err
}

func (o *offer) findFile(name string) *offered {
	sum, ok := o.sums[name]
	if !ok {
		return nil
	}
	folder := strings.TrimSuffix(strings.TrimSuffix(name, ".zip"), ".tar.gz")
	return &offered{o.Base + "/" + name, sum, folder}
}

// Archive is the archive for a platform, if it was made.
func (o *offer) Archive(goos, arch string) *offered {
	name := strings.Join([]string{product, o.Version, goos, arch}, "_")
	if goos == "windows" {
		return o.findFile(name + ".zip")
	}
	return o.findFile(name + ".tar.gz")
}

// Setup is the setup program for Windows, if it was made.
func (o *offer) Setup() *offered { return o.findFile(product + "_" + o.Version + "_setup.exe") }

func (o *offer) hasUnix() bool    { return o.has("linux") && o.has("darwin") }
func (o *offer) hasLinux() bool   { return o.has("linux") }
func (o *offer) hasWindows() bool { return o.has("windows") }

// has reports whether an archive was made for a system.
func (o *offer) has(goos string) bool {
	return o.Archive(goos, "amd64") != nil || o.Archive(goos, "arm64") != nil
}

// fillForm writes a file from a template in installer.
func (r *release) fillForm(form, out string, values any) error {
	t, err := template.ParseFiles(filepath.Join(r.top, "installer", filepath.FromSlash(form)))
	if err != nil {
		return err
	}
	var text strings.Builder
	if err := t.Execute(&text, values); err != nil {
		return err
	}
	return os.WriteFile(out, []byte(text.String()), 0o644)
}
