package apps

// QOwnNotes keeps what was deleted beside its database: https://github.com/pbek/QOwnNotes/issues/1258
var _ = add(App{Places: []Place{{Path: "trash", Companions: []string{"notes.sqlite"}, Description: "the bin of QOwnNotes"}}})
