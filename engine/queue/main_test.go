package queue

import (
	"os"
	"testing"

	"vaultdispatcher/engine/testdata/testmain"
)

func TestMain(m *testing.M) { os.Exit(testmain.Run(m)) }
