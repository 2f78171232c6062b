package apps

// SilverBullet marks its templates by a tag: https://silverbullet.md/Page%20Template,
// https://silverbullet.md/Slash%20Template
var _ = add(App{Tags: []string{"meta/template"}})
