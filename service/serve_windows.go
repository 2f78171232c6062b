package service

import (
	"context"
	"time"

	"golang.org/x/sys/windows/svc"

	"vaultdispatcher/engine/due"
)

func serveManaged(ctx context.Context, name string, run, stop func(context.Context) error) error {
	h := &handler{ctx: ctx, run: run, stop: stop}
	if err := svc.Run(name, h); err != nil {
		return err
	}
	return h.err
}

// handler speaks with Windows' service manager while run does the work.
type handler struct {
	ctx       context.Context
	run, stop func(context.Context) error
	err       error
}

func (h *handler) Execute(_ []string, requests <-chan svc.ChangeRequest, changes chan<- svc.Status) (bool, uint32) {
	ctx, cancel := context.WithCancel(h.ctx)
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- h.run(ctx) }()
	changes <- svc.Status{State: svc.Running, Accepts: svc.AcceptStop | svc.AcceptShutdown}
	for {
		select {
		case h.err = <-ended:
			if h.err != nil {
				return true, 1
			}
			return false, 0
		case r := <-requests:
			switch r.Cmd {
			case svc.Interrogate:
				changes <- r.CurrentStatus
			case svc.Stop, svc.Shutdown:
				changes <- svc.Status{State: svc.StopPending, WaitHint: uint32(patience.Milliseconds())}
				go h.endRun(ctx, cancel)
			}
		}
	}
}

// patience is how long an engine may take to end when it is asked.
const patience = 20 * time.Second

// endRun asks, and insists when that was in vain.
func (h *handler) endRun(ctx context.Context, insist func()) {
	if h.stop(ctx) == nil {
		_ = due.Sleep(ctx, patience) // either way it ends now
	}
	insist()
}
