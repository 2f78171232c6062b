package team

import (
	"errors"
	"strings"
	"testing"

	"vaultdispatcher/cmd/wiki/command"
)

// Where the program of the hub is missing, wiki hub names it and the next step.
func TestHubIsMissing(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	cmd := hubCommand(&command.App{})
	cmd.SetArgs(nil)
	err := cmd.Execute()
	failure, ok := errors.AsType[*command.Failure](err)
	if !ok || failure.Code != command.ExitFailed {
		t.Fatalf("it ends with %v", err)
	}
	if !strings.Contains(failure.Error(), "wiki-hub") || !strings.Contains(failure.Hint, "go build ./cmd/wiki-hub") {
		t.Errorf("it says %q, hint %q", failure, failure.Hint)
	}
}
