package main

import (
	"context"
	"errors"
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"vaultdispatcher/cmd/wiki/desktop"
	"vaultdispatcher/cmd/wiki/report"
	"vaultdispatcher/cmd/wiki/texts"
	"vaultdispatcher/engine/wording"
	"vaultdispatcher/installer"
	"vaultdispatcher/installer/doctor"
)

// doctorCommand says what keeps the product from working here.
func (a *app) doctorCommand() *cobra.Command {
	var fix bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Diagnose problems and suggest fixes",
		Long: "Looks at the configuration, the vaults, the login service, the engine, the port, the\n" +
			"agent programs, the tray and the disk. Each finding is one sentence with one next step. No agent\n" +
			"is asked. Exit status 1 when something does not work; warnings alone are no failure.",
		Args: takesNone,
		RunE: func(cmd *cobra.Command, _ []string) error {
			found, problem, err := a.runDoctor(cmd.Context(), fix)
			if err != nil {
				return err
			}
			if err := a.show(found, func(w io.Writer) { report.PrintFindings(w, found) }); err != nil {
				return err
			}
			return errors.Join(problem, problemsLeft(found))
		},
	}
	cmd.Flags().BoolVar(&fix, "fix", false, "repair what can be repaired without losing anything")
	return cmd
}

// problemsLeft is the failure of a machine that has problems.
func problemsLeft(found []texts.Finding) error {
	problems, mendable := 0, false
	for _, f := range found {
		if f.Level == doctor.Problem && !f.Fixed {
			problems++
			mendable = mendable || f.CanFix
		}
	}
	if problems == 0 {
		return nil
	}
	hint := "follow the next steps above"
	if mendable {
		hint = "wiki doctor --fix repairs what is marked with *"
	}
	return fail(hint, "%s", wording.Count(problems, "problem"))
}

// runDoctor makes all checks, and repairs what it can if mend is true; repaired findings
// come first. problem says what could not be repaired.
func (a *app) runDoctor(ctx context.Context, mend bool) (found []texts.Finding, problem, err error) {
	subject, err := a.doctorSubject(ctx)
	if err != nil {
		return nil, nil, err
	}
	findings := doctor.Run(ctx, subject)
	if !mend {
		return texts.Findings(findings), nil, nil
	}
	fixed, problem := doctor.Fix(ctx, findings)
	if subject, err = a.doctorSubject(ctx); err != nil {
		return nil, problem, err
	}
	after := doctor.Run(ctx, subject)
	fixed = slices.DeleteFunc(fixed, func(f doctor.Finding) bool {
		return !f.Fixed || slices.ContainsFunc(after, func(g doctor.Finding) bool { return g.Code == f.Code && g.About == f.About })
	})
	return texts.Findings(append(fixed, after...)), problem, nil
}

// doctorSubject is this machine as this command is told to see it.
func (a *app) doctorSubject(ctx context.Context) (doctor.Subject, error) {
	quiet := *a
	quiet.stdout, quiet.stderr = &output{w: io.Discard}, io.Discard
	l, err := quiet.login(ctx)
	if err != nil {
		return doctor.Subject{}, err
	}
	s := doctor.Subject{Problem: l.Problem, State: l.State, Config: l.Config, Version: version(), Environ: os.Environ(), Engine: l.Engine, Service: l.Status,
		Panel: desktop.FindPanel, Tray: installer.TrayProgram(),
		Start:  func(ctx context.Context) error { return quiet.startService(ctx, l) },
		Update: func(ctx context.Context) error { return quiet.installService(ctx, l, false, false) },
	}
	return s, nil
}
