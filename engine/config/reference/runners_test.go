package reference

import (
	"strings"
	"testing"

	"vaultdispatcher/engine/config/runners"
)

// The key of a runner names each that there is, in their order.
func TestRunnersAreNamed(t *testing.T) {
	names := runners.Names()
	last := len(names) - 1
	want := "`" + strings.Join(names[:last], "`, `") + "` or `" + names[last] + "`"
	if got := texts["wiki.agents.ROLE.runner"].text; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
