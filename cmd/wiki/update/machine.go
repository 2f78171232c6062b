package update

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// Machine is what shows how a program was installed.
type Machine struct {
	System, Processor string                 // as Go names them
	Program           string                 // its path, without links
	Exists            func(name string) bool // on the disk; name may be a pattern of filepath.Match
}

// ThisMachine describes the running program.
func ThisMachine() Machine {
	program, err := os.Executable()
	if real, problem := filepath.EvalSymlinks(program); err == nil && problem == nil {
		program = real
	}
	return Machine{runtime.GOOS, runtime.GOARCH, program, func(name string) bool {
		_, err := os.Lstat(name)
		found, _ := filepath.Glob(name) // fails only for a malformed pattern
		return err == nil || len(found) > 0
	}}
}

// way is how a newer release is installed.
type way struct {
	suffix string // of the file
	steps  []string
}

// anew is the last step where no installer restarts the engine.
const anew = "wiki service install, if the engine starts when you log in: it takes up the new program"

// describeSteps names the file in the steps.
func (w way) describeSteps(file string) []string {
	steps := make([]string, len(w.steps))
	for i, step := range w.steps {
		steps[i] = strings.ReplaceAll(step, "FILE", file)
	}
	return steps
}

// findWay finds out by what this program was installed. A program without a sign of its own counts as unpacked from
// an archive.
func (m Machine) findWay() way {
	program := filepath.ToSlash(m.Program)
	if m.System == "windows" {
		return m.findWindowsWay(strings.ReplaceAll(strings.ToLower(program), `\`, "/"))
	}
	rpm := map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[m.Processor]
	switch {
	case strings.Contains(program, "/Cellar/"+product+"/"):
		return way{product + ".rb", []string{"cp FILE \"$(brew --repository local/vault)/Formula/\", or over the formula in your tap", "brew upgrade " + product, anew}}
	case m.System == "darwin" && strings.Contains(program, ".app/Contents/"):
		return way{"_macos_" + m.Processor + ".zip", []string{"unpack FILE, and put its application in the place of " + appOf(program), anew}}
	case program != "/usr/bin/wiki" || rpm == "":
	case m.Exists("/var/lib/dpkg/info/" + product + ".list"):
		return way{"_" + m.Processor + ".deb", []string{"sudo apt install ./FILE", anew}}
	case m.Exists("/var/lib/pacman/local/" + product + "-[0-9]*"):
		return way{"-" + rpm + ".pkg.tar.zst", []string{"sudo pacman -U FILE", anew}}
	case m.Exists("/lib/apk/db/installed"):
		return way{"_" + rpm + ".apk", []string{"sudo apk add --allow-untrusted FILE", anew}}
	case m.Exists("/var/lib/rpm") || m.Exists("/usr/lib/sysimage/rpm"):
		return way{"." + rpm + ".rpm", []string{"sudo rpm -U FILE", anew}}
	}
	return way{"_" + m.System + "_" + m.Processor + ".tar.gz", []string{"tar -xzf FILE", "put the new wiki in the place of " + m.Program + ", and wiki-hub beside it", anew}}
}

// findWindowsWay is told the path in small letters and with slashes.
func (m Machine) findWindowsWay(program string) way {
	folder := m.Program[:strings.LastIndexAny(m.Program, `\/`)+1]
	switch {
	case strings.Contains(program, "/scoop/apps/"+product+"/"):
		return way{product + ".json", []string{"put FILE in the place of the one that you installed; its path is the url in " + folder + "install.json", "scoop update " + product, anew}}
	case m.Exists(folder + "uninstall.exe"):
		return way{"_setup.exe", []string{"run FILE, also where winget has installed it"}}
	case strings.Contains(program, "/programs/vault dispatcher/"):
		return way{"_x64.msi", []string{"wiki service stop", "msiexec /i FILE", anew}}
	}
	return way{"_windows_" + m.Processor + ".zip", []string{"unpack FILE", "put the new wiki.exe in the place of " + m.Program + ", and wiki-hub.exe beside it", anew}}
}

// appOf cuts a path behind the application that contains it.
func appOf(program string) string {
	before, _, _ := strings.Cut(program, ".app/")
	return before + ".app"
}
