package main

import (
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"vaultdispatcher/cmd/wiki-hub/serve"
	"vaultdispatcher/cmd/wiki/testdata/fakeagent/agent"
	"vaultdispatcher/engine/patience"
	"vaultdispatcher/engine/testdata/testmain"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain makes the test binary the programs of the scripts: wiki itself, and
// an agent that does as its arguments say.
func TestMain(m *testing.M) {
	testscript.Main(withAgent{m}, map[string]func(){
		"wiki":       runPatiently,
		"wiki-hub":   serve.Main,
		"fake-agent": agent.Run,
		"claude":     fakeClaude,

		"fake-ollama": fakeOllama,
		"fake-model":  fakeModel,
		"fake-acp":    fakeACP,
		"fake-ntfy":   fakeNtfy,

		"systemctl": noManager,
	})
}

// withAgent runs the tests with the agent as a program of its own first on the PATH: it starts in a tenth of the time
// of this binary, which is the agent where Go is not at hand to build one, as in some beds.
type withAgent struct{ *testing.M }

// Run implements [testscript.TestingM].
func (m withAgent) Run() int {
	testmain.Parallel(16) // a script waits more than it works
	http.DefaultTransport = overheard{http.DefaultTransport}
	return testmain.InMemory(m.runWithAgent)
}

func (m withAgent) runWithAgent() int {
	dir, err := os.MkdirTemp("", "fake-agent")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "fake-agent")
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	build := exec.Command("go", "build", "-o", name, "./testdata/fakeagent")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if build.Run() == nil {
		_ = os.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH")) // a valid name
	}
	_ = os.Setenv("GOTMPDIR", dir) // testscript leaves its folder there when -run leaves a script out
	return m.M.Run()
}

// One script can be run alone, as the gate runs again what has failed.
func TestOneScriptAlone(t *testing.T) {
	alone := exec.Command(os.Args[0], "-test.run=^TestScripts$/^no_home$", "-test.short")
	alone.Env = append(os.Environ(), "TEST_MEMORY="+t.TempDir()) // where what is left behind is looked for
	if out, err := alone.CombinedOutput(); err != nil || !strings.Contains(string(out), "PASS") {
		t.Errorf("%v: %s", err, out)
	}
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
	// Short tests have the scripts of the main story. Each call of the program starts it with the race detector, which
	// takes longest, so there it is called seldom: in what others do, as asking, bursts, renames and undoing, the tests
	// of engine find races without a call.
	if testing.Short() {
		folder = ""
		names := []string{"one_marker", "chain", "edit_while_running", "config_changed", "watcher_stop"}
		if !isRacing {
			names = append(names[:3], "bytes_kept", "group_of_three", "editors", "kill_and_restart", "away_and_back", "ask_again",
				"port_taken", "no_home", "bad_configuration", "read_only", "unknown_role", "restart")
		}
		for _, name := range names {
			files = append(files, filepath.Join("testdata", "script", name+".txtar"))
		}
	}
	testscript.RunT(&guardedT{T: t}, testscript.Params{
		Dir:                 folder,
		Files:               files,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup:               setup,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"expand":         expand,
			"ready":          ready,
			"answered":       answered,
			"queue":          queue,
			"embedded":       embedded,
			"embedfails":     embedFails,
			"refuses":        refuses,
			"write":          write,
			"append":         appendTo,
			"replace":        replace,
			"same":           same,
			"once":           once,
			"post":           post,
			"bearer":         bearer,
			"visit":          visit,
			"page":           lookAt,
			"press":          press,
			"lines":          lines,
			"waitlines":      waitLines,
			"dispatch":       dispatchID,
			"dispatchof":     dispatchOf,
			"seen":           seen,
			"displaced":      displaced,
			"nokept":         noneKept,
			"notice":         notice,
			"untaken":        awaitUntaken,
			"toldsoon":       toldSoon,
			"vaults":         vaultKnown,
			"dispatchat":     dispatchAt,
			"occupy":         occupy,
			"waitfile":       waitFile,
			"dispatches":     dispatchCount,
			"nochild":        noProcess,
			"exits":          exits,
			"prints":         prints,
			"objects":        objects,
			"hostile":        hostile,
			"tame":           tame,
			"aged":           aged,
			"crash":          crash,
			"killsupervisor": killSupervisor,
			"samepid":        samePID,
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
	if w, ok := env.T().(*guardedT); ok {
		w.begin(env, port)
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

// given holds the ports that the scripts have, also while their engines are away.
var given sync.Map

// freePort returns a port that nobody listens on, that no other script has, and that
// the system gives to nobody by itself. One from the ephemeral range would be lost to
// any connection that somebody opens while a script's engine is away, and for a minute
// after. The port of UDP that has the same number stands for it, until this process ends,
// so that no other process of these tests takes it.
func freePort() (int, error) {
	const lowest, highest = 12_000, 32_000 // Linux gives from 32768, macOS and Windows from 49152
	var err error
	for range 100 {
		port := lowest + rand.IntN(highest-lowest)
		address := fmt.Sprintf("127.0.0.1:%d", port)
		var claim net.PacketConn
		if claim, err = net.ListenPacket("udp4", address); err != nil {
			continue
		}
		given.Store(port, claim)
		var ln net.Listener
		if ln, err = net.Listen("tcp4", address); err == nil {
			return port, ln.Close()
		}
	}
	return 0, err
}

// No two scripts have one port, be they of one process or of two.
func TestPortsAreClaimed(t *testing.T) {
	port, err := freePort()
	if err != nil {
		t.Fatal(err)
	}
	if again, err := net.ListenPacket("udp4", fmt.Sprintf("127.0.0.1:%d", port)); err == nil {
		again.Close()
		t.Errorf("port %d can be claimed again", port)
	}
}
