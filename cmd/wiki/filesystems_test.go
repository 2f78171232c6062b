//go:build filesystems && linux

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestFilesystems runs the whole engine on a mounted folder while notes are
// written from the other side of the mount, which no notification tells of. The
// scripts see $OTHER, the real folder, and $VAULT, where it is mounted.
// .ci/filesystems prepares the mounts and says how by the environment:
//
//	WIKI_BED_MOUNT    shell command that mounts $OTHER at $VAULT
//	WIKI_BED_NAME     how status has to call the file system
//	WIKI_BED_PROGRAM  the wiki under test
//
// They are needed; without them the test fails.
func TestFilesystems(t *testing.T) {
	bed := make(map[string]string)
	for _, name := range []string{"MOUNT", "NAME", "PROGRAM"} {
		if bed[name] = os.Getenv("WIKI_BED_" + name); bed[name] == "" {
			t.Fatalf("WIKI_BED_%s is not set; .ci/filesystems does that", name)
		}
	}
	for name := range bed { // the program would take them for settings
		os.Unsetenv("WIKI_BED_" + name)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/filesystems",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("MOUNT", bed["MOUNT"])
			env.Setenv("NAME", bed["NAME"])
			env.Setenv("PATH", filepath.Dir(bed["PROGRAM"])+":"+env.Getenv("PATH"))
			for _, name := range []string{"GODEBUG", "GLIBC_TUNABLES"} { // what a guest must not use of the processor
				env.Setenv(name, os.Getenv(name))
			}
			env.Setenv("OTHER", filepath.Join(env.WorkDir, "other"))
			env.Setenv("VAULT", filepath.Join(env.WorkDir, "vault"))
			if err := os.MkdirAll(env.Getenv("OTHER"), 0o755); err != nil {
				return err
			}
			return setup(env)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"expand":    expand,
			"ready":     ready,
			"answered":  answered,
			"queue":     queue,
			"write":     write,
			"append":    appendTo,
			"replace":   replace,
			"same":      same,
			"once":      once,
			"lines":     lines,
			"waitlines": waitLines,
			"mount":     mount,
			"unmount":   unmount,
			"vault":     waitForVault,
		},
	})
}

// mount shows $OTHER at $VAULT.
func mount(ts *testscript.TestScript, _ bool, _ []string) {
	at := ts.Getenv("VAULT")
	before := device(ts, at)
	log, err := os.Create(ts.MkAbs("mount.log")) // a file: whoever serves the mount stays, and would keep a pipe open
	ts.Check(err)
	defer log.Close()
	cmd := exec.Command("sh", "-c", ts.Getenv("MOUNT"))
	cmd.Stdout, cmd.Stderr = log, log
	cmd.Env = append(os.Environ(), "OTHER="+ts.Getenv("OTHER"), "VAULT="+at)
	if err := cmd.Run(); err != nil {
		ts.Fatalf("mounting: %v\n%s", err, ts.ReadFile("mount.log"))
	}
	ts.Defer(func() { syscall.Unmount(at, syscall.MNT_DETACH) }) // an error: the script has unmounted it
	eventually(ts, "mounted", func() bool { return device(ts, at) != before })
}

// unmount takes the mount away, whoever is using it, as a lost network or a
// pulled plug would.
func unmount(ts *testscript.TestScript, _ bool, _ []string) {
	ts.Check(os.NewSyscallError("unmount", syscall.Unmount(ts.Getenv("VAULT"), syscall.MNT_DETACH)))
}

func device(ts *testscript.TestScript, path string) uint64 {
	var st syscall.Stat_t
	ts.Check(os.NewSyscallError("stat", syscall.Stat(path, &st)))
	return uint64(st.Dev)
}

// vault STATE [WATCH REASON] waits until the only vault is in that state, and
// then checks its source and that the reason holds a text.
func waitForVault(ts *testscript.TestScript, _ bool, args []string) {
	last := ""
	defer func() { ts.Logf("%s", last) }()
	eventually(ts, "vault "+strings.Join(args, " "), func() bool {
		s, err := engineStatus(ts)
		if err != nil || len(s.Vaults) != 1 {
			last = fmt.Sprint(err)
			return false
		}
		v := s.Vaults[0]
		last = fmt.Sprintf("%+v", v)
		if v.State != args[0] {
			return false
		}
		if len(args) == 3 && (v.Watch != args[1] || !strings.Contains(v.Reason, args[2])) {
			ts.Fatalf("want %s because of %q: %+v", args[1], args[2], v)
		}
		return true
	})
}
