package main

import (
	"errors"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// makeLinuxPackages returns what makes packages of one format with nfpm.
func makeLinuxPackages(format string) func(r *release, out string) error {
	return func(r *release, out string) error {
		for _, arch := range r.arches {
			dir, err := r.layOutLinux(arch)
			if err != nil {
				return err
			}
			if err := r.packLinux(dir, format, arch, out); err != nil {
				return err
			}
		}
		return nil
	}
}

// packLinux packs what was laid out in dir, as installer/linux/nfpm.yaml says.
func (r *release) packLinux(dir, format, arch, out string) error {
	tool, err := r.buildTool("./pack")
	if err != nil {
		return err
	}
	cmd := exec.Command(tool, "-config", filepath.Join(r.top, "installer", "linux", "nfpm.yaml"), "-format", format, "-out", out)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PACKAGE_ARCH="+arch, "PACKAGE_VERSION="+r.version, "PACKAGE_HOMEPAGE="+r.homepage, "SOURCE_DATE_EPOCH="+r.unixTime())
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
	copyright, err := r.writeCopyright()
	if err != nil {
		return "", err
	}
	for _, d := range docs {
		if d.target == "LICENSE" {
			d.source = copyright
		}
		d.target = linuxPlace(d.target)
		files = append(files, d)
	}
	menu, err := r.menuEntry()
	if err != nil {
		return "", err
	}
	notes, err := r.packageNotes()
	return dir, errors.Join(err, layOut(dir, slices.Concat(files, menu, notes), r.time))
}

// menuEntry returns the entry in the desktop's menu, which opens the applet, its icons, and what
// software centres show.
func (r *release) menuEntry() ([]file, error) {
	if !slices.ContainsFunc(r.shippedPrograms("linux"), isWindowed) {
		return nil, nil
	}
	const icons = "root/usr/share/icons/hicolor/"
	files := []file{
		{"root/usr/share/applications/" + product + ".desktop", filepath.Join(r.top, "installer", "linux", product+".desktop"), 0o644},
		{icons + "256x256/apps/" + product + ".png", filepath.Join(r.top, "assets", "icons", "app.png"), 0o644},
		{icons + "scalable/apps/" + product + ".svg", filepath.Join(r.top, "assets", "icons", "idle.svg"), 0o644},
	}
	others, err := listFiles(filepath.Join(r.top, "installer", "linux", "icons"))
	for _, icon := range others {
		width := strings.TrimSuffix(icon.target, ".png")
		files = append(files, file{icons + width + "x" + width + "/apps/" + product + ".png", icon.source, 0o644})
	}
	about, problem := r.fillNote(product+".metainfo.xml", map[string]string{"ID": r.reverseAddress(product + ".desktop"), "Homepage": r.homepage, "Version": r.version, "Date": r.time.Format("2006-01-02")})
	return append(files, file{"root/usr/share/metainfo/" + product + ".metainfo.xml", about, 0o644}), errors.Join(err, problem)
}

// packageNotes returns what only some formats take: the changelog in Debian's form, the overrides of its
// checker, and what is said after an installation.
func (r *release) packageNotes() ([]file, error) {
	plain, err := r.fillNote("changelog", map[string]string{"Version": r.version, "Package": strings.Replace(r.version, "-", "~", 1), "Date": r.time.Format(time.RFC1123Z)})
	if err == nil {
		err = compressFile(plain, plain+".gz")
	}
	from := filepath.Join(r.top, "installer", "linux")
	return []file{
		{"deb/changelog.gz", plain + ".gz", 0o644},
		{"deb/lintian-overrides", filepath.Join(from, "lintian-overrides"), 0o644},
		{"postinstall.sh", filepath.Join(from, "postinstall.sh"), 0o755},
	}, err
}

// fillNote fills a form of installer/linux in, and returns where that is.
func (r *release) fillNote(form string, values any) (string, error) {
	dir, err := r.makeFolder("notes")
	if err != nil {
		return "", err
	}
	out := filepath.Join(dir, form)
	return out, r.fillForm("linux/"+form, out, values)
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
		section := strings.TrimPrefix(path.Ext(strings.TrimSuffix(page, ".gz")), ".")
		return "root/usr/share/man/man" + section + "/" + page
	}
	return doc + name
}

// writeCopyright writes whose the programs are and by what terms in the form that Debian's tools read, and returns
// where that is.
func (r *release) writeCopyright() (string, error) {
	licence, err := os.ReadFile(filepath.Join(r.top, "LICENSE"))
	if err != nil {
		return "", err
	}
	_, text, _ := strings.Cut(string(licence), "Copyright (c) ")
	holder, terms, ok := strings.Cut(text, "\n\n")
	if !ok {
		return "", errors.New("LICENSE does not say whose the programs are")
	}
	return r.fillNote("copyright", map[string]any{"Homepage": r.homepage, "Holder": holder, "Terms": strings.Split(strings.TrimSpace(terms), "\n")})
}
