package agent

import (
	"context"
	"errors"
)

// Find returns the path of the program that a run would start.
func (p Program) Find() (string, error) {
	cmd, err := p.command(context.Background())
	if err == nil {
		return cmd.Path, nil
	}
	failure := p.notStarted(err)
	if missing, ok := errors.AsType[*NotFound](failure); ok {
		return "", missing
	}
	return "", failure
}
