package copies

import "os"

// countLinks: Windows tells the number only of an open file, and so two names are two notes there.
func countLinks(os.FileInfo) uint64 { return 1 }
