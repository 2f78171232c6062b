package apps

// Shares are not apps but the disks, shares and backup programs that notes are kept on. Folders whose names begin
// with a dot are no folders of notes in any case.
var _ = add(App{Places: []Place{
	{Path: "#recycle", Description: "the bin of a Synology share"},             // https://github.com/syncthing/syncthing/issues/3845
	{Path: "#snapshot", Description: "the snapshots of a Synology share"},      // https://github.com/gaubert/gmvault/pull/306
	{Path: "@eadir", Description: "the index of a Synology share"},             // https://github.com/syncthing/syncthing/issues/758
	{Path: "@recycle", Description: "the bin of a QNAP share"},                 // https://github.com/nova-video-player/aos-AVP/issues/1308
	{Path: "@recently-snapshot", Description: "the snapshots of a QNAP share"}, // the same
	{Path: "~snapshot", Description: "the snapshots of a NetApp share"},        // https://github.com/owncloud/core/issues/15385
	{Path: "~latest", Description: "the snapshots of an HDS share"},            // https://github.com/owncloud/core/pull/15756
	{Path: "$recycle.bin", Description: "the bin of Windows"},                  // https://github.com/arsenetar/dupeguru/issues/690
	{Path: "backups.backupdb", Description: "the backups of Time Machine"},     // https://github.com/Homebrew/legacy-homebrew/issues/43050
	{Path: "_gsdata_", Description: "the old versions that GoodSync keeps"},    // https://github.com/github/gitignore/pull/2932
}})
