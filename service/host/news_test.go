package host

import (
	"testing"
	"testing/synctest"
	"time"

	"vaultdispatcher/engine/news"
)

// Nobody waits for whoever shows news: not those who tell, and not the end of the engine.
func TestNewsWaitForNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		resume, shown := make(chan struct{}), 0
		tell, end := passNews(func(news.Item) { <-resume; shown++ })
		begun := time.Now()
		for range 3 * mostNews {
			tell(news.Item{})
		}
		if time.Since(begun) > 0 {
			t.Error("whoever tells has waited")
		}
		end()
		if took := time.Since(begun); took != lastNews {
			t.Errorf("the end took %s", took)
		}
		tell(news.Item{}) // from a vault that was left behind
		close(resume)
		synctest.Wait()
		if shown < mostNews {
			t.Errorf("%d shown of those there was room for", shown)
		}
	})
	tell, end := passNews(nil)
	tell(news.Item{})
	end()
}

// What was told before the end is shown.
func TestNewsAreShownAtTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shown := 0
		tell, end := passNews(func(news.Item) { shown++ })
		for range 100 {
			tell(news.Item{})
		}
		end()
		if shown != 100 {
			t.Errorf("%d shown", shown)
		}
	})
}
