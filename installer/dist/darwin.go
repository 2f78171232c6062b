package main

import (
	"path/filepath"
	"slices"
	"strings"
)

// makeApplications zips the application for macOS, one for each processor. It has no
// icon in the Dock, only one in the menu bar.
func makeApplications(r *release, out string) error {
	for _, arch := range r.arches {
		files, err := r.listApplication(arch)
		if err != nil {
			return err
		}
		name := strings.Join([]string{product, r.version, "macos", arch}, "_") + ".zip"
		if err := r.packFiles(filepath.Join(out, name), writeZip, files); err != nil {
			return err
		}
	}
	return nil
}

// listApplication lists what is in the bundle.
func (r *release) listApplication(arch string) ([]file, error) {
	const contents = "Vault Dispatcher.app/Contents/"
	files, docs, err := r.gatherContents("darwin", arch, contents+"MacOS/")
	if err != nil {
		return nil, err
	}
	info, err := r.writeInfo()
	if err != nil {
		return nil, err
	}
	files = append(files, file{contents + "Info.plist", info, 0o644})
	for _, d := range docs {
		files = append(files, file{contents + "Resources/" + d.target, d.source, d.mode})
	}
	return files, nil
}

// writeInfo writes the Info.plist of the application. It opens the
// applet where there is one.
func (r *release) writeInfo() (string, error) {
	dir, err := r.makeFolder("darwin")
	if err != nil {
		return "", err
	}
	opened := "wiki"
	if i := slices.IndexFunc(r.shippedPrograms("darwin"), isWindowed); i >= 0 {
		opened = r.shippedPrograms("darwin")[i]
	}
	out := filepath.Join(dir, "Info.plist")
	return out, r.fillForm("darwin/Info.plist", out, map[string]string{"ID": r.reverseAddress(product), "Number": r.plainVersion(), "Executable": opened})
}
