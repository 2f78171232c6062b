package engine

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/api/openapi"
)

// TestCallsAreDescribed: an engine has the calls of its description and no others.
func TestCallsAreDescribed(t *testing.T) {
	t.Parallel()
	r := startEngine(t, t.TempDir(), agent.Runner(nil))
	st, err := r.server.State(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var document struct{ Paths map[string]map[string]any }
	if err := json.Unmarshal(openapi.Description, &document); err != nil {
		t.Fatal(err)
	}
	var described []string
	for path, methods := range document.Paths {
		for method := range methods {
			described = append(described, strings.ToUpper(method)+" "+path)
		}
	}
	slices.Sort(described)
	if there := slices.Sorted(slices.Values(st.Endpoints)); !slices.Equal(there, described) {
		t.Errorf("described are\n%s\nthere are\n%s", strings.Join(described, "\n"), strings.Join(there, "\n"))
	}
}
