// Package setup is the data of the setup page and what its forms say. It shows nothing and changes nothing.
//
// Another person may change a setting while the page is open, so a form says how each of its fields was shown. An
// unchanged field chooses nothing, and a box that the page did not show was not unticked.
package setup

import (
	"net/url"
	"strconv"

	"vaultdispatcher/engine/api"
)

// View is the data of the setup page: the settings, the roles, and the result of
// the last form.
type View struct {
	api.Setup
	Rows   []Row // of the table of roles
	Saved  bool
	Moved  bool     // to the port of this page
	Undone []string // the steps that failed, a sentence each
	Tried  *api.SetupTried
	Proof  *api.SetupProof
	Failed Failure

	// Was has the settings when the page was made, by the names of its fields. An unchanged field is ignored: another
	// person may have changed the setting since.
	Was url.Values
	// The typed text, to be shown again.
	Another string // folder
	Port    string
	Sure    bool
}

// Failure is why a form was refused, beside its field.
type Failure struct {
	Field  string // the id of the field; empty = what was asked for could not be done
	Reason string
}

// FieldError returns what is wrong with one field of the page; empty = nothing.
func FieldError(v View, id string) Failure {
	if v.Failed.Field != id {
		return Failure{}
	}
	return v.Failed
}

// New is the page as it is without a form: of the settings, and of the roles that the engine knows.
func New(found api.Setup, roles []api.Agent) View {
	v := View{Setup: found, Rows: listRows(found, roles)}
	v.Port = strconv.Itoa(v.Chosen.Port)
	v.Was = url.Values{"agent": {v.Chosen.Agent}, "agentModel": {v.Chosen.AgentModel},
		"provider": {v.Chosen.Provider}, "model": {v.Chosen.Model}, "url": {*v.Chosen.URL}, "port": {v.Port}}
	for _, f := range v.Folders {
		if f.Watched {
			v.Was.Add("vault", f.Path)
		}
	}
	for name, is := range map[string]api.SetupSwitch{"login": v.Login, "tray": v.Tray} {
		switch {
		case is.Offered && is.Enabled:
			v.Was.Set(name, "on")
		case is.Offered:
			v.Was.Set(name, "")
		}
	}
	return v
}
