package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/template"
)

// bundle makes a zip with the application for macOS, which has no place in the
// Dock: it lives in the menu bar.
func bundle(r *release, out string) error {
	if !slices.ContainsFunc(r.shipped("darwin"), windowed) {
		r.tell("the application for macOS is made without the tray applet, which needs Apple's libraries: make it on a Mac to have it inside")
	}
	for _, arch := range r.arches {
		files, err := r.application(arch)
		if err != nil {
			return err
		}
		name := strings.Join([]string{product, r.version, "macos", arch}, "_") + ".zip"
		if err := r.pack(filepath.Join(out, name), zipped, files); err != nil {
			return err
		}
	}
	return nil
}

// application lists what is in the bundle.
func (r *release) application(arch string) ([]file, error) {
	const contents = "Vault Dispatcher.app/Contents/"
	files, err := r.binaries("darwin", arch, contents+"MacOS/")
	if err != nil {
		return nil, err
	}
	info, err := r.info()
	if err != nil {
		return nil, err
	}
	docs, err := r.documents()
	if err != nil {
		return nil, err
	}
	files = append(files, file{contents + "Info.plist", info, 0o644})
	for _, d := range docs {
		files = append(files, file{contents + "Resources/" + d.to, d.from, d.mode})
	}
	return files, nil
}

// info writes what the system wants to know of the application. It opens the
// applet where there is one.
func (r *release) info() (string, error) {
	form, err := template.ParseFiles(filepath.Join(r.top, "installer", "darwin", "Info.plist"))
	if err != nil {
		return "", err
	}
	dir, err := r.folder("darwin")
	if err != nil {
		return "", err
	}
	programs := r.shipped("darwin")
	var text strings.Builder
	if err := form.Execute(&text, map[string]string{"Number": r.number(), "Executable": programs[len(programs)-1]}); err != nil {
		return "", err
	}
	out := filepath.Join(dir, "Info.plist")
	return out, os.WriteFile(out, []byte(text.String()), 0o644)
}
