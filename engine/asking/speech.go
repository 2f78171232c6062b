package asking

import (
	"context"
	"net/http"
	"time"

	"vaultdispatcher/engine/agent/replies"
	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/journal"
)

// speech is what an agent has said so far, and what is closed when it has said more.
type speech struct {
	text   string
	signal chan struct{}
}

// Await waits until a dispatch has its answer, or will have none for now; look reads its record. said, if there is
// one, is given the text of its agent so far: each time all of it that a person may be shown, and only the latest
// while it is busy. silence says in words that the disk which an answer is written to does not respond, or "": Await
// does not wait for such a disk.
func (w *Waiters) Await(ctx context.Context, id string, said func(text string), look func(context.Context, string) (journal.Dispatch, error), silence func(journal.Dispatch) string) (journal.Dispatch, api.Answered, error) {
	defer w.Wake(id) // keep no text for a caller that has left; others look again
	for told := ""; ; {
		changed := w.Next(id)
		d, err := look(ctx, id)
		if err != nil {
			return d, api.Answered{}, err
		}
		a, done, err := ReadAnswer(d)
		if done {
			return d, a, err
		}
		var again <-chan time.Time
		if d.Answered && d.Asked != journal.AskedTold {
			if why := silence(d); why != "" {
				a.Notice = "It is not in " + d.File + " yet: " + why + "; the answer is kept, and is written when the disk is back."
				return d, a, nil
			}
			again = time.After(writingTime)
		}
		if told, err = w.tellSpeech(ctx, id, changed, again, told, said); err != nil {
			return d, api.Answered{}, err
		}
	}
}

// writingTime is how long an answer is written before its disk is asked about, and again.
const writingTime = time.Second

// tellSpeech tells what is said until something else happens to a dispatch, or it is time to look again, and returns what
// was told last.
func (w *Waiters) tellSpeech(ctx context.Context, id string, changed <-chan struct{}, again <-chan time.Time, told string, said func(text string)) (string, error) {
	for {
		var more <-chan struct{}
		if said != nil {
			var text string
			if text, more = w.readSpeech(id); text != "" && text != told {
				told = text
				said(text)
			}
		}
		select {
		case <-more:
		case <-changed:
			return told, nil
		case <-again:
			return told, nil
		case <-ctx.Done():
			return told, ctx.Err()
		case <-w.Ended():
			return told, api.Refusal(http.StatusServiceUnavailable, "stopping", "The engine is stopping; the next one goes on with the question ("+id+").")
		}
	}
}

// readSpeech returns what may be shown of what was said so far, and what is closed when there is more.
func (w *Waiters) readSpeech(id string) (text string, more <-chan struct{}) {
	w.mu.Lock()
	s := w.speechOf(id)
	text, more = s.text, s.signal
	w.mu.Unlock()
	return replies.Begun(text), more
}

// Say keeps what the agent of a dispatch has said so far, and wakes those who listen. It never waits.
func (w *Waiters) Say(id, text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := w.speechOf(id)
	s.text = text
	close(s.signal)
	s.signal = make(chan struct{})
}

// Forget says that the agent of a dispatch says no more: its answer is known now, or it has none.
func (w *Waiters) Forget(id string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if s := w.speech[id]; s != nil {
		close(s.signal) // those who listen listen to the next one
		delete(w.speech, id)
	}
}

// speechOf is for callers that hold mu.
func (w *Waiters) speechOf(id string) *speech {
	if w.speech == nil {
		w.speech = make(map[string]*speech)
	}
	if w.speech[id] == nil {
		w.speech[id] = &speech{signal: make(chan struct{})}
	}
	return w.speech[id]
}
