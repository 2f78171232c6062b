package agent

import "testing"

// TestDetail: what is shown of a program's output are its words, not its events.
func TestDetail(t *testing.T) {
	for _, test := range []struct{ out, errors, want string }{
		{"", "", ""},
		{"spoken\n", "", "spoken"},
		{"spoken\n", "complained\n", "complained"},
		{"{\"type\":\"message_end\"}\n", "", ""},
		{"spoken\n{\"type\":\"message_end\"}\n", "", ""},
		{"{\"type\":\"message_end\"}\n", "complained\n", "complained"},
	} {
		if got := (Ended{Output: []byte(test.out), Errors: []byte(test.errors)}).Detail(); got != test.want {
			t.Errorf("Detail of %q and %q is %q, want %q", test.out, test.errors, got, test.want)
		}
	}
}
