package apps

// VNote has a bin in each notebook: https://github.com/vnotex/vnote/issues/822, and since version 3
// https://github.com/vnotex/vnote/blob/master/src/core/notebookconfigmgr/vxnotebookconfigmgr.cpp
var _ = add(App{Places: []Place{
	{Path: "_v_recycle_bin", Description: "the bin of VNote"},
	{Path: "vx_recycle_bin", Description: "the bin of VNote"},
}})
