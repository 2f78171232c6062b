// Package dashboard tries the dashboard as a person uses it: a real engine with
// real notes, and Chromium, which also counts what breaks the policy of the pages,
// what stands on its console and what leaves this computer. .ci/browser prepares
// what it needs, and says where it is by the environment:
//
//	BED_WIKI      the program under test
//	BED_CHROMIUM  the browser
//	BED_AXE       axe.min.js, which judges whether everybody can use a page
//	BED_SHOTS     the folder for screenshots
//	BED_SAMPLE    the sample vault
//
// It is a module of its own, so that no product depends on a browser.
package dashboard
