package server

import (
	"context"
	"errors"
	"net/http"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/notepath"
)

// statusOf is the one place where an error becomes a status. An unknown error is a fault of ours: 500, and only the
// log has its text.
func statusOf(err error) *api.StatusError {
	var (
		status   *api.StatusError
		conflict *api.Conflict
		invalid  *api.Invalid
		locked   interface{ IsLocked() bool }
	)
	switch {
	case errors.As(err, &status):
		return status
	case errors.As(err, &conflict):
		return api.Refusal(http.StatusConflict, "conflict", conflict.Error())
	case errors.As(err, &invalid):
		return api.Refusal(http.StatusBadRequest, "bad_request", invalid.Error())
	case errors.Is(err, api.ErrNotFound):
		return api.Refusal(http.StatusNotFound, "not_found", "There is nothing by this name; look at the list again.")
	case errors.Is(err, api.ErrNotNote):
		return notepath.ErrNotNote()
	case errors.Is(err, api.ErrOffline):
		return api.Refusal(http.StatusServiceUnavailable, "offline", "The vault's folder cannot be reached now; try again when it is back.")
	case errors.Is(err, api.ErrStopping), errors.Is(err, context.Canceled):
		return api.Refusal(http.StatusServiceUnavailable, "stopping", "The engine is stopping; start it again with wiki run.")
	case errors.As(err, &locked) && locked.IsLocked():
		return api.Refusal(http.StatusServiceUnavailable, "busy",
			"Another program, such as a backup or a database browser, holds the engine's journal locked; end it, or try again when it is done.")
	case errors.Is(err, context.DeadlineExceeded):
		return api.Refusal(http.StatusServiceUnavailable, "busy", "This took too long; try again in a moment.")
	}
	return api.Refusal(http.StatusInternalServerError, "internal", "Something went wrong in the engine; its log says what.")
}

func errWrongUser() *api.StatusError {
	return api.Refusal(http.StatusForbidden, api.WrongUser, "Only the user who runs the engine may ask it.")
}
