package agent

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"vaultdispatcher/engine/agent/endings"
	"vaultdispatcher/engine/agent/printed"
	"vaultdispatcher/engine/agent/replies"
)

// Command is the [Runner] for any program. The prompt is the program's standard input, the vault is its working
// directory, and no shell is involved.
//
// The run succeeds when the program exits with status 0 and prints an answer: plain output has no other end. So an agent program that
// is known is asked for a [replies.Seal]. Output that consists of error lines is no answer.
// Launch errors, timeouts, other exit statuses and signals are Transient failures; an empty answer, too much output,
// output without the answer's JSON path and a command that cannot work are Permanent ones.
//
// [Program] runs and ends the process.
type Command struct {
	// Argv is the program and its arguments. The program is a bare name, looked up as [Find] does, or an absolute
	// path. The task's values replace {role}, {task_id}, {note}, {vault} and {agent} in the arguments; one argument
	// remains one argument.
	Argv []string

	// Answer says where the answer is: "stdout" (or nothing) for all of the
	// output, or a path into JSON output such as .result or .items[0].text.
	// When the output is several JSON values, the last that has the path counts.
	// A value that is no string is taken as its JSON text.
	Answer string

	Timeout time.Duration     // of one run; 10 minutes when not positive
	Env     map[string]string // added to the environment, which is otherwise an allow-list
	Limit   int64             // bytes of output; 8 MiB when not positive
}

var _ Runner = Command{}

// Validate reports why the command could never run: an empty or relative
// program, a malformed answer path, an impossible variable.
func (c Command) Validate() error {
	if len(c.Argv) == 0 || c.Argv[0] == "" {
		return errors.New("the command names no program")
	}
	if program := c.Argv[0]; !filepath.IsAbs(program) && program != filepath.Base(program) {
		return fmt.Errorf("the program %q is neither a bare name nor an absolute path", program)
	}
	for key := range c.Env {
		if key == "" || strings.ContainsAny(key, "=\x00") {
			return fmt.Errorf("%q cannot be the name of an environment variable", key)
		}
	}
	if c.isStructured() {
		if _, err := printed.ParsePath(c.Answer); err != nil {
			return err
		}
	}
	return nil
}

func (c Command) isStructured() bool { return c.Answer != "" && c.Answer != "stdout" }

// programName is what the program is called in sentences.
func (c Command) programName() string { return filepath.Base(c.Argv[0]) }

// Run sends the task's text to the program and waits for its answer.
func (c Command) Run(ctx context.Context, task Task) (Reply, error) {
	if err := ctx.Err(); err != nil {
		return Reply{}, err
	}
	if err := c.Validate(); err != nil {
		return Reply{}, &Failure{Kind: Permanent, Reason: err.Error(), Cause: err}
	}
	args, err := expandArguments(c.Argv[1:], task)
	if err != nil {
		return Reply{}, &Failure{Kind: Permanent, Reason: err.Error(), Cause: err}
	}
	seal := replies.Seal("")
	if c.known() != "" {
		seal = NewSeal(task)
	}
	program := Program{Path: c.Argv[0], Args: args, Dir: task.Root, Env: Environ(c.Env, task),
		Input: seal.Ask(task.Prompt()), Timeout: c.Timeout, Limit: c.Limit}
	ended, err := program.Run(ctx)
	switch {
	case err != nil:
		return Reply{}, err
	case ended.Status != 0:
		return Reply{}, c.exitFailure(ended)
	}
	return c.readAnswer(ended, seal)
}

// Reserve says that nothing holds the program to the vault.
func (c Command) Reserve() string { return "nothing holds it to the vault, or to reading" }

// known is whose words the program has: see [endings.ProgramIn].
func (c Command) known() string { return endings.ProgramIn(c.Argv) }

// readAnswer takes the answer out of a successful program's output.
func (c Command) readAnswer(ended Ended, seal replies.Seal) (Reply, error) {
	text := printed.Plain(string(ended.Output))
	if c.isStructured() {
		said := text
		path, err := printed.ParsePath(c.Answer)
		if err == nil {
			text, err = path.LastValue(ended.Output)
		}
		if refused := c.refuse(said); err != nil && refused != nil && (endings.IsComplaint(said) || printed.HasNoJSON(ended.Output)) {
			return Reply{}, refused
		} else if err != nil {
			return Reply{}, &Failure{Kind: Permanent, Cause: err, Cut: keepCut(string(ended.Output)),
				Reason: fmt.Sprintf("the output of %s %s", c.programName(), err)}
		}
		text = printed.Plain(text)
	}
	if strings.TrimSpace(text) == "" { // some say on standard error alone why they end well without an answer
		if err := c.refuse(printed.Plain(string(ended.Errors))); err != nil {
			return Reply{}, err
		}
	}
	return Judge(Completion{Speaker: c.speaker(), Program: c.known(), Seal: seal, Text: text, End: endings.Good})
}

func (c Command) speaker() Speaker {
	return Speaker{Name: c.programName(), LogIn: "run it once by itself and log in"}
}

// refuse explains what a program has said in place of an answer; nil where that says nothing.
func (c Command) refuse(said string) error {
	refusal, isKnown := endings.FindRefusal(c.known(), said)
	if !isKnown || c.known() == "" && !endings.IsComplaint(said) {
		return nil
	}
	refusal.Expiry = endings.ReadReset(c.known(), said, time.Now())
	_, err := Judge(Completion{Refusal: &refusal, Speaker: c.speaker()})
	return err
}

// exitFailure describes an exit other than 0. Some programs explain themselves
// on standard output; that is used when standard error stayed silent.
func (c Command) exitFailure(ended Ended) error {
	said := printed.Plain(string(ended.Output))
	if !endings.IsComplaint(said) { // it may be the beginning of an answer that speaks of such things
		said = ended.Detail()
	}
	for _, said := range []string{printed.Plain(string(ended.Errors)), said} {
		if err := c.refuse(said); err != nil {
			return err
		}
	}
	return &Failure{Kind: Transient, Detail: ended.Detail(),
		Reason: fmt.Sprintf("%s ended with status %d", c.programName(), ended.Status)}
}

func bytesText(n int64) string {
	switch {
	case n >= 1<<20 && n%(1<<20) == 0:
		return fmt.Sprintf("%d MiB", n>>20)
	case n >= 1<<10 && n%(1<<10) == 0:
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return fmt.Sprintf("%d bytes", n)
}
