package apps

// NotePlan has folders of its own, whose names begin with @: https://github.com/NotePlan/plugins/issues/250
var _ = add(App{Places: []Place{{Path: "@trash", Description: "the bin of NotePlan"}}})
