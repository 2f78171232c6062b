package main

import (
	"crypto/sha1"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

// Installers for Windows are made for one processor: Windows for arm64 runs them
// as well, and there is a zip for those who want a program of its own.
const windowsArch = "amd64"

// setup makes the setup program with NSIS.
func setup(r *release, out string) error {
	makensis, err := need("makensis", "nsis")
	if err != nil {
		return err
	}
	dir, err := r.windowsTree()
	if err != nil {
		return err
	}
	made := filepath.Join(out, product+"_"+r.version+"_setup.exe")
	cmd := exec.Command(makensis, "-V2", "-WX", "-NOCD",
		"-DVERSION="+r.version, "-DNUMBER="+r.number(), "-DSOURCE="+dir,
		"-DICON="+filepath.Join(r.top, "assets", "icons", "app.ico"), "-DOUT="+made,
		filepath.Join(r.top, "installer", "windows", "setup.nsi"))
	cmd.Env = append(os.Environ(), "SOURCE_DATE_EPOCH="+r.epoch())
	if _, err := run(cmd); err != nil {
		return err
	}
	return r.sign(made)
}

// msi makes the package for the Windows Installer with wixl.
func msi(r *release, out string) error {
	wixl, err := need("wixl", "wixl")
	if err != nil {
		return err
	}
	dir, err := r.windowsTree()
	if err != nil {
		return err
	}
	tray := "no"
	if slices.ContainsFunc(r.shipped("windows"), windowed) {
		tray = "yes"
	}
	made := filepath.Join(out, product+"_"+r.version+"_x64.msi")
	cmd := exec.Command(wixl, "-a", "x64", "-D", "VERSION="+r.version, "-D", "NUMBER="+r.number(), "-D", "PRODUCT="+r.id("msi"), "-D", "TRAY="+tray,
		"-o", made, filepath.Join(r.top, "installer", "windows", "package.wxs"))
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "SOURCE_DATE_EPOCH="+r.epoch())
	if _, err := run(cmd); err != nil {
		return err
	}
	return r.sign(made)
}

// windowsTree lays out what both install.
func (r *release) windowsTree() (string, error) {
	dir, err := r.folder("windows")
	if err != nil {
		return "", err
	}
	files, err := r.binaries("windows", windowsArch, "")
	if err != nil {
		return "", err
	}
	docs, err := r.documents()
	if err != nil {
		return "", err
	}
	return dir, lay(dir, append(files, docs...), r.time)
}

// id is a number for this version of something that asks for one that nobody
// else has: a UUID by name (RFC 9562, version 5), the same whenever it is made.
func (r *release) id(of string) string {
	sum := sha1.Sum([]byte(product + "\x00" + of + "\x00" + r.version + "\x00" + r.commit))
	sum[6], sum[8] = sum[6]&0x0f|0x50, sum[8]&0x3f|0x80
	return fmt.Sprintf("%X-%X-%X-%X-%X", sum[0:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16])
}
