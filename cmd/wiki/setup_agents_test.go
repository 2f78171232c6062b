package main

import (
	"slices"
	"strings"
	"testing"

	"vaultdispatcher/cmd/wiki/command"
	"vaultdispatcher/installer"
)

// The help of setup names each runner that setup offers, a new one as well.
func TestSetupNamesItsRunners(t *testing.T) {
	was := installer.Runners
	t.Cleanup(func() { installer.Runners = was })
	installer.Runners = append(slices.Clone(was), "newcomer")
	usage := setupCommand(&command.App{}).Flags().Lookup("agent").Usage
	if want := "builtin, " + strings.Join(installer.Runners, ", ") + ", ollama:MODEL"; !strings.Contains(usage, want) {
		t.Errorf("%q lacks %q", usage, want)
	}
}
