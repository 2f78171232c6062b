package watch

import (
	"path/filepath"
	"testing"
)

func TestForesee(t *testing.T) {
	dir := t.TempDir()
	got, err := PredictSource(dir, ModePoll)
	if err != nil || !got.Poll || got.Reason != "the mode is poll" {
		t.Errorf("%+v, %v", got, err)
	}
	got, err = PredictSource(dir, ModeFsnotify)
	if err != nil || got.Poll || got.Reason == "" {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := PredictSource(filepath.Join(dir, "gone"), ModeAuto); err == nil {
		t.Error("a folder that is not there has an outlook")
	}
}
