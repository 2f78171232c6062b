package kinds

import "testing"

// Nothing is counted that there is none of.
func TestCountEach(t *testing.T) {
	for want, n := range map[string][]int{"": {0, 0, 0}, "1 point": {1, 0, 0}, "2 points and 1 question": {2, 0, 1}, "1 point, 2 terms and 3 questions": {1, 2, 3}} {
		if got := countEach(guideParts, n...); got != want {
			t.Errorf("%v is %q, want %q", n, got, want)
		}
	}
}
