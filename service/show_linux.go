package service

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"

	"vaultdispatcher/engine/launch"
)

// shown are the properties of a unit as systemctl show prints them.
type shown map[string]string

// shownProperties are those that say how a unit fares.
const shownProperties = "ActiveState,SubState,Result,NRestarts,ExecMainStatus,UnitFileState"

func parseShown(text string) shown {
	props := make(shown)
	for line := range strings.Lines(text) {
		if key, value, ok := strings.Cut(strings.TrimRight(line, "\r\n"), "="); ok {
			props[key] = value
		}
	}
	return props
}

// isActive reports whether the manager runs the engine, or is about to.
func (p shown) isActive() bool {
	switch p["ActiveState"] {
	case "active", "activating", "reloading":
		return true
	}
	return false
}

// stateWords are the manager's own: "active (running)", "failed (exit-code, status 4)".
func (p shown) stateWords() string {
	detail := p["SubState"]
	if p["Result"] != "" && p["Result"] != "success" {
		detail = p["Result"]
		if p["ExecMainStatus"] != "" && p["ExecMainStatus"] != "0" {
			detail += ", status " + p["ExecMainStatus"]
		}
	}
	words := p["ActiveState"]
	if detail != "" {
		words += " (" + detail + ")"
	}
	if n := p["NRestarts"]; n != "" && n != "0" {
		words += ", restarts: " + n
	}
	return words
}

// runSystemctl asks the user's own service manager. An error has its words.
func runSystemctl(ctx context.Context, args ...string) (string, error) {
	return askProgram(ctx, "systemctl", append([]string{"--user", "--no-pager"}, args...)...)
}

// askProgram runs one of systemd's programs.
func askProgram(ctx context.Context, program string, args ...string) (string, error) {
	cmd := launch.Command(ctx, program, args...)
	var out, problem bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &problem
	err := cmd.Run()
	if _, ok := errors.AsType[*exec.ExitError](err); ok {
		return out.String(), fmt.Errorf("%s %s: %s", program, strings.Join(args, " "), strings.TrimSpace(problem.String()))
	}
	return out.String(), err
}
