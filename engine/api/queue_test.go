package api_test

import (
	"encoding/json"
	"testing"

	"vaultdispatcher/engine/api"
)

// TestQueueCountsEachStatus: a status counts the dispatches of each word that a record can have.
func TestQueueCountsEachStatus(t *testing.T) {
	var counts map[string]int
	text, err := json.Marshal(api.Queue{})
	if err == nil {
		err = json.Unmarshal(text, &counts)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range api.StatusWords {
		if _, ok := counts[word]; !ok {
			t.Errorf("nobody counts what is %s", word)
		}
		delete(counts, word)
	}
	if len(counts) > 0 {
		t.Errorf("counted is what no record is: %v", counts)
	}
}
