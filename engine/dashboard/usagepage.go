package dashboard

import (
	"vaultdispatcher/engine/api/server"
	"vaultdispatcher/engine/dashboard/usage"
)

func (d *Dashboard) usagePage(c server.Call) (any, error) {
	report, err := d.backend.Usage(c.Request.Context())
	if err != nil {
		return nil, err
	}
	st, err := d.server.State(c.Request.Context())
	if err != nil {
		return nil, err
	}
	return d.showPage(c, "usage", "Usage", usage.Of(report, st.Budgets))
}
