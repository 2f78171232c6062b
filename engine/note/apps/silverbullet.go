package apps

// silverBullet marks its templates by a tag: https://silverbullet.md/Page%20Template,
// https://silverbullet.md/Slash%20Template
var silverBullet = App{Tags: []string{"meta/template"}}
