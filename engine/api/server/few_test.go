package server

import (
	"testing"

	"vaultdispatcher/engine/api"
)

// A status names few dispatches, however many wait; those at work are among them.
func TestKeepFew(t *testing.T) {
	var list []api.Dispatch
	add := func(status string, n int) {
		for range n {
			list = append(list, api.Dispatch{Status: status})
		}
	}
	add("queued", 50)
	add("done", 5)
	add("held", 500)
	add("processing", 3)
	few := keepFew(list)
	n := make(map[string]int)
	for _, d := range few {
		n[d.Status]++
	}
	if n["queued"] != 17 || n["processing"] != 3 || n["done"] != 5 || n["held"] != 5 || few[0].Status != "queued" {
		t.Errorf("%v", n)
	}
	list = nil
	add("processing", 30)
	add("queued", 3)
	if few := keepFew(list); len(few) != mostActive || few[0].Status != "processing" {
		t.Errorf("%d are named", len(few))
	}
	if few := keepFew(nil); few == nil || len(few) != 0 {
		t.Error("no list")
	}
}
