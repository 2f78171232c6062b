package wizard

import (
	"strings"
	"testing"

	"charm.land/huh/v2"
)

// Where there is nothing to choose, a terminal that is read line by line says it and asks nothing.
func TestOneChoice(t *testing.T) {
	w, value := &wizard{options: Given{Plain: true}}, "me"
	var out strings.Builder
	if err := w.selectField("Who answers?", "", &value, huh.NewOption("only me", "me")).RunAccessible(&out, strings.NewReader("")); err != nil {
		t.Fatal(err)
	}
	if said := out.String(); !strings.Contains(said, "Who answers?") || !strings.Contains(said, "only me") || strings.Contains(said, "number") || value != "me" {
		t.Errorf("%s: %q", value, said)
	}
}
