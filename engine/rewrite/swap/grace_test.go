package swap

import (
	"context"
	"errors"
	"os"
	"testing"
	"time"
)

// What an exchange displaced is kept for its grace, and what somebody has
// written to it by then lives on beside the note. Recovery after a crash comes
// to the same end, and neither minds being repeated.
func TestDisplacedVersionIsKept(t *testing.T) {
	for name, end := range map[string]func(Intention) (Outcome, error){"settle": Settle, "recover": Recover} {
		for _, late := range []string{"", "late words\n"} {
			t.Run(name+" "+late, func(t *testing.T) {
				root, path := vault(t, before)
				if !Probe(root).Exchange {
					t.Log("nothing is displaced on this file system")
					return
				}
				var log []Intention
				out, err := On(nil).File(context.Background(), change(root, path, before, after, &log))
				if err != nil || len(log) != 1 || out.Displaced != log[0].Temp {
					t.Fatalf("%+v, %v", out, err)
				}
				kept := siblingTemp(out.Displaced, keptKind)
				wantNote(t, kept, before)
				if left, err := CleanTemps(root, "", []string{out.Displaced}, -time.Hour); err != nil || len(left) > 0 || len(temps(t, root)) != 1 {
					t.Errorf("the cleaning of temps kept %q, %v", left, err)
				}
				write(t, kept, before+late)
				for round := range 2 {
					out, err := end(log[0])
					if err != nil || !out.Written || out.Note != IsNew || (out.Conflict != "") != (late != "" && round == 0) {
						t.Errorf("round %d: %+v, %v", round, out, err)
					}
					if out.Conflict != "" {
						wantNote(t, out.Conflict, before+late)
					}
				}
				wantNote(t, path, after)
				wantNoTemps(t, root)
			})
		}
	}
}

// An exchange that can neither be made nor undone says so.
func TestUnended(t *testing.T) {
	root, path := vault(t, before)
	broken := errors.New("I/O error")
	files := hooked{Files: osFiles{}, exchange: func(temp, note string) error {
		if err := os.Rename(root, root+"-away"); err != nil {
			t.Error(err)
		}
		return broken
	}}
	var log []Intention
	_, err := On(files).File(context.Background(), change(root, path, before, after, &log))
	if !errors.Is(err, ErrUnended) || !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
	if err := os.Rename(root+"-away", root); err != nil {
		t.Fatal(err)
	}
	if out, err := Recover(log[0]); err != nil || out.Note != IsBase {
		t.Errorf("%+v, %v", out, err)
	}
	wantNoTemps(t, root)
}
