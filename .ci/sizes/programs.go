package main

import (
	"debug/elf"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// environment is what every run of the program gets.
func (b *bench) environment() []string {
	return append(os.Environ(), "HOME="+b.dir, "XDG_CONFIG_HOME="+b.dir+"/config", "XDG_STATE_HOME="+b.dir+"/state", "XDG_CACHE_HOME="+b.dir+"/cache")
}

// others are programs beside which a start is measured, where they are installed.
var others = [][]string{{"go", "version"}, {"gh", "--version"}, {"git", "--version"}}

// measureCommands starts what a note app or a person starts while the engine runs, beside programs of others.
func (b *bench) measureCommands() {
	peers := ""
	for _, args := range others {
		if _, err := exec.LookPath(args[0]); err == nil {
			took, _ := b.timeStarts(exec.Command(args[0], args[1:]...))
			peers += fmt.Sprintf("; %s %v", strings.Join(args, " "), took)
		}
	}
	note := b.noteName(b.pickNote())
	for _, args := range [][]string{{"notify", note}, {"status"}, {"why", note}} {
		cmd := exec.Command(b.wiki, append(args, "--config", b.configFile())...)
		took, used := b.timeStarts(cmd)
		row("wiki "+args[0], "p50 %v, %v of CPU, %d inits%s", took, used, b.countInits(cmd), peers)
	}
}

// timeStarts runs a command twenty times and returns the medians of its time and its CPU time.
func (b *bench) timeStarts(of *exec.Cmd) (took, used time.Duration) {
	var times, cpu []time.Duration
	for range 20 {
		cmd := &exec.Cmd{Path: of.Path, Args: of.Args, Env: b.environment()}
		begun := time.Now()
		out, err := cmd.Output()
		times = append(times, time.Since(begun))
		if err != nil {
			check(fmt.Errorf("%s: %w\n%s", of.Args, err, out))
		}
		cpu = append(cpu, cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime())
	}
	return median(times), median(cpu)
}

// countInits counts the packages that do something before main, as Go's runtime tells them: https://pkg.go.dev/runtime
func (b *bench) countInits(of *exec.Cmd) int {
	cmd := &exec.Cmd{Path: of.Path, Args: of.Args, Env: append(b.environment(), "GODEBUG=inittrace=1")}
	out, err := cmd.CombinedOutput()
	check(err)
	return strings.Count("\n"+string(out), "\ninit ")
}

// measureProgram says how large the program is. .ci/bench builds it as it is released.
func (b *bench) measureProgram() {
	info, err := os.Stat(b.wiki)
	check(err)
	with := "without the debugger's tables"
	file, err := elf.Open(b.wiki)
	check(err)
	defer file.Close()
	if file.Section(".symtab") != nil {
		with = "with the debugger's tables"
	}
	row("the engine's program", "%.1f MB %s", float64(info.Size())/1e6, with)
}

// measureFirstCommand runs what the README tells a stranger to run first, with nothing downloaded and nothing built before.
func (b *bench) measureFirstCommand() {
	modules, builds := filepath.Join(b.dir, "modules"), filepath.Join(b.dir, "builds")
	cmd := exec.Command("go", "run", "./cmd/wiki", "demo")
	cmd.Dir = "../.."
	check(errors.Join(os.Mkdir(modules, 0o755), os.Mkdir(builds, 0o755)))
	cmd.Env = append(b.environment(), "GOPATH="+filepath.Join(b.dir, "go"), "GOMODCACHE="+modules, "GOCACHE="+builds, "GOFLAGS=-modcacherw")
	begun := time.Now()
	out, err := cmd.CombinedOutput()
	took, downloaded, built := time.Since(begun), int64(0), int64(0)
	for _, size := range sizesBelow(modules) {
		downloaded += size
	}
	for _, size := range sizesBelow(builds) {
		built += size
	}
	check(errors.Join(os.RemoveAll(modules), os.RemoveAll(builds))) // a gigabyte, also where the command has failed
	if err != nil {
		check(fmt.Errorf("%w\n%s", err, out))
	}
	row("the README's first command", "%.0f s of CPU in %.0f s; modules %.0f MB, builds %.0f MB", (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds(),
		took.Seconds(), float64(downloaded)/1e6, float64(built)/1e6)
}

// measurePolling has the program poll the vault while nothing happens there.
func (b *bench) measurePolling(d time.Duration) {
	b.watch = "poll"
	e := b.start()
	var status struct {
		Vaults []struct{ State, FoundWithin string }
		Index  struct{ Pending int }
	}
	await("the vault to be watched", 10*time.Minute, func() bool {
		body, _ := e.status()
		check(json.Unmarshal(body, &status))
		return status.Vaults[0].State == "watching" && status.Vaults[0].FoundWithin != "" && status.Index.Pending == 0
	})
	time.Sleep(min(d, time.Minute)) // what follows the start is over
	used := e.cpu()
	time.Sleep(d)
	used = e.cpu() - used
	body, _ := e.status()
	check(json.Unmarshal(body, &status))
	row("polling", "%.2f %% of a core in %v in which nothing happens; status: a save is found within %s", 100*used.Seconds()/d.Seconds(), d, status.Vaults[0].FoundWithin)
	e.stop()
}
