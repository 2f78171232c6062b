package roles

import (
	"testing"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/config"
)

// In one run of pi's subagents tasks see each other's answers, so a private role that leaves the
// machine is alone in it.
func TestPrivateRolesAreAlone(t *testing.T) {
	cfg := config.Default()
	cfg.Agents = make(map[string]config.Agent)
	for role, a := range map[string]config.Agent{
		"One": {}, "Two": {}, "Doctor": {Private: true}, "Lawyer": {Private: true},
		"Here": {Local: true}, "HereToo": {Local: true}, "Nurse": {Local: true, Private: true}, "Judge": {Local: true, Private: true},
	} {
		a.Runner = "pi-subagents"
		cfg.Agents[role] = a
	}
	r, err := New(cfg, nil, Own{})
	if err != nil {
		t.Fatal(err)
	}
	key := func(role string) string {
		_, runner, err := r.Find(role)
		carrier, ok := runner.(agent.BatchRunner)
		if err != nil || !ok {
			t.Fatalf("%s: %v, %v", role, runner, err)
		}
		return carrier.BatchKey()
	}
	for _, pair := range []struct {
		a, b     string
		together bool
	}{
		{"One", "Two", true}, {"Here", "HereToo", true}, {"Nurse", "Judge", true},
		{"One", "Here", false}, {"One", "Doctor", false}, {"Here", "Nurse", false}, {"Doctor", "Lawyer", false}, {"Doctor", "doctor", true},
	} {
		if got := key(pair.a) == key(pair.b); got != pair.together {
			t.Errorf("%s and %s together: %t", pair.a, pair.b, got)
		}
	}
}
