module vaultdispatcher/watchbench

go 1.26.0

require github.com/hanwen/go-fuse/v2 v2.12.1

require (
	github.com/fsnotify/fsnotify v1.10.1
	golang.org/x/sys v0.49.0
	vaultdispatcher v0.0.0-00010101000000-000000000000
)

require golang.org/x/text v0.43.0 // indirect

replace vaultdispatcher => ../..
