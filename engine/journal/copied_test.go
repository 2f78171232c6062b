package journal

import (
	"context"
	"testing"
)

// A note that is a copy and came from elsewhere is remembered as both.
func TestCopyBesideItsPast(t *testing.T) {
	t.Parallel()
	ctx, j := context.Background(), openNew(t)
	must(t, j.KeepPasts(ctx, "/v", []NotePast{{File: "a 2.md", Kind: ForUntrusted, Lines: []byte("12345678")}}))
	must(t, j.SetCopy(ctx, "/v", Copy{File: "a 2.md", Original: "a.md", Hash: [32]byte{1}}))
	if a, known, err := j.NotePast(ctx, "/v", "a 2.md"); err != nil || !known || a.Kind != ForUntrusted || string(a.Lines) != "12345678" {
		t.Errorf("its past is %+v, %v", a, err)
	}
	if c, err := j.Copy(ctx, "/v", "a 2.md"); err != nil || c.Original != "a.md" || c.Hash != [32]byte{1} || len(c.Markers) != 0 {
		t.Errorf("the copy is %+v, %v", c, err)
	}
	if c, err := j.Copy(ctx, "/other", "a 2.md"); err != nil || c.Original != "" {
		t.Errorf("the copy of another vault is %+v, %v", c, err)
	}
}
