package copies

import (
	"fmt"
	"slices"
	"testing"
)

// A note with many copies is read once for all of them: it is saved again and again.
func TestOriginalIsReadOnce(t *testing.T) {
	files := map[string]string{"a.md": "one\n\ntwo\n", "a copy.md": "one\n"}
	var copied, doubles []string
	for i := range 100 {
		for _, rel := range []string{fmt.Sprintf("a %d.md", i), fmt.Sprintf("a copy %d.md", i)} {
			files[rel] = "two\n"
			if i%2 == 0 {
				files[rel] = "three\n"
			} else {
				doubles = append(doubles, rel)
			}
			copied = append(copied, rel)
		}
	}
	reads := make(map[string]int)
	var d Doubles
	d.Update(copied, func(rel string) bool { return files[rel] != "" }, func(rel string) ([]byte, error) {
		reads[rel]++
		return []byte(files[rel]), nil
	})
	if reads["a.md"] > 1 || reads["a copy.md"] > 1 {
		t.Errorf("the originals were read %d and %d times", reads["a.md"], reads["a copy.md"])
	}
	for _, rel := range copied {
		if d.Has(rel) != slices.Contains(doubles, rel) {
			t.Errorf("%s: a double is %v", rel, d.Has(rel))
		}
	}
	for _, rel := range copied {
		delete(files, rel)
	}
	d.Update(copied, func(rel string) bool { return files[rel] != "" }, nil)
	if d.index.Len() > 0 {
		t.Errorf("%d notes that are gone are remembered", d.index.Len())
	}
}
