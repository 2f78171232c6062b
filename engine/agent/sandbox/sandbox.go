// Package sandbox has the kernel hold an agent program to the files that it needs for
// text: a scratch folder, the program's own files, its configuration, and the files of
// the system that every program reads. [Confine] changes a command so that it starts
// that way, [Supported] says whether this kernel can.
//
// # Promises
//
// On Linux it is Landlock (https://docs.kernel.org/userspace-api/landlock.html): what
// is not on the list cannot be opened, run or written by the program and by whatever it
// starts, and the list cannot be made longer. The network stays open, and so are sockets
// with a name among the files, such as that of the session bus.
//
// A list that cannot be put into force ends the program before it has begun. Where there is no Landlock, and for a
// program that is not in the table of programs.go, Confine changes nothing and says so; whoever shows what an agent
// reaches asks [Knows] and [Supported]. The table has only what was measured. copilot is not in it: it ran for us
// only without its log-in, which it keeps in a keychain or takes from another program
// (https://docs.github.com/en/copilot/how-tos/copilot-cli/set-up-copilot-cli/authenticate-copilot-cli).
//
// A restriction lasts as long as the process that takes it on, so this program is started
// once more, restricts itself and becomes the agent. The init function below does that in
// every program that links this package; a test binary is one too.
package sandbox

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// Supported returns nil where the kernel can confine a program, and else why not.
func Supported() error { return findSupport() }

// Confine has cmd start confined, as the table says of a program. Of cmd the path, the
// arguments, the folder and the variables are read. The scratch folder is the program's
// to write in, and what it has for temporary files; of the vault it reaches nothing but the program. What was done is told: false where
// the program is not in the table, or the kernel has no Landlock.
func Confine(cmd *exec.Cmd, program, scratch, vault string) (bool, error) {
	row, known := programs[program]
	if !known || Supported() != nil {
		return false, nil
	}
	if !isBelow(lookUp(cmd.Env, "TMPDIR"), scratch) {
		cmd.Env = append(cmd.Env, "TMPDIR="+scratch)
	}
	rules, err := json.Marshal(row.plan(cmd.Path, cmd.Env, scratch, vault))
	if err != nil {
		return false, fmt.Errorf("write down what %s may reach: %w", program, err)
	}
	cmd.Args = append([]string{stage, string(rules), cmd.Path}, cmd.Args...)
	cmd.Path = self
	return true, nil
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
