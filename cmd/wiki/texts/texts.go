// Package texts puts what other rooms found into words for people: the doctor's
// findings, refusals of setup, lines of the log. The commands, the wizard and the
// dashboard's page of setup share it, so that all three say the same.
//
//	for _, f := range texts.Findings(doctor.Run(ctx, subject)) {
//		fmt.Println(f.Text)
//	}
package texts

import (
	"vaultdispatcher/engine/syserr"
	"vaultdispatcher/engine/wording"
)

// OneLine is an error as one sentence: the first of several problems.
func OneLine(err error) string {
	return wording.FirstLine(syserr.Plain(err))
}

// ServiceKind names what supervises the engine.
func ServiceKind(kind string) string {
	switch kind {
	case "systemd":
		return "your systemd unit"
	case "autostart":
		return "an autostart entry of the desktop"
	case "launchd":
		return "your LaunchAgent"
	case "scm":
		return "a Windows service under your account"
	case "logon":
		return "a program that Windows starts when you log on"
	}
	return kind
}
