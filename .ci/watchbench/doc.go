// Package watchbench measures the watcher of this project against others, on the same trees and in one run. It is a
// module of its own, so that the product does not depend on them, and it runs by .ci/peers, which hands its flags on:
//
//	.ci/peers                               a few minutes: 10,000 notes, few rounds
//	.ci/peers -long                         the figures to quote: also 100,000 notes
//	.ci/peers -test.run='/(startup|delays)' parts: startup, delays, oracles, comparing, polling
//
// The others are bare fsnotify (a walk and Add), chokidar and @parcel/watcher. The
// last two come from npm into a temporary folder, in the versions that
// npm/package-lock.json pins. It needs Linux, Go, Node, npm and a right to mount
// FUSE.
//
// It prints one table with what was aimed at. Times pass or fail in words; the
// test fails only when ours has lost a save. Ours is judged by the best of the others that ran: one that fails is named
// and left out. Besides chokidar nobody polls, so there the others have a plain walk too, made as often as it takes to find a save as soon.
//
// The programs loopback and uml are for the bed .ci/filesystems too.
package watchbench
