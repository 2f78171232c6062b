package cli

import (
	"os"
	"path/filepath"
	"runtime"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/agent/replies"
)

// A preset is what was measured of one program. The order of its arguments is the order of the fields: args, quiet or
// aloud, tools, model, schema, session, last.
type preset struct {
	program string

	args   []string
	quiet  []string // arguments of a run without a listener
	aloud  []string // those of one that tells of its answer while it makes it
	env    map[string]string
	tools  map[string]toolset
	model  string   // the option before the model's name
	fresh  []string // arguments of a run that forks no session
	suffix []string

	// settings is a file of the program in the folder it works in, where that is
	// never the vault.
	settings string

	// include is the option that names the vault to a program that must not work
	// in it, because it would believe its settings.
	include string

	// distrust are the options that take back the trust that its user has given to
	// the folder of the vault, where it works in that.
	distrust func(root string) []string

	// silence switches off what its user has added for themselves and it would start beside its
	// agent; nil = args do.
	silence func(call *agent.Program) error

	// believes are the files and folders of a vault by which it is configured, code
	// that it runs among them, and which it cannot be told to leave alone.
	believes []string

	// confine keeps an agent that reads from what the vault hides, by the program's own
	// settings. With byName the program follows links, and is told each by its name.
	confine func(call *agent.Program, v view, scratch string) error
	byName  bool

	// desk has a program that reads ask the engine's desk as well; nil = it cannot.
	desk func(call *agent.Program, d agent.Desk, scratch string) error

	// mentions is whether it puts the files that a prompt names behind an @ into it,
	// whatever its rules say of them.
	mentions bool

	// reserve is one sentence on what a role that reads cannot do, or can beyond the
	// vault; "" = the program keeps to the rule.
	reserve string

	schema schema
	fork   func(session string) []string // nil: the program cannot fork a session
	seed   bool                          // the project history is given as a session

	read func(out []byte) outcome // reads the program's output

	// hear is what a line tells of an answer that is still being made; nil: the program tells
	// of its messages when they are whole, or cannot be listened to without reading it otherwise.
	hear func(line []byte) speech

	// skips reports whether a line says nothing of the end, where nobody listens; nil: all are kept.
	skips func(line []byte) bool

	// unreached returns what a line that it prints while it runs, on standard output or else among its errors, says of a server that
	// was not reached, "" = nothing; nil: it gives up by itself in time.
	unreached func(line []byte, isError bool) string

	status map[int]int // of HTTP that an exit status alone means

	// seals is whether its end may be lost although its answer is whole; then seal, which is drawn for each run, tells.
	seals bool
	seal  replies.Seal
}

// toolset is what makes a program offer its agent the tools of a role.
type toolset struct {
	args []string
	env  map[string]string
	file string // text of the file that settings names; "" = none
}

// schema is the option that holds a program to a JSON schema.
type schema struct {
	flag string // "" = it has none
	file bool   // the schema is read from a file
}

// args returns the option for [replies.Schema]. A schema that is an argument
// cannot be handed to a batch file on Windows; there the prompt has to do.
func (s schema) args(call agent.Program, scratch string) ([]string, error) {
	switch {
	case s.flag == "":
		return nil, nil
	case s.file:
		path := filepath.Join(scratch, "schema.json")
		return []string{s.flag, path}, os.WriteFile(path, []byte(replies.Schema), 0o600)
	case runtime.GOOS == "windows" && call.IsBatch():
		return nil, nil
	}
	return []string{s.flag, replies.Schema}, nil
}
