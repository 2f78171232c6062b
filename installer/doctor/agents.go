package doctor

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/config/runners"
	"vaultdispatcher/engine/watch/disk"
)

// checkAgents looks with the eyes of the service where there is one: its PATH is
// not that of the shell.
func checkAgents(_ context.Context, l *look) (found []Finding) {
	if l.Problem != nil {
		return nil
	}
	for _, role := range l.Config.Roles() {
		a, _ := l.Config.Agent(role)
		program := a.Program()
		if program == "" {
			continue
		}
		found = append(found, checkAgent(role, program, a, l.serviceEnviron())...)
	}
	for _, a := range l.status.Agents {
		own, _ := l.Config.Agent(a.Role)
		if l.isRunning() && !a.Ready && own.Program() == "" && a.Runner != "broadcast" {
			found = append(found, Finding{Code: AgentBroken, Subject: a.Role, Detail: a.Detail})
		}
	}
	return found
}

func checkAgent(role, program string, a config.Agent, environ []string) []Finding {
	located, err := agent.Locate(program, environ, a.Env)
	missing, notFound := errors.AsType[*agent.NotFound](err)
	old, why := runners.WhyTooOld(a.Runner, runners.VersionOf(located.Path)), runners.WhyLoggedOut(program, a.Env)
	switch {
	case located.Path != "" && notFound:
		return []Finding{{Code: AgentNode, Subject: role, Detail: located.Path + " needs " + missing.Program}}
	case err != nil:
		return []Finding{{Code: AgentMissing, Subject: role, Detail: program}}
	case old != "":
		return []Finding{{Code: AgentOld, Subject: role, Detail: old}}
	case why != "":
		return []Finding{{Code: AgentLogin, Subject: role, Detail: filepath.Base(program) + " is " + why}}
	}
	detail := located.Path
	if located.Interpreter != "" {
		detail += " with " + located.Interpreter
	}
	found := []Finding{{Code: AgentGood, Subject: role, Detail: detail}}
	if better := runners.BetterThan(a.Runner, program); better != "" {
		found = append(found, Finding{Code: AgentPlain, Subject: role, Detail: better})
	}
	for _, file := range []string{located.Path, located.Interpreter} {
		if file == "" {
			continue
		}
		if err := disk.CheckOwner(file); err != nil {
			found = append(found, Finding{Code: AgentForeign, Subject: role, Detail: err.Error()})
		}
	}
	return found
}

// serviceEnviron is the environment of the engine as far as it is known here.
func (l *look) serviceEnviron() []string {
	if l.service.Path == "" {
		return l.Environ
	}
	env := slices.DeleteFunc(slices.Clone(l.Environ), func(v string) bool { return strings.HasPrefix(strings.ToUpper(v), "PATH=") })
	return append(env, "PATH="+l.service.Path)
}
