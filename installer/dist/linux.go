package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// linuxPackage returns what makes packages of one format with nfpm.
func linuxPackage(format string) func(r *release, out string) error {
	return func(r *release, out string) error {
		for _, arch := range r.arches {
			dir, err := r.linuxTree(arch)
			if err != nil {
				return err
			}
			if err := r.nfpm(dir, format, arch, out); err != nil {
				return err
			}
		}
		return nil
	}
}

// nfpm packs what was laid out in dir, as installer/linux/nfpm.yaml says.
func (r *release) nfpm(dir, format, arch, out string) error {
	tool, err := r.tool("github.com/goreleaser/nfpm/v2/cmd/nfpm")
	if err != nil {
		return err
	}
	cmd := exec.Command(tool, "package", "--config", filepath.Join(r.top, "installer", "linux", "nfpm.yaml"), "--packager", format, "--target", out)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PACKAGE_ARCH="+arch, "PACKAGE_VERSION="+r.version, "SOURCE_DATE_EPOCH="+r.epoch())
	_, err = run(cmd)
	return err
}

// linuxTree lays out the files of a package as they are installed, once for all
// formats, and beside them what the formats put into different places.
func (r *release) linuxTree(arch string) (string, error) {
	dir, err := r.folder("linux-" + arch)
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(filepath.Join(dir, "root")); err == nil {
		return dir, nil
	}
	files, err := r.binaries("linux", arch, "root/usr/bin/")
	if err != nil {
		return "", err
	}
	docs, err := r.documents()
	if err != nil {
		return "", err
	}
	for _, d := range docs {
		d.to = linuxPlace(d.to)
		files = append(files, d)
	}
	return dir, lay(dir, append(files, r.menu()...), r.time)
}

// menu is the entry in the desktop's menu; it opens the applet.
func (r *release) menu() []file {
	if !slices.ContainsFunc(r.shipped("linux"), windowed) {
		return nil
	}
	return []file{
		{"root/usr/share/applications/" + product + ".desktop", filepath.Join(r.top, "installer", "linux", product+".desktop"), 0o644},
		{"root/usr/share/icons/hicolor/256x256/apps/" + product + ".png", filepath.Join(r.top, "assets", "icons", "app.png"), 0o644},
	}
}

// linuxPlace is where a document belongs on Linux.
func linuxPlace(name string) string {
	doc := "root/usr/share/doc/" + product + "/"
	switch name {
	case "LICENSE":
		return doc + "copyright"
	case "completions/wiki.bash":
		return "root/usr/share/bash-completion/completions/wiki"
	case "completions/wiki.fish":
		return "root/usr/share/fish/vendor_completions.d/wiki.fish"
	case "completions/_wiki":
		return "zsh/_wiki"
	case "completions/wiki.ps1":
		return "root/usr/share/" + product + "/wiki.ps1"
	}
	if page, ok := strings.CutPrefix(name, "man/"); ok {
		return "root/usr/share/man/man1/" + page
	}
	return doc + name
}
