package cli

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/agent/endings"
	"vaultdispatcher/engine/agent/printed"
)

// gemini is the Gemini command line, as of 0.61. It trusts no folder without
// being told to, and then believes that folder's settings; so the folder is never
// the vault, and the settings there are ours. Plan mode has no tool that writes.
// A vault that is read has its GEMINI.md read with it: that name cannot be taken
// off its list. (https://github.com/google-gemini/gemini-cli/blob/main/docs/cli/trusted-folders.md)
var gemini = preset{
	program: "gemini",
	args:    []string{"--skip-trust", "--approval-mode", "plan", "-o", "json", "-e", "none"},
	env: map[string]string{
		"GEMINI_CLI_TRUST_WORKSPACE": "true", // its settings there would not be read otherwise
		"GEMINI_CLI_NO_RELAUNCH":     "true", // one process, and a second sooner
	},
	tools: map[string]toolset{
		agent.ToolsNone: {file: `{"tools":{"core":["none"]},` + geminiQuiet + `}`},
		agent.ToolsRead: {file: `{"tools":{"core":["list_directory","read_file","glob"]},` + geminiQuiet + `}`},
	},
	settings:  geminiSettings,
	model:     "-m",
	include:   "--include-directories",
	confine:   confineGemini,
	desk:      geminiDesk,
	byName:    true,
	mentions:  true,
	reserve:   "it finds files by their names alone, because its search would look into hidden ones",
	read:      readGemini,
	status:    geminiExits,
	unreached: geminiUnreached,
}

// geminiSettings are above the user's.
const geminiSettings = ".gemini/settings.json"

// confineGemini allows the reading of files that the vault shows, by their whole path,
// and of no other: https://geminicli.com/docs/reference/policy-engine. Links that lead
// out it refuses itself. Its patterns for hidden files do not reach a folder that it
// does not work in, so there is no search in files. The rules are given twice, because
// it leaves those of the one kind aside on a machine that has some of its own. A rule that
// it finds unsafe is left aside too; so all is denied, and one rule allows what is shown.
func confineGemini(call *agent.Program, v view, scratch string) error {
	const slash = `[\\/]+`
	quote := strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace // for JSON and TOML alike
	inRule := func(path string) string {                       // as JSON has it, in a regular expression
		return strings.ReplaceAll(regexp.QuoteMeta(quote(filepath.ToSlash(path))), "/", slash)
	}
	var text strings.Builder
	add := func(decision string, priority int, arguments string) {
		fmt.Fprintf(&text, "[[rule]]\ntoolName = \"read_file\"\ndecision = %q\npriority = %d\nargsPattern = \"%s\"\n\n",
			decision, priority, quote(arguments))
	}
	add("deny", 900, "file_path")
	for _, root := range v.roots {
		shown := `\x00"file_path":"` + inRule(root) + slash + `(?!\.)(?![^"]*[\\/]\.)`
		for _, link := range v.links {
			shown += `(?![\\/]*` + inRule(link) + `["\\/])`
		}
		add("allow", 950, shown)
	}
	file := filepath.Join(scratch, "policy.toml")
	call.Args = append(call.Args, "--policy", file, "--admin-policy", file)
	return os.WriteFile(file, []byte(text.String()), 0o600)
}

// geminiQuiet takes the instructions of a vault, and servers of tools, away.
const geminiQuiet = `"context":{"fileName":["vault-dispatcher.none"]},"mcp":{"allowed":["none"]},"hooksConfig":{"enabled":false}`

// geminiExits: 41 is an error of the log-in (https://github.com/google-gemini/gemini-cli/blob/main/packages/core/src/utils/errors.ts).
var geminiExits = map[int]int{41: http.StatusUnauthorized}

// geminiResult is the one object of a run.
type geminiResult struct {
	Response *string
	Error    *struct {
		Message string
		Code    json.RawMessage
	}
	Stats struct {
		Models map[string]struct {
			Tokens struct{ Prompt, Candidates, Thoughts int64 }
		}
	}
}

// readGemini reads the result: on standard output when it has
// succeeded, on standard error when not. It has no word for a good end but the answer
// (https://geminicli.com/docs/cli/headless).
func readGemini(out []byte) outcome {
	var o outcome
	printed.EachObject(out, func(r geminiResult) {
		if r.Response == nil && r.Error == nil {
			return
		}
		o = outcome{}
		for model, s := range r.Stats.Models {
			o.usage = o.usage.Plus(agent.Usage{Model: model, Input: s.Tokens.Prompt, Output: s.Tokens.Candidates + s.Tokens.Thoughts})
		}
		if r.Error != nil {
			var status int
			_ = json.Unmarshal(r.Error.Code, &status)
			o.refuse(geminiStatus(status), r.Error.Message)
			return
		}
		o.text, o.final, o.end = *r.Response, true, endings.Good
	})
	return o
}

// geminiStatus is the status of HTTP behind a code of an error, which may be the status of its exit.
func geminiStatus(code int) int { return cmp.Or(geminiExits[code], code) }

// geminiUnreached: gemini 0.61 tries its server for minutes, and says so on standard error.
func geminiUnreached(line []byte, isError bool) string {
	if !isError || !bytes.HasPrefix(line, []byte("Attempt ")) {
		return ""
	}
	return ifUnreachable("gemini", string(line))
}
