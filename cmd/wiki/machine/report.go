package machine

import (
	"fmt"
	"io"

	"vaultdispatcher/cmd/wiki/printable"
	"vaultdispatcher/cmd/wiki/texts"
	"vaultdispatcher/installer"
	"vaultdispatcher/installer/doctor"
)

// printFindings prints what the doctor has found, a finding with its next step.
func printFindings(w io.Writer, found []texts.Finding) {
	for _, f := range found {
		mark := string(f.Level)
		switch {
		case f.Fixed:
			mark = "repaired"
		case f.CanFix:
			mark += "*"
		}
		mark = fmt.Sprintf("%-9s", mark)
		if colour := map[doctor.Level]int{doctor.Problem: printable.Red, doctor.Warning: printable.Yellow}[f.Level]; colour > 0 && !f.Fixed {
			mark = printable.Paint(w, colour, mark)
		}
		fmt.Fprint(w, mark, printable.Sprintf(" %s: %s\n", f.Check, f.Text))
		if f.Step != "" && !f.Fixed {
			printable.Fprintf(w, "%-9s   %s\n", "", f.Step)
		}
	}
}

// printService prints what is installed as the login service, and whether an engine runs.
func printService(w io.Writer, v installer.ServiceView) {
	starts := "starts when you log in"
	switch {
	case !v.AtLogin:
		starts = "does not start when you log in: that is switched off"
	case v.Kind == "scm":
		starts = "starts with Windows"
	}
	if !v.Installed {
		printable.Fprintf(w, "service not installed; it would be %s\n", texts.ServiceKind(v.Kind))
	} else {
		printable.Fprintf(w, "service installed as %s, %s\n", texts.ServiceKind(v.Kind), starts)
		printable.Fprintf(w, "entry   %s\n", v.File)
		printable.Fprintf(w, "state   %s\n", v.State)
		if !v.Current {
			printable.Fprintln(w, "note    it starts another program, or this one with other arguments; wiki service install updates it")
		}
	}
	if v.Kind == "autostart" {
		printable.Fprintln(w, "note    systemd does not answer here; it does not start in logins without a desktop")
	}
	switch {
	case v.Running:
		printable.Fprintf(w, "engine  running with pid %d on port %d\n", v.PID, v.Port)
	case v.Silent:
		printable.Fprintln(w, "engine  does not answer in time")
	default:
		printable.Fprintln(w, "engine  not running")
	}
}
