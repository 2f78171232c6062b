package backlog

import "time"

// bucket is a token bucket's state: a value, so that the arithmetic is pure.
type bucket struct {
	tokens float64
	time   time.Time
}

// takeToken removes one token at the time now. Without one it returns the time until the next token. A clock that
// runs backwards neither adds tokens nor removes them.
func (b bucket) takeToken(now time.Time, perSecond float64, burst int) (bucket, time.Duration, bool) {
	if b.time.IsZero() {
		b = bucket{tokens: float64(burst), time: now}
	}
	if passed := now.Sub(b.time); passed > 0 {
		b.tokens = min(float64(burst), b.tokens+passed.Seconds()*perSecond)
	}
	b.time = now
	if b.tokens < 1 {
		return b, time.Duration((1 - b.tokens) / perSecond * float64(time.Second)), false
	}
	b.tokens--
	return b, 0, true
}
