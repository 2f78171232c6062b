//go:build peers

package watchbench

import (
	"embed"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

//go:embed npm/package.json npm/package-lock.json npm/watch.js
var scripts embed.FS

// bench is one run.
type bench struct {
	sizes
	dir      string // everything of this run, removed at its end
	npm      string // where the watchers from npm are
	loopback string // the FUSE program
	table    table
	failed   map[string]error // of the others, why they are left out from then on
}

// present returns those watchers that have not failed yet.
func (b *bench) present(names ...string) []string {
	return slices.DeleteFunc(names, func(name string) bool { return b.failed[name] != nil })
}

// leaveOut goes on without a watcher of others that has failed, and reports whether it is one of theirs.
func (b *bench) leaveOut(name string, err error) bool {
	if isOurs(name) {
		return false
	}
	fmt.Fprintf(os.Stderr, "bench: %s is left out: %v\n", name, err)
	b.failed[name] = err
	return true
}

// sizes are what the long form does more of.
type sizes struct {
	big     int // notes of the big tree; 0 leaves it out
	starts  int // of each watcher on the small tree
	again   int // on the big tree
	rounds  int // of the folder oracles
	saves   int // for the delays
	flood   int // saves while stopped
	idle    time.Duration
	compare int           // full comparisons
	wait    time.Duration // for a save to be reported by the others, before it counts as lost
}

var (
	short = sizes{starts: 3, rounds: 20, saves: 16, flood: 12_000, idle: 5 * time.Second, compare: 4, wait: 3 * time.Second}
	long  = sizes{big: 100_000, starts: 3, again: 2, rounds: 100, saves: 60, flood: 30_000, idle: 30 * time.Second, compare: 15, wait: 15 * time.Second}
)

const small = 10_000 // notes of the small tree

var (
	asChild = flag.String("child", "", "be this `watcher`, on the folder that follows; used by the bench itself")
	much    = flag.Bool("long", false, "also 100,000 notes, and more rounds")
)

func TestMain(m *testing.M) {
	flag.Parse()
	if *asChild == "" {
		os.Exit(m.Run())
	}
	if err := runChild(*asChild, flag.Arg(0)); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// TestPeers measures the parts that -run names, or all.
func TestPeers(t *testing.T) {
	begun := time.Now()
	b := &bench{sizes: short, dir: t.TempDir(), failed: make(map[string]error),
		table: table{columns: []string{ours, oursPolling, bare, parcel, chokidar, chokidarPol, plainWalk}}}
	if *much {
		b.sizes = long
	}
	if err := b.prepareTools(); err != nil {
		t.Fatal(err)
	}
	for _, part := range []struct {
		name string
		do   func() error
	}{
		{"startup", b.measureStartup}, {"delays", b.measureDelays}, {"oracles", b.runOracles}, {"comparing", b.measureComparing}, {"polling", b.measurePolling},
	} {
		measured := t.Run(part.name, func(t *testing.T) {
			if err := part.do(); err != nil {
				t.Fatal(err)
			}
		})
		if !measured {
			return
		}
	}
	fmt.Print(&b.table)
	for name, err := range b.failed {
		fmt.Printf("\n%s failed and is left out: %v\n", name, err)
	}
	fmt.Printf("\n%d lost saves of ours in %.0f s\n", len(b.table.lost), time.Since(begun).Seconds())
	for _, l := range b.table.lost {
		t.Error(l)
	}
}

// prepareTools installs the watchers from npm and builds the FUSE program.
func (b *bench) prepareTools() error {
	if err := os.CopyFS(b.dir, scripts); err != nil {
		return err
	}
	b.npm, b.loopback = filepath.Join(b.dir, "npm"), filepath.Join(b.dir, "loopback")
	for _, cmd := range []*exec.Cmd{
		{Dir: b.npm, Args: []string{"npm", "ci", "--fetch-retries=5", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"}},
		{Args: []string{"go", "build", "-o", b.loopback, "vaultdispatcher/watchbench/loopback"}},
	} {
		var err error
		if cmd.Path, err = exec.LookPath(cmd.Args[0]); err != nil {
			return fmt.Errorf("the bench needs %s: %w", cmd.Args[0], err)
		}
		cmd.Env = append(os.Environ(), "npm_config_cache="+filepath.Join(b.dir, "npm-cache"))
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w\n%s", cmd.Args, err, out)
		}
	}
	return nil
}
