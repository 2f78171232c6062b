package assets

import (
	"regexp"
	"runtime"
	"runtime/debug"
	"testing"
)

// TestThisBuild: packages are named after the version, so it has to be one.
func TestThisBuild(t *testing.T) {
	b := ThisBuild()
	if !regexp.MustCompile(`^\d+\.\d+\.\d+(-[0-9a-z.]+)?$`).MatchString(b.Version) {
		t.Errorf("%q is not a semantic version", b.Version)
	}
	if b.Go != runtime.Version() {
		t.Errorf("Go is %q, not %q", b.Go, runtime.Version())
	}
}

// TestFill: what a release build has set is not replaced by the stamp.
func TestFill(t *testing.T) {
	stamp := []debug.BuildSetting{{Key: "vcs.revision", Value: "0123456789abcdef"}, {Key: "vcs.time", Value: "then"}, {Key: "vcs", Value: "git"}}
	for given, want := range map[Build]Build{
		{}:                            {Commit: "0123456789ab", Date: "then"},
		{Commit: "4567"}:              {Commit: "4567", Date: "then"},
		{Commit: "4567", Date: "now"}: {Commit: "4567", Date: "now"},
	} {
		got := given
		if got.readSettings(stamp); got != want {
			t.Errorf("%v became %v, not %v", given, got, want)
		}
	}
}
