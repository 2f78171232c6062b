package service

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// unitText is the systemd user unit. kardianos' own would wait two minutes before
// a restart and be wanted by a target no user manager has
// (https://github.com/kardianos/service/blob/master/service_systemd_linux.go). What the engine writes has
// the modes it would have if the user had started it.
func unitText(s Spec, umask string) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("[Unit]")
	line("Description=%s", escapeSpecifiers(escapeBraces(s.Title)))
	line("StartLimitIntervalSec=60")
	line("StartLimitBurst=10")
	line("")
	line("[Service]")
	line("%s", execStart(s))
	for _, name := range slices.Sorted(maps.Keys(s.Env)) {
		line("Environment=%s", unitQuote(name+"="+s.Env[name]))
	}
	line("Restart=on-failure")
	line("RestartSec=2")
	if len(s.Final) > 0 {
		line("RestartPreventExitStatus=%s", joinNumbers(s.Final, " "))
	}
	line("TimeoutStopSec=30") // the engine gives agents five seconds, and ends in order
	if umask != "" {
		line("UMask=%s", umask)
	}
	line("")
	line("[Install]")
	line("WantedBy=default.target")
	return b.String()
}

// execStart is the line that starts the engine. A dollar sign begins a variable in
// arguments, but not in the name of the program.
func execStart(s Spec) string {
	words := []string{unitQuote(s.Program)}
	for _, arg := range s.Args {
		words = append(words, unitQuote(strings.ReplaceAll(arg, "$", "$$")))
	}
	return "ExecStart=" + strings.Join(words, " ")
}

// unitQuote is one word of a unit file, whatever it holds.
func unitQuote(word string) string {
	escaped := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "{{", `\x7b\x7b`).Replace(word)
	return `"` + escapeSpecifiers(escaped) + `"`
}

// unitVariable reads a variable back that [unitText] has written.
func unitVariable(unit, name string) string {
	for line := range strings.Lines(unit) {
		word, ok := strings.CutPrefix(strings.TrimRight(line, "\n"), `Environment="`+name+"=")
		if word, closed := strings.CutSuffix(word, `"`); ok && closed {
			return strings.NewReplacer(`\\`, `\`, `\"`, `"`, `\x7b`, "{", "%%", "%").Replace(word)
		}
	}
	return ""
}

// escapeSpecifiers keeps a percent sign what it is.
func escapeSpecifiers(text string) string { return strings.ReplaceAll(text, "%", "%%") }

// escapeBraces keeps plain text from being taken for one of kardianos' templates.
func escapeBraces(text string) string { return strings.ReplaceAll(text, "{{", "{ {") }

func joinNumbers(list []int, separator string) string {
	words := make([]string, len(list))
	for i, n := range list {
		words[i] = strconv.Itoa(n)
	}
	return strings.Join(words, separator)
}
