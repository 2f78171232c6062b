package queue

import (
	"time"

	"github.com/nats-io/nats.go"
)

// Dial connects as who has the credentials does.
func (c Credentials) Dial() (*nats.Conn, error) { return c.dial(nats.RetryOnFailedConnect(false)) }

// Reach has f called at each point of a worker's way with a task.
func (w *Worker) Reach(f func(point string)) { w.reached = f }

// Cut ends a worker's connection as a kill does.
func (w *Worker) Cut() { w.conn.Close() }

// LookEvery has a client look for forgotten messages more often; it is called before the first task.
func (c *Client) LookEvery(d time.Duration) { c.interval = d }

// KeepEvery has a worker say more often that a task is at work; it is called before Run.
func (w *Worker) KeepEvery(d time.Duration) { w.keeping = d }
