// Package sandbox has the kernel hold an agent program to the files that it needs: a scratch folder, the program's own
// files, a private copy of its settings and logins, the files of the system that every program reads, and the vault, to
// read alone, where its role reads. [Confine] changes a command so that it starts
// that way, [Supported] says whether this kernel can.
//
// # Promises
//
// On Linux it is Landlock (https://docs.kernel.org/userspace-api/landlock.html): the program, and every process that
// it starts, can open, run and write only the files on the list. The list cannot be made longer. The network is open,
// and so are sockets with a name among the files, such as that of the session bus: only the folder that they are in is not told.
//
// A program's changes to its settings end with the run. Only a renewed login is written back, and only its tokens and
// their times: other differences are dropped. A program cannot be kept from the tokens of its own login.
//
// A list that cannot be enforced ends the program before it begins. Without Landlock, and for a program that is not
// in the table of programs.go, Confine changes nothing and says so. Code that shows the reach of an agent calls
// [Knows] and [Supported]. The table has only what was measured. copilot is not in it: in our trials it ran only
// without its log-in, which it keeps in a keychain or takes from another program
// (https://docs.github.com/en/copilot/how-tos/copilot-cli/set-up-copilot-cli/authenticate-copilot-cli).
//
// A restriction lasts as long as the process that takes it on, so this program is started
// once more, restricts itself and becomes the agent. The init function below does that in
// every program that links this package; a test binary is one too.
package sandbox

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Supported returns nil where the kernel can confine a program, and else why not.
func Supported() error { return findSupport() }

// Hold is what a program is to be held to.
type Hold struct {
	Program string // as the table calls it
	Scratch string // the folder of the run, to write in, which has what the program keeps for the run
	Vault   string // of whose files it reaches none, unless it reads
	Reads   bool
}

// Confine has cmd start confined, as the table says of a program. Of cmd the path, the
// arguments, the folder and the variables are read. Temporary files go to the scratch folder, and so does the private copy of
// the program's own folders; of the vault a program that does not read reaches nothing but itself. The result is nil where
// the program is not held: it is not in the table, or the kernel has no Landlock. Its logins are waited for, which
// waited is told of each time.
func Confine(ctx context.Context, cmd *exec.Cmd, h Hold, waited func()) (*Held, error) {
	row, known := programs[h.Program]
	if !known || h.Reads && row.ownHold || Supported() != nil {
		return nil, nil
	}
	if !isBelow(lookUp(cmd.Env, "TMPDIR"), h.Scratch) {
		cmd.Env = append(cmd.Env, "TMPDIR="+h.Scratch)
	}
	if !slices.ContainsFunc(row.folders, func(f folder) bool { return f.tied != "" }) { // a keyring is asked by a socket
		cmd.Env = append(cmd.Env, "XDG_RUNTIME_DIR="+h.Scratch)
	}
	r := h.plan(cmd.Path, cmd.Env)
	held := &Held{}
	if err := held.copyFolders(ctx, row, cmd, h.Scratch, &r, waited); err != nil {
		held.Release()
		return nil, fmt.Errorf("copy what %s keeps for itself: %w", h.Program, err)
	}
	text, err := json.Marshal(r)
	if err != nil {
		held.Release()
		return nil, fmt.Errorf("write down what %s may reach: %w", h.Program, err)
	}
	if ctx.Err() != nil { // the caller no longer waits
		held.Release()
		_ = os.RemoveAll(filepath.Join(h.Scratch, ownFolder)) // the rest its caller removes
		return nil, ctx.Err()
	}
	cmd.Args = append([]string{stage, string(text), cmd.Path}, cmd.Args...)
	cmd.Path = self
	return held, nil
}

// stage is the name by which this program is started to restrict itself.
const stage = "vault-dispatcher-sandbox"

// self is this program, also after an update has replaced its file.
const self = "/proc/self/exe"

// failedStage is the status that a stage ends with when it cannot go on.
const failedStage = 126

func init() {
	if len(os.Args) < 4 || os.Args[0] != stage {
		return
	}
	err := becomeProgram(os.Args[1], os.Args[2], os.Args[3:])
	fmt.Fprintln(os.Stderr, "the sandbox could not be set up:", err)
	os.Exit(failedStage)
}

// becomeProgram takes the rules on and runs the program in the place of this one. It
// returns only when that fails.
func becomeProgram(text, path string, args []string) error {
	var r rules
	if err := json.NewDecoder(strings.NewReader(text)).Decode(&r); err != nil {
		return fmt.Errorf("read the rules: %w", err)
	}
	if err := r.enforce(); err != nil {
		return err
	}
	return replaceProcess(path, args)
}

// rules are the files that a program may reach. What is not there is passed over.
type rules struct {
	Read  []string // read and listed
	Run   []string // read, listed and run
	Write []string // read, listed, made, changed and removed
	Touch []string // read and written as they are: devices
}
