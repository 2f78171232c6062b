package copies

import "os"

// identify: Windows tells which file it is, and the number of names, only of an open file. So two names are two notes there.
func identify(os.FileInfo) (id fileID, names uint64) { return fileID{}, 1 }
