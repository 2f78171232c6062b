package apps

// notePlan has folders of its own, whose names begin with @: https://github.com/NotePlan/plugins/issues/250
var notePlan = App{Places: []Place{{Path: "@trash", Description: "the bin of NotePlan"}}}
