package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"vaultdispatcher/engine/patience"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain makes the test binary the programs of the scripts: wiki itself, and
// an agent that does as its arguments say.
func TestMain(m *testing.M) {
	// A script waits more than it works; -parallel on the command line still wins.
	if err := flag.Set("test.parallel", "16"); err != nil {
		panic(err)
	}
	testscript.Main(m, map[string]func(){
		"wiki":       runPatiently,
		"fake-agent": fakeAgent,
		"claude":     fakeClaude,

		"fake-ollama": fakeOllama,
		"fake-model":  fakeModel,
		"fake-acp":    fakeACP,

		"systemctl": noManager,
	})
}

// runPatiently is the program of a script: it does not take a machine that stands still for an engine or a disk that
// does not answer, unless the script sets IMPATIENT.
func runPatiently() {
	if os.Getenv("IMPATIENT") == "" {
		patience.Raise(time.Minute)
	}
	main()
}

// TestScripts runs the product as its user does: the real binary, real files, a
// real port. Every script has its own home, state, cache and port.
func TestScripts(t *testing.T) {
	folder, files := "testdata/script", []string(nil)
	if isRacing && testing.Short() { // each call of the program starts it with the detector, which takes longest
		folder = ""
		for _, name := range []string{"one_marker", "ask", "burst", "chain", "edit_while_running", "config_changed", "watcher_stop", "rename", "undo"} {
			files = append(files, filepath.Join("testdata", "script", name+".txtar"))
		}
	}
	testscript.Run(t, testscript.Params{
		Dir:                 folder,
		Files:               files,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup:               setup,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"expand":     expand,
			"ready":      ready,
			"answered":   answered,
			"queue":      queue,
			"embedded":   embedded,
			"embedfails": embedFails,
			"refuses":    refuses,
			"write":      write,
			"append":     appendTo,
			"replace":    replace,
			"same":       same,
			"once":       once,
			"post":       post,
			"bearer":     bearer,
			"visit":      visit,
			"page":       lookAt,
			"press":      press,
			"lines":      lines,
			"waitlines":  waitLines,
			"dispatch":   dispatchID,
			"dispatchof": dispatchOf,
			"seen":       seen,
			"displaced":  displaced,
			"nokept":     noneKept,
			"notice":     notice,
			"untaken":    awaitUntaken,
			"toldsoon":   toldSoon,
			"vaults":     vaultKnown,
			"dispatchat": dispatchAt,
			"occupy":     occupy,
			"waitfile":   waitFile,
			"dispatches": dispatchCount,
			"nochild":    noProcess,
			"exits":      exits,
			"objects":    objects,
			"hostile":    hostile,
			"tame":       tame,
			"aged":       aged,
			"crash":      crash,
			"killkeeper": killKeeper,
			"samepid":    samePID,
		},
	})
}

// setup gives a script its own world.
func setup(env *testscript.Env) error {
	port, err := freePort()
	if err != nil {
		return err
	}
	embedder, err := freePort()
	if err != nil {
		return err
	}
	env.Setenv("EMBEDDER", fmt.Sprintf("127.0.0.1:%d", embedder))
	home := filepath.Join(env.WorkDir, "home")
	env.Setenv("HOME", home)
	env.Setenv("USERPROFILE", home)
	env.Setenv("LOCALAPPDATA", filepath.Join(home, "local"))
	env.Setenv("XDG_CONFIG_HOME", filepath.Join(home, "config"))
	env.Setenv("XDG_STATE_HOME", filepath.Join(home, "state"))
	env.Setenv("XDG_CACHE_HOME", filepath.Join(home, "cache"))
	env.Setenv("WIKI_HTTPPORT", fmt.Sprint(port))
	env.Setenv("WIKI_DEBOUNCE", "100ms")
	env.Setenv("WIKI_SETTLE", "0")
	env.Setenv("WIKI_LIMITS_BURST", "0")      // a script is faster than a person
	env.Setenv("GORACE", "atexit_sleep_ms=0") // or each program waits a second when it ends
	env.Setenv("NO_COLOR", "1")
	if name, err := os.Hostname(); err == nil {
		env.Setenv("MACHINE", name)
	}
	env.Setenv("LOG", filepath.Join(env.WorkDir, "agent.log"))
	env.Defer(func() { endService(env) })
	for _, dir := range []string{"home", "vault"} {
		if err := os.MkdirAll(filepath.Join(env.WorkDir, dir), 0o755); err != nil {
			return err
		}
	}
	return nil
}

// given holds the ports that a script has, also while its engine is away.
var given sync.Map

// freePort returns a port that nobody listens on, that no other script has, and that
// the system gives to nobody by itself. One from the ephemeral range would be lost to
// any connection that somebody opens while a script's engine is away, and for a minute
// after.
func freePort() (int, error) {
	const lowest, highest = 12_000, 32_000 // Linux gives from 32768, macOS and Windows from 49152
	var err error
	for range 100 {
		port := lowest + rand.IntN(highest-lowest)
		if _, taken := given.LoadOrStore(port, true); taken {
			continue
		}
		var ln net.Listener
		if ln, err = net.Listen("tcp4", fmt.Sprintf("127.0.0.1:%d", port)); err == nil {
			return port, ln.Close()
		}
	}
	return 0, err
}

// fakeAgent is the agent of the scripts. It logs each run to $LOG and then does
// what its first argument says.
func fakeAgent() {
	prompt := make([]byte, 0, 1<<16)
	for buf := make([]byte, 1<<16); ; {
		n, err := os.Stdin.Read(buf)
		if prompt = append(prompt, buf[:n]...); err != nil {
			break
		}
	}
	logged(fmt.Sprintf("run %s\n", strings.Join(os.Args[1:], " ")))
	if err := os.WriteFile(os.Getenv("LOG")+".prompt", prompt, 0o600); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	switch mode := os.Args[1]; mode {
	case "say":
		fmt.Print(os.Args[2])
	case "later":
		fmt.Print("yes")
	case "echo":
		echo(string(prompt))
	case "each": // one answer per request, as JSON
		fmt.Print(responses(strings.Count(string(prompt), "\nRequest "), 0))
	case "short": // one answer too few, and again after the repair
		fmt.Print(responses(strings.Count(string(prompt), "\nRequest "), -1))
	case "long":
		fmt.Print(responses(strings.Count(string(prompt), "\nRequest "), 1))
	case "broken":
		fmt.Print(`Certainly! {"responses":[{"request":1,"answer":"cut o`)
	case "repaired": // broken at first, right when asked again
		repaired(string(prompt))
	case "fail":
		fmt.Fprintln(os.Stderr, "first line")
		fmt.Fprintln(os.Stderr, "the model is on holiday")
		os.Exit(3)
	case "hang":
		hang()
	case "stay":
		stay()
	case "ansi":
		fmt.Print("\x1b[1;32mgreen\x1b[0m \x1b]8;;https://example.com\x07link\x1b]8;;\x07\x1b[K done\n")
	case "flood":
		for line := strings.Repeat("x", 1<<20) + "\n"; ; {
			if _, err := os.Stdout.WriteString(line); err != nil {
				return
			}
			if logged("flood\n") >= 50 {
				return
			}
		}
	case "paragraph": // repeats what it was shown when the file appears
		await(os.Args[2])
		for _, word := range []string{"alpha", "beta"} {
			if strings.Contains(string(prompt), "\n"+word+"\n") {
				fmt.Print(word)
			}
		}
	case "file": // says what the file holds
		said, _ := os.ReadFile(os.Args[2])
		os.Stdout.Write(said)
	case "wait": // answers when the file appears
		await(os.Args[2])
		fmt.Print(os.Args[3])
	}
}

// await returns when the file exists, and ends the agent when its folder is gone:
// the script is over.
func await(file string) {
	for ; ; time.Sleep(20 * time.Millisecond) {
		if _, err := os.Stat(file); err == nil {
			return
		}
		if _, err := os.Stat(filepath.Dir(file)); err != nil {
			os.Exit(1)
		}
	}
}

// logged appends to $LOG and returns how many lines of that text it holds.
func logged(line string) int {
	f, err := os.OpenFile(os.Getenv("LOG"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	defer f.Close()
	fmt.Fprint(f, line)
	data, _ := os.ReadFile(os.Getenv("LOG"))
	return strings.Count(string(data), line)
}

// responses is the reply to n requests, with more or fewer answers than asked.
func responses(n, more int) string {
	if n < 1 {
		n = 1
	}
	var list []string
	for i := range n + more {
		list = append(list, fmt.Sprintf(`{"request":%d,"answer":"answer %d"}`, i+1, i+1))
	}
	return `{"responses":[` + strings.Join(list, ",") + `]}`
}

func repaired(prompt string) {
	if logged("mended\n") == 1 {
		fmt.Print("no JSON today")
		return
	}
	fmt.Print(responses(3, 0))
}

// hang ignores a polite end, as some agents do, and has a child that does the
// same and would outlive it.
func hang() {
	child := exec.Command("fake-agent", "stay")
	if err := child.Start(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	stay()
}

// stay logs the process and keeps it there, until the script is over.
func stay() {
	signal.Ignore(syscall.SIGTERM)
	logged(fmt.Sprintf("pid %s %d\n", os.Args[1], os.Getpid()))
	await(os.Getenv("LOG") + ".never")
}
