package main

import (
	"crypto/sha1"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

// Installers for Windows are made for one processor. Windows 11 on arm64 runs its programs
// too (https://learn.microsoft.com/en-us/windows/arm/apps-on-arm-x86-emulation); for
// Windows 10 on arm64, and for native programs, there is a zip.
const windowsArch = "amd64"

// makeSetup makes the setup program with NSIS.
func makeSetup(r *release, out string) error {
	makensis, err := findTool("makensis", "nsis")
	if err != nil {
		return err
	}
	dir, err := r.layOutWindows()
	if err != nil {
		return err
	}
	made := filepath.Join(out, product+"_"+r.version+"_setup.exe")
	cmd := exec.Command(makensis, "-V2", "-WX", "-NOCD",
		"-DVERSION="+r.version, "-DNUMBER="+r.plainVersion(), "-DSOURCE="+dir,
		"-DICON="+filepath.Join(r.top, "assets", "icons", "app.ico"), "-DOUT="+made,
		filepath.Join(r.top, "installer", "windows", "setup.nsi"))
	cmd.Env = append(os.Environ(), "SOURCE_DATE_EPOCH="+r.unixTime())
	if _, err := runTool(cmd); err != nil {
		return err
	}
	return r.signFile(made)
}

// makeMSI makes the package for the Windows Installer with wixl.
func makeMSI(r *release, out string) error {
	wixl, err := findTool("wixl", "wixl")
	if err != nil {
		return err
	}
	dir, err := r.layOutWindows()
	if err != nil {
		return err
	}
	tray := "no"
	if slices.ContainsFunc(r.shippedPrograms("windows"), isWindowed) {
		tray = "yes"
	}
	made := filepath.Join(out, product+"_"+r.version+"_x64.msi")
	cmd := exec.Command(wixl, "-a", "x64", "-D", "VERSION="+r.version, "-D", "NUMBER="+r.plainVersion(), "-D", "PRODUCT="+r.makeID("msi"), "-D", "TRAY="+tray,
		"-o", made, filepath.Join(r.top, "installer", "windows", "package.wxs"))
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "SOURCE_DATE_EPOCH="+r.unixTime())
	if _, err := runTool(cmd); err != nil {
		return err
	}
	return r.signFile(made)
}

// layOutWindows lays out what both install.
func (r *release) layOutWindows() (string, error) {
	dir, err := r.makeFolder("windows")
	if err != nil {
		return "", err
	}
	files, docs, err := r.gatherContents("windows", windowsArch, "")
	if err != nil {
		return "", err
	}
	return dir, layOut(dir, append(files, docs...), r.time)
}

// makeID returns a unique number for this version of a thing: a UUID by name (RFC 9562,
// version 5), the same whenever it is made.
func (r *release) makeID(of string) string {
	sum := sha1.Sum([]byte(product + "\x00" + of + "\x00" + r.version + "\x00" + r.commit))
	sum[6], sum[8] = sum[6]&0x0f|0x50, sum[8]&0x3f|0x80
	return fmt.Sprintf("%X-%X-%X-%X-%X", sum[0:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16])
}
