package service

import "testing"

// What doctor is told of the PATH is what the unit gives the engine.
func TestPathOfUnit(t *testing.T) {
	for _, path := range []string{"/usr/bin:/bin", `/a b/"c"`, `/50%/{{x}}\bin`, `/\\x7b`, ""} {
		spec := Spec{Name: "x", Program: "/x", Env: map[string]string{"PATH": path, "OTHER": "PATH=no"}}
		if got := unitVariable(unitText(spec, ""), "PATH"); got != path {
			t.Errorf("%q was read back as %q", path, got)
		}
	}
	if got := unitVariable(unitText(Spec{Name: "x", Program: "/x"}, ""), "PATH"); got != "" {
		t.Errorf("a unit without a PATH: %q", got)
	}
}

func TestPathOfSettings(t *testing.T) {
	s := supervised{spec: Spec{Dir: t.TempDir(), Env: map[string]string{"PATH": "/a:/b"}}}
	if got := s.supervisorPath(); got != "" {
		t.Errorf("without settings: %q", got)
	}
	if err := s.spec.saveSettings(); err != nil {
		t.Fatal(err)
	}
	if got := s.supervisorPath(); got != "/a:/b" {
		t.Errorf("%q", got)
	}
}
