package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// makeLinuxPackages returns what makes packages of one format with nfpm.
func makeLinuxPackages(format string) func(r *release, out string) error {
	return func(r *release, out string) error {
		for _, arch := range r.arches {
			dir, err := r.layOutLinux(arch)
			if err != nil {
				return err
			}
			if err := r.runNfpm(dir, format, arch, out); err != nil {
				return err
			}
		}
		return nil
	}
}

// runNfpm packs what was laid out in dir, as installer/linux/nfpm.yaml says.
func (r *release) runNfpm(dir, format, arch, out string) error {
	tool, err := r.buildTool("github.com/goreleaser/nfpm/v2/cmd/nfpm")
	if err != nil {
		return err
	}
	cmd := exec.Command(tool, "package", "--config", filepath.Join(r.top, "installer", "linux", "nfpm.yaml"), "--packager", format, "--target", out)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PACKAGE_ARCH="+arch, "PACKAGE_VERSION="+r.version, "SOURCE_DATE_EPOCH="+r.unixTime())
	_, err = runTool(cmd)
	return err
}

// layOutLinux lays out the files of a package as they are installed, once for all
// formats. Files that the formats put into different places are beside them.
func (r *release) layOutLinux(arch string) (string, error) {
	dir, err := r.makeFolder("linux-" + arch)
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(filepath.Join(dir, "root")); err == nil {
		return dir, nil
	}
	files, docs, err := r.gatherContents("linux", arch, "root/usr/bin/")
	if err != nil {
		return "", err
	}
	for _, d := range docs {
		d.to = linuxPlace(d.to)
		files = append(files, d)
	}
	return dir, layOut(dir, append(files, r.menuEntry()...), r.time)
}

// menuEntry returns the entry in the desktop's menu; it opens the applet.
func (r *release) menuEntry() []file {
	if !slices.ContainsFunc(r.shippedPrograms("linux"), isWindowed) {
		return nil
	}
	return []file{
		{"root/usr/share/applications/" + product + ".desktop", filepath.Join(r.top, "installer", "linux", product+".desktop"), 0o644},
		{"root/usr/share/icons/hicolor/256x256/apps/" + product + ".png", filepath.Join(r.top, "assets", "icons", "app.png"), 0o644},
	}
}

// linuxPlace returns the place of a document on Linux.
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
