package agent

import (
	"context"
	"errors"
)

// Batch is a payload of several tasks: beside one another, at most Concurrency at
// once, or as a chain, one after the other, each seeing the answer before it.
type Batch struct {
	Tasks       []Task
	Chain       bool
	Concurrency int
}

// Outcome is what became of one task of a batch.
type Outcome struct {
	Reply Reply
	Err   error // as [Runner.Run] returns it, or [ErrNoTurn]
}

// ErrNoTurn is the outcome of a task whose batch ended before its turn came: it
// was not tried, and may be tried again.
var ErrNoTurn = errors.New("the batch ended before its turn")

// BatchRunner is a runner that carries several tasks to its agent at once. All
// promises of [Runner] hold for a batch too.
type BatchRunner interface {
	Runner
	// RunBatch returns one outcome for every task, in their order.
	RunBatch(ctx context.Context, b Batch) []Outcome
	// Own returns a task in the words of this runner's role, as another runner of
	// the same key may carry it.
	Own(task Task) Task
	// BatchKey is equal for runners that may carry each other's tasks.
	BatchKey() string
}
