package webhook

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"time"

	"vaultdispatcher/engine/due"
	"vaultdispatcher/engine/lazyregexp"
)

// This file listens for replies, over a connection that this machine opens and keeps
// (https://docs.ntfy.sh/subscribe/api/#subscribe-as-json-stream).

const (
	// longestLine bounds one event in memory; a longer one does not count.
	longestLine = 64 << 10

	// longestSilence is after how long a connection is given up: a server says every 45 s that it is there
	// (https://github.com/binwiederhier/ntfy/blob/81a486adc11fe24efcbedefb28ae946028597c2f/server/config.go, DefaultKeepaliveInterval).
	longestSilence = 3 * time.Minute

	// lasting is from when on a connection counts as a good one, after which the next break is tried again soon.
	lasting = time.Minute
)

var (
	errSilent = errors.New("the server is silent")
	eventID   = lazyregexp.New(`^[A-Za-z0-9]{1,64}$`)
)

// hearsReplies reports whether a person may decide by a reply.
func (s *Sender) hearsReplies() bool {
	return s.opts.Config.ReplyTopic != "" && s.opts.Replies.Secret != ""
}

// listen reads replies until ctx ends. After a break it continues with the replies of the meantime. It begins with
// those that came while no engine ran, as far as they may still count.
func (s *Sender) listen(ctx context.Context) {
	since, quiet := strconv.FormatInt(time.Now().Add(-offerFor).Unix(), 10), time.Now()
	for failures := 0; ; failures++ {
		begun := time.Now()
		err := s.follow(ctx, &since, &quiet)
		if ctx.Err() != nil {
			return
		}
		if time.Since(begun) >= lasting {
			failures = 0
		}
		if isNews(err, quiet) {
			s.deaf.tell(advise(err), s.opts.Changed)
		}
		if due.Sleep(ctx, s.waits[min(failures, len(s.waits)-1)]) != nil {
			return
		}
	}
}

// follow reads replies until the connection ends, which it always does with an error. since is where the next one begins, heard
// when the server last said anything.
func (s *Sender) follow(ctx context.Context, since *string, heard *time.Time) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	silence := time.AfterFunc(s.silence, func() { cancel(errSilent) })
	defer silence.Stop()
	u, _ := splitTopic(s.opts.Config.URL)
	u.Path += s.opts.Config.ReplyTopic + "/json"
	query := u.Query()
	query.Set("since", *since)
	u.RawQuery = query.Encode()
	resp, err := s.client.Get(ctx, u.String(), s.key)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	for lines := bufio.NewReaderSize(resp.Body, longestLine); ; {
		line, err := readLine(lines)
		if err != nil {
			return err
		}
		silence.Reset(s.silence)
		*heard = time.Now()
		s.deaf.tell("", s.opts.Changed)
		s.hear(ctx, line, since)
	}
}

// hear acts on one event. It does not count a used reply as refused if that came before this engine began, because it
// reads such replies anew.
func (s *Sender) hear(ctx context.Context, line []byte, since *string) {
	var m struct {
		ID, Event, Message string
		Time               int64
	}
	if json.Unmarshal(line, &m) != nil {
		s.refused.add(isForged)
		return
	}
	if m.Event != "message" {
		return
	}
	if eventID().MatchString(m.ID) {
		*since = m.ID
	}
	why := s.decide(ctx, m.Message)
	if why == "" || why == isUsed && m.Time < s.start.Unix() {
		return
	}
	s.refused.add(why)
}

// readLine returns the next line, or an empty one for one that is too long.
func readLine(r *bufio.Reader) ([]byte, error) {
	line, err := r.ReadSlice('\n')
	if !errors.Is(err, bufio.ErrBufferFull) {
		return bytes.TrimSpace(line), err
	}
	for errors.Is(err, bufio.ErrBufferFull) {
		_, err = r.ReadSlice('\n')
	}
	return nil, err
}
