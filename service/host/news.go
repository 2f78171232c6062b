package host

import (
	"time"

	"vaultdispatcher/engine/news"
)

const (
	// mostNews is how much news may wait for a reader who is slow, such as a terminal that was
	// stopped. What is more is in the log alone.
	mostNews = 256

	// lastNews is how long the end waits for such a reader.
	lastNews = time.Second
)

// passNews has news shown in a goroutine of its own, so that tell does not wait. end returns when all was shown, or
// soon.
func passNews(show func(news.Item)) (tell func(news.Item), end func()) {
	if show == nil {
		return func(news.Item) {}, func() {}
	}
	waiting, over, shown := make(chan news.Item, mostNews), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(shown)
		for {
			select {
			case n := <-waiting:
				show(n)
				continue
			default:
			}
			select {
			case n := <-waiting:
				show(n)
			case <-over:
				return
			}
		}
	}()
	tell = func(n news.Item) {
		select {
		case waiting <- n:
		default:
		}
	}
	end = func() {
		close(over)
		select {
		case <-shown:
		case <-time.After(lastNews):
		}
	}
	return tell, end
}

// messages are what the log says of news.
var messages = map[news.What]string{
	news.TakenUp:   "a question was taken up",
	news.Answered:  "a question was answered",
	news.NoResult:  "a question has no result",
	news.Failed:    "a question was not answered",
	news.Delayed:   "a question is asked again",
	news.Held:      "a question waits",
	news.Proposed:  "an answer waits for approval",
	news.Kept:      "an answer has no place and is kept",
	news.Withdrawn: "a question is asked no more",
	news.NotTaken:  "a question is not taken up",
	news.Working:   "an agent is at work",
}

// tellNews logs what became of a question and has it shown.
func (h *Host) tellNews(n news.Item) {
	particulars := []any{"vault", n.Vault, "note", n.File, "line", n.Line}
	for _, p := range []struct{ name, value string }{{"role", n.Role}, {"dispatch", n.Dispatch}, {"reason", n.Reason}} {
		if p.value != "" {
			particulars = append(particulars, p.name, p.value)
		}
	}
	h.log.file.Info(messages[n.Event], particulars...)
	h.showNews(n)
}
