package files

import "io"

// ReadLimited reads to the end, and no further than most bytes. It returns what came up
// to there, whether that is all there is, and the error that ended it earlier. With an
// error it is not all.
func ReadLimited(r io.Reader, most int64) (data []byte, isWhole bool, err error) {
	data, err = io.ReadAll(io.LimitReader(r, most+1))
	if int64(len(data)) > most {
		return data[:most], false, err
	}
	return data, err == nil, err
}
