package agent

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"vaultdispatcher/engine/files"
)

// passed are the variables a program inherits: where it lives, whose it is, how
// it speaks, where its own settings and the way to the network are. Everything
// else, keys of other services above all, it gets only when the configuration
// names it.
var passed = []string{
	"PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TERM", "TMPDIR", "TEMP", "TMP",
	"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR",
	"HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR",
	"SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "OS", "PROCESSOR_ARCHITECTURE", "NUMBER_OF_PROCESSORS",
	"USERPROFILE", "USERNAME", "USERDOMAIN", "HOMEDRIVE", "HOMEPATH", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA",
	"PROGRAMFILES", "PROGRAMFILES(X86)", "COMMONPROGRAMFILES",
}

// quiet makes git fail with a message instead of asking for a password in a prompt that no person sees
// (https://git-scm.com/docs/git#Documentation/git.txt-GITTERMINALPROMPT); on Windows git would wait for the answer.
// ssh has no such variable: GIT_SSH_COMMAND would replace the command and the keys that a person has configured for
// git (https://git-scm.com/docs/git-config#Documentation/git-config.txt-coresshCommand). On Unix ssh needs none: it
// fails without a terminal.
const quiet = "GIT_TERMINAL_PROMPT=0"

// Environ returns what a program is told of its tasks in variables, as far as that is the
// same for all, and the variables that the configuration adds, which win.
func Environ(extra map[string]string, tasks ...Task) map[string]string {
	env := make(map[string]string)
	for i, t := range tasks {
		for name, value := range map[string]string{"WIKI_ROLE": t.Role, "WIKI_TASK_ID": t.TaskID, "WIKI_AGENT": t.Agent,
			"WIKI_CONTEXT": t.Context, "WIKI_NOTE": t.Note, "WIKI_VAULT": t.Root, "WIKI_DISPATCH": t.ID} {
			if i == 0 {
				env[name] = value
			} else if env[name] != value {
				delete(env, name)
			}
		}
	}
	maps.Copy(env, extra)
	return env
}

// buildEnvironment filters the variables of this process and puts the configured
// ones behind them, where the last value of a name wins. The result is never
// nil, which would mean the whole environment.
func buildEnvironment(own []string, extra map[string]string) []string {
	env := []string{quiet}
	for _, entry := range own {
		name, _, ok := strings.Cut(entry, "=")
		name = strings.ToUpper(name)
		if ok && (slices.Contains(passed, name) || strings.HasPrefix(name, "LC_")) {
			env = append(env, entry)
		}
	}
	for name, value := range extra {
		env = slices.DeleteFunc(env, func(entry string) bool { return isVariable(entry, name) })
		env = append(env, name+"="+value)
	}
	return env
}

// lookUpVariable returns the value a program will see.
func lookUpVariable(env []string, name string) string {
	for _, entry := range slices.Backward(env) {
		if isVariable(entry, name) {
			return entry[len(name)+1:]
		}
	}
	return ""
}

func isVariable(entry, name string) bool {
	key, _, ok := strings.Cut(entry, "=")
	if runtime.GOOS == "windows" {
		return ok && strings.EqualFold(key, name)
	}
	return ok && key == name
}

// lookPath finds a program in the PATH of env. It differs from [exec.LookPath]
// in whose PATH it reads, and in that it looks neither in relative entries nor
// inside the vault: a file that came with a note is never started. When the
// program is there and nowhere else the error is [exec.ErrDot].
func lookPath(program string, env []string, root string) (string, error) {
	if filepath.IsAbs(program) {
		path, err := exec.LookPath(program)
		if errors.Is(err, fs.ErrNotExist) {
			err = &exec.Error{Name: program, Err: exec.ErrNotFound}
		}
		return path, err
	}
	problem := exec.ErrNotFound
	for _, dir := range filepath.SplitList(lookUpVariable(env, "PATH")) {
		refused := !filepath.IsAbs(dir)
		if refused {
			dir = filepath.Join(root, dir)
		}
		path, err := exec.LookPath(filepath.Join(dir, program))
		switch {
		case err != nil && !errors.Is(err, exec.ErrDot):
		case refused || isWithin(path, root):
			problem = exec.ErrDot
		default:
			return path, nil
		}
	}
	return "", &exec.Error{Name: program, Err: problem}
}

// isWithin reports whether path is root or below it, symbolic links followed.
func isWithin(path, root string) bool {
	if root == "" {
		return false
	}
	for _, pair := range [][2]string{{path, root}, {files.FollowLinks(filepath.Dir(path)), files.FollowLinks(root)}} {
		rel, err := filepath.Rel(pair[1], pair[0])
		if err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
			return true
		}
	}
	return false
}

// expandArguments replaces the fields of a template, once: what a note put into a field
// is never read as a template. A field at the head of an argument may not turn
// it into an option; a note's path is told apart by "./", anything else is
// refused.
func expandArguments(template []string, t Task) ([]string, error) {
	noteArg := t.Note
	if strings.HasPrefix(noteArg, "-") {
		noteArg = "./" + noteArg
	}
	fields := strings.NewReplacer("{role}", t.Role, "{task_id}", t.TaskID, "{note}", noteArg,
		"{vault}", t.Root, "{agent}", t.Agent)
	args := make([]string, len(template))
	for i, arg := range template {
		args[i] = fields.Replace(arg)
		if strings.HasPrefix(args[i], "-") && !strings.HasPrefix(arg, "-") {
			return nil, fmt.Errorf("the argument %q became %q, which reads as an option", arg, args[i])
		}
	}
	return args, nil
}
