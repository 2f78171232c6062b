package watch

import (
	"fmt"
	"path/filepath"

	"vaultdispatcher/engine/watch/disk"
)

// Prediction is how a folder would be watched.
type Prediction struct {
	Poll   bool   // nothing tells of every change there, or the mode is poll
	Reason string // as [Stats] would give it
}

// PredictSource says how a folder that is there would be watched in a mode, without
// watching it. What only shows while it is watched, such as a limit of the system,
// it does not know.
func PredictSource(root, mode string) (Prediction, error) {
	real, err := filepath.EvalSymlinks(root)
	if err != nil {
		return Prediction{}, fmt.Errorf("find the folder: %w", err)
	}
	m, err := disk.FindMount(real)
	if err != nil {
		return Prediction{}, fmt.Errorf("ask for the file system: %w", err)
	}
	c := chooseSource(mode, m, "")
	return Prediction{Poll: c.poll, Reason: c.reason}, nil
}
