package machine

import (
	"context"
	"errors"
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"vaultdispatcher/assets"
	"vaultdispatcher/cmd/wiki/command"
	"vaultdispatcher/cmd/wiki/desktop"
	"vaultdispatcher/cmd/wiki/texts"
	"vaultdispatcher/engine/wording"
	"vaultdispatcher/installer"
	"vaultdispatcher/installer/doctor"
)

// Doctor says what keeps the product from working here.
func Doctor(a *command.App) *cobra.Command {
	var fix bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Diagnose problems and suggest fixes",
		Long: "Looks at the configuration, the vaults, the login service, the engine, the port, the\n" +
			"agent programs, the tray and the disk. Each finding is one sentence with one next step. No agent\n" +
			"is asked. Exit status 1 when something does not work; warnings alone are no failure.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			found, problem, err := runDoctor(cmd.Context(), a, fix)
			if err != nil {
				return err
			}
			if err := a.Show(found, func(w io.Writer) { printFindings(w, found) }); err != nil {
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
	return command.Fail(hint, "%s", wording.Count(problems, "problem"))
}

// runDoctor makes all checks, and repairs what it can if mend is true; repaired findings
// come first. problem says what could not be repaired.
func runDoctor(ctx context.Context, a *command.App, mend bool) (found []texts.Finding, problem, err error) {
	subject, err := Subject(ctx, a)
	if err != nil {
		return nil, nil, err
	}
	findings := doctor.Run(ctx, subject)
	if !mend {
		return texts.Findings(findings), nil, nil
	}
	fixed, problem := doctor.Fix(ctx, findings)
	if subject, err = Subject(ctx, a); err != nil {
		return nil, problem, err
	}
	after := doctor.Run(ctx, subject)
	fixed = slices.DeleteFunc(fixed, func(f doctor.Finding) bool {
		return !f.Fixed || slices.ContainsFunc(after, func(g doctor.Finding) bool { return g.Code == f.Code && g.Subject == f.Subject })
	})
	return texts.Findings(append(fixed, after...)), problem, nil
}

// Subject is this machine as this command is told to see it.
func Subject(ctx context.Context, a *command.App) (doctor.Subject, error) {
	quiet := a.Quiet()
	l, err := Login(ctx, quiet)
	if err != nil {
		return doctor.Subject{}, err
	}
	s := doctor.Subject{Problem: l.Problem, State: l.State, Config: l.Config, Version: assets.ThisBuild().Version, Environ: os.Environ(), Engine: l.Engine, Service: l.Status,
		Panel: desktop.FindPanel, Tray: installer.TrayProgram(),
		Start:  func(ctx context.Context) error { return startService(ctx, quiet, l) },
		Update: func(ctx context.Context) error { return Install(ctx, quiet, l, false, false) },
	}
	return s, nil
}
