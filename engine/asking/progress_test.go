package asking

import "testing"

// Progress is told once as long as it is the same, and forgotten with its dispatch.
func TestProgress(t *testing.T) {
	var p Progress
	if p.Of("a") != "" || !p.Tell("a", "one") || p.Tell("a", "one") || !p.Tell("a", "two") || p.Of("a") != "two" || p.Of("b") != "" {
		t.Errorf("%+v", p.texts)
	}
	if p.Forget("a"); p.Of("a") != "" || !p.Tell("a", "two") {
		t.Error("it is not forgotten")
	}
}
