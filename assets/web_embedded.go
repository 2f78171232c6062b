//go:build !dev

package assets

import "io/fs"

// Web returns the pages of the dashboard and what they name.
func Web() fs.FS { return openFolder("web") }
