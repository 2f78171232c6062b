package report

import (
	"strings"
	"testing"

	"vaultdispatcher/engine/roles"
)

// The roles that nobody answers are named in one sentence, with the command that changes it.
func TestNobodysRolesAreToldOnce(t *testing.T) {
	list := []roles.Role{{Role: "Critic", Unanswered: true, Detail: "nobody answers it"}, {Role: "Miner", Runner: "builtin", Usable: true}, {Role: "Editor", Unanswered: true}}
	for n, want := range map[int]string{3: "not ready: nobody answers Critic, Editor; wiki setup --agent ROLE=NAME chooses one\n", 2: "not ready: nobody answers Critic; wiki setup --agent Critic=NAME chooses one\n"} {
		var b strings.Builder
		if PrintRoles(&b, list[:n]); !strings.HasPrefix(b.String(), "Miner  builtin  ready\n") || strings.Count(b.String(), want) != 1 || strings.Count(b.String(), "nobody") != 1 {
			t.Errorf("printed is\n%s", b.String())
		}
	}
}
