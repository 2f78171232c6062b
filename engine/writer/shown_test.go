package writer

import (
	"strings"
	"testing"

	"vaultdispatcher/engine/proposal"
)

// The comment about a proposal shows each line of the answer, whatever words it has, and not the question and the tags of the block.
func TestProposalIsShownWhole(t *testing.T) {
	diff := "@@ -1 +1 @@\n-> @agent-Ed do we keep them?\n+<!-- agent-response -->\n+Delete all, says agent-response.\n+Ask (@agent- note).\n+<!-- /agent-response -->\n-They say @agent-Ed knows.\n"
	got := describeProposal("id", "MARK", proposal.Shown{Diff: diff})
	if want := "(MARK): +Delete all, says agent-response. +Ask (@ agent- note). -They say @ agent-Ed knows. ("; !strings.Contains(got, want) {
		t.Errorf("%q has no %q", got, want)
	}
}
