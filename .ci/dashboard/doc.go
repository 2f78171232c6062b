// Package dashboard tries the dashboard as a person uses it: a real engine with real notes, and Chromium. Chromium
// also counts breaches of the pages' policy, messages on its console and requests that leave this computer.
// .ci/browser prepares the parts, and names them in the environment:
//
//	BED_WIKI      the program under test
//	BED_CHROMIUM  the browser
//	BED_AXE       axe.min.js, which judges whether everybody can use a page
//	BED_PICTURE   .ci/picture, which prints the page of a note
//	BED_SHOTS     the folder for screenshots
//	BED_SAMPLE    the sample vault
//
// It is a module of its own, so that no product depends on a browser.
package dashboard
