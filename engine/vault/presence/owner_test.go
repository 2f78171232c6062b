package presence

import "testing"

func TestForeignTo(t *testing.T) {
	for _, tt := range []struct {
		machine, configured, stated string
		foreign                     bool
	}{
		{"desk", "", "", false},
		{"desk", "desk", "", false},
		{"desk", "desk", "desk", false},
		{"desk", "", "desk", false},
		{"Desk.local", "desk", "DESK.local", false},
		{"desk.home", "desk.home", "", false},
		{"laptop", "desk", "", true},
		{"laptop", "desk", "laptop", true},
		{"laptop", "", "desk", true},
		{"laptop", "laptop", "desk", true}, // the desk was made the owner after us
		{"desk.home", "desk.office", "", true},
		{"desktop", "desk", "", true},
		{"", "", "", false},
		{"", "", "desk", true},
	} {
		if got := WhyForeign(tt.machine, tt.configured, tt.stated); (got != "") != tt.foreign {
			t.Errorf("%+v: %q", tt, got)
		}
	}
}
