//go:build dev

package assets

import (
	"io/fs"
	"os"
)

// Web returns the pages of the dashboard as they are on the disk now. .ci/dev
// builds it so and runs the engine from the top of the repository.
func Web() fs.FS { return os.DirFS("assets/web") }
