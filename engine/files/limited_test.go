package files

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestReadLimited(t *testing.T) {
	broken := errors.New("the disk is gone")
	for name, test := range map[string]struct {
		from    io.Reader
		most    int64
		data    string
		isWhole bool
		err     error
	}{
		"below the limit":             {strings.NewReader("two"), 8, "two", true, nil},
		"just the limit":              {strings.NewReader("eight by"), 8, "eight by", true, nil},
		"one over":                    {strings.NewReader("nine byte"), 8, "nine byt", false, nil},
		"far over":                    {strings.NewReader(strings.Repeat("x", 5000)), 600, strings.Repeat("x", 600), false, nil},
		"empty":                       {strings.NewReader(""), 8, "", true, nil},
		"empty, and nothing may come": {strings.NewReader(""), 0, "", true, nil},
		"nothing may come":            {strings.NewReader("a"), 0, "", false, nil},
		"byte by byte to the limit":   {iotest.OneByteReader(strings.NewReader("eight by")), 8, "eight by", true, nil},
		"byte by byte over it":        {iotest.OneByteReader(strings.NewReader("nine byte")), 8, "nine byt", false, nil},
		"the end with the last bytes": {iotest.DataErrReader(strings.NewReader("eight by")), 8, "eight by", true, nil},
		"fails at once":               {iotest.ErrReader(broken), 8, "", false, broken},
		"fails in the middle":         {io.MultiReader(strings.NewReader("half"), iotest.ErrReader(broken)), 8, "half", false, broken},
		"fails at the limit":          {io.MultiReader(strings.NewReader("eight by"), iotest.ErrReader(broken)), 8, "eight by", false, broken},
		"fails behind the limit":      {io.MultiReader(strings.NewReader("nine byte"), iotest.ErrReader(broken)), 8, "nine byt", false, nil},
		"broken off":                  {io.MultiReader(strings.NewReader("half"), iotest.ErrReader(io.ErrUnexpectedEOF)), 8, "half", false, io.ErrUnexpectedEOF},
	} {
		t.Run(name, func(t *testing.T) {
			data, isWhole, err := ReadLimited(test.from, test.most)
			if string(data) != test.data || isWhole != test.isWhole || !errors.Is(err, test.err) {
				t.Errorf("read %q, whole %t, %v; want %q, %t, %v", data, isWhole, err, test.data, test.isWhole, test.err)
			}
		})
	}
}

// What comes behind the limit is left, but for the one byte that tells of it.
func TestReadLimitedLeaves(t *testing.T) {
	r := strings.NewReader(strings.Repeat("x", 10_000))
	if _, _, err := ReadLimited(r, 4_000); err != nil || r.Len() != 5_999 {
		t.Errorf("%d bytes are left, %v", r.Len(), err)
	}
}
