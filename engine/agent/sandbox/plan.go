package sandbox

import (
	"path/filepath"
	"slices"
	"strings"
)

// This file lists what a program may reach.

// The system's files that every program reads; of /etc only files that tell no more of a person than the user's name.
// /proc shows no memory and no variables of other processes: Landlock refuses that by itself.
var (
	systemRead = []string{"/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/libexec", "/usr/share", "/usr/local/lib", "/usr/local/share",
		"/lib", "/lib32", "/lib64", "/proc", "/sys", "/nix/store", "/gnu/store",
		"/etc/ssl", "/etc/pki", "/etc/ca-certificates", "/etc/ca-certificates.conf", "/etc/crypto-policies", "/etc/hosts", "/etc/host.conf", "/etc/resolv.conf",
		"/etc/nsswitch.conf", "/etc/gai.conf", "/etc/services", "/etc/protocols", "/etc/localtime", "/etc/timezone", "/etc/ld.so.cache", "/etc/ld.so.conf",
		"/etc/ld.so.conf.d", "/etc/ld.so.preload", "/etc/os-release", "/etc/lsb-release", "/etc/debian_version", "/etc/machine-id", "/etc/passwd", "/etc/group",
		"/run/systemd/resolve", "/run/resolvconf", "/run/NetworkManager"}
	systemRun   = []string{"/usr/bin/env", "/bin/env"}
	systemTouch = []string{"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty"}
	loaders     = []string{"/lib/ld-*", "/lib64/ld-*", "/lib/*/ld-*", "/usr/lib/ld-*", "/usr/lib64/ld-*", "/usr/lib/*/ld-*"}
)

// plan is what a program may reach that is started so. Its folders are not among it.
func (h Hold) plan(path string, env []string) rules {
	value := func(name string) string { return lookUp(env, name) }
	r := rules{Read: slices.Clone(systemRead), Run: slices.Clone(systemRun), Touch: slices.Clone(systemTouch), Write: []string{h.Scratch}}
	for _, pattern := range loaders {
		found, _ := filepath.Glob(pattern) // the pattern is a good one
		r.Run = append(r.Run, found...)
	}
	r.Run = append(r.Run, findOwnFiles(path, env, h.Vault)...)
	for _, name := range []string{"SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS"} {
		if file := value(name); filepath.IsAbs(file) {
			r.Read = append(r.Read, file)
		}
	}
	if dir := value("NODE_COMPILE_CACHE"); filepath.IsAbs(dir) {
		r.Write = append(r.Write, dir)
	}
	if h.Reads {
		r.Read = append(r.Read, h.Vault)
		for _, name := range programs[h.Program].helpers {
			if helper := findInPath(name, env); helper != "" && !isBelow(helper, h.Vault) {
				r.Run = append(r.Run, findOwnFiles(helper, env, h.Vault)...)
			}
		}
	}
	return r
}

// choosePlace is the first of the places whose variable is set.
func choosePlace(list []string, value func(string) string) string {
	for _, place := range list {
		name, rest, _ := strings.Cut(place, "/")
		if base := value(name); filepath.IsAbs(base) {
			return filepath.Join(base, filepath.FromSlash(rest))
		}
	}
	return ""
}

func lookUp(env []string, name string) string {
	for _, entry := range slices.Backward(env) {
		if value, ok := strings.CutPrefix(entry, name+"="); ok {
			return value
		}
	}
	return ""
}
