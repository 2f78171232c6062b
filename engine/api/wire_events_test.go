package api

import (
	"fmt"
	"testing"
	"time"
)

// The end of one that is older than all that are kept is told, too.
func TestAnOldEndIsFollowed(t *testing.T) {
	var list []Dispatch
	for i := range MostFollowed + 10 {
		list = withRecord(list, Dispatch{ID: fmt.Sprint(i), Status: "done", CreatedAt: time.Unix(int64(1000+i), 0)})
	}
	list = withRecord(list, Dispatch{ID: "old", Status: "failed", CreatedAt: time.Unix(1, 0)})
	if n := len(list); n != MostFollowed || list[n-1].ID != "old" {
		t.Errorf("%d are kept, the last is %s", n, list[n-1].ID)
	}
}
