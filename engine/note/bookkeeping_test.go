package note

import "testing"

func TestIsBookkeeping(t *testing.T) {
	for line, want := range map[string]bool{
		"id:: 62a": true, "collapsed:: true": true, "Heading:: 2": true, ":LOGBOOK:": true, "CLOCK: [2022-01-01 Sat 10:00:00]": true, ":END:": true,
		"#+BEGIN_QUOTE": true, "id::": true,
		"author:: Ann": false, "id: 5": false, "my id:: 5": false, "a": false, "": false,
	} {
		if IsBookkeeping(line) != want {
			t.Errorf("%q: %v", line, !want)
		}
	}
}
