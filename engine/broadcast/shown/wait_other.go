//go:build !unix

package shown

const withoutWaiting = 0 // a pipe is no name in a folder there
