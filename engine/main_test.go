package engine

import (
	"os"
	"testing"

	"vaultdispatcher/engine/testdata/testmain"
)

// TestMain lets more tests run side by side than there are processors: most of their time
// goes by in waiting for a note to settle or a drive to come.
func TestMain(m *testing.M) { os.Exit(testmain.Run(m)) }
