package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"vaultdispatcher/cmd/wiki/testdata/fakeagent/agent"
)

// fakeClaude is a program of that name that prints what the real one does: one
// object for the whole run, the answers to several requests apart, and a
// refusal with status 1.
func fakeClaude() {
	prompt, _ := io.ReadAll(os.Stdin)
	dir, _ := os.Getwd()
	if os.Getenv("LOG") != "" { // a role may be given no variable of the script
		agent.Logged(fmt.Sprintf("claude in %s\n", dir))
	}
	result := map[string]any{"type": "result", "subtype": "success", "is_error": false, "result": "the one answer"}
	status := 0
	switch {
	case strings.Contains(string(prompt), "log me out"):
		result["is_error"], result["result"] = true, "Not logged in · Please run /login"
		status = 1
	case slices.Contains(os.Args, "--json-schema"):
		result["structured_output"] = json.RawMessage(agent.Responses(strings.Count(string(prompt), "\nRequest "), 0))
	}
	_ = json.NewEncoder(os.Stdout).Encode(result)
	os.Exit(status)
}
