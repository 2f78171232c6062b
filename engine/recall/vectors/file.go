package vectors

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"time"
	"vaultdispatcher/engine/recall/cachefile"
)

// vectorLayout is the number of the tables below.
const vectorLayout = 1

// gone is when the last chunk with that text went, in Unix seconds; 0 while
// there is one. A note that is renamed, moved or on a disk that is away for a
// while gets its vectors back.
const vectorSchema = `
CREATE TABLE model (fingerprint TEXT NOT NULL, dim INTEGER NOT NULL);
CREATE TABLE vectors (hash BLOB PRIMARY KEY, vec BLOB NOT NULL, gone INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;`

// keepGone is how long the vector of a text is kept that no note has.
const keepGone = 30 * 24 * time.Hour

// vectorFile is the file, for the vectors of one model.
type vectorFile struct {
	path        string
	fingerprint string
	db          *sql.DB
}

// openVectors opens the file. One that is damaged, of another layout or of
// another model is made anew.
func openVectors(ctx context.Context, path, fingerprint string) (*vectorFile, error) {
	f := &vectorFile{path: path, fingerprint: fingerprint}
	err := f.openDatabase(ctx)
	if err == nil || ctx.Err() != nil {
		return f, err
	}
	f.close()
	if err := cachefile.Remove(path); err != nil {
		return nil, err
	}
	if err := f.openDatabase(ctx); err != nil {
		f.close()
		return nil, err
	}
	return f, nil
}

// rewriteFile makes the file again, with the vectors in memory: to embed a vault a
// second time may take hours.
func (v *Store) rewriteFile(ctx context.Context) error {
	v.file.close()
	v.file = nil
	if err := cachefile.Remove(v.path); err != nil {
		return fmt.Errorf("remove the damaged vectors: %w", err)
	}
	file, err := openVectors(ctx, v.path, v.Embedder.Fingerprint())
	if err != nil {
		return fmt.Errorf("make the file of vectors again: %w", err)
	}
	v.mu.RLock()
	dim, list := v.space.dim, v.space.listVectors()
	v.mu.RUnlock()
	if err := file.storeVectors(ctx, dim, list); err != nil {
		file.close()
		return fmt.Errorf("keep vectors: %w", err)
	}
	v.file = file
	return nil
}

func (f *vectorFile) close() {
	if f.db != nil {
		_ = f.db.Close() // a cache; what is not in it is made again
	}
}

func (f *vectorFile) openDatabase(ctx context.Context) (err error) {
	if f.db, err = cachefile.Open(f.path, "&_txlock=immediate", 1); err != nil {
		return err
	}
	tx, err := f.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var version int
	if err := tx.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return err
	}
	if version == 0 {
		if _, err := tx.ExecContext(ctx, vectorSchema+fmt.Sprintf("PRAGMA user_version=%d", vectorLayout)); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, "INSERT INTO model VALUES(?, 0)", f.fingerprint); err != nil {
			return err
		}
		version = vectorLayout
	}
	var fingerprint string
	if err := tx.QueryRowContext(ctx, "SELECT fingerprint FROM model").Scan(&fingerprint); err != nil {
		return err
	}
	if version != vectorLayout || fingerprint != f.fingerprint {
		return cachefile.ErrForeign
	}
	if _, err := tx.ExecContext(ctx, "DELETE FROM vectors WHERE gone > 0 AND gone < ?", time.Now().Add(-keepGone).Unix()); err != nil {
		return err
	}
	return tx.Commit()
}

// loadVectors reads all vectors that some chunk has, and counts the others.
func (f *vectorFile) loadVectors(ctx context.Context) (s *space, gone int, err error) {
	var dim int
	if err := f.db.QueryRowContext(ctx, "SELECT dim, (SELECT count(*) FROM vectors WHERE gone > 0) FROM model").Scan(&dim, &gone); err != nil {
		return nil, 0, err
	}
	s = newSpace(dim)
	rows, err := f.db.QueryContext(ctx, "SELECT hash, vec FROM vectors WHERE gone = 0")
	if err != nil {
		return nil, 0, err
	}
	defer rows.Close()
	for rows.Next() {
		var hash, vec sql.RawBytes
		if err := rows.Scan(&hash, &vec); err != nil {
			return nil, 0, err
		}
		bytes, scale := unpackVector(vec)
		s.addVector(KeyOf(hash), bytes, scale)
	}
	return s, gone, rows.Err()
}

// storedVector is a vector as the file has it.
type storedVector struct {
	key   Key
	bytes []int8
	scale float32
}

// storeVectors stores vectors. When they have another length than the stored ones, the
// model was exchanged under its name, and the stored ones go.
func (f *vectorFile) storeVectors(ctx context.Context, dim int, list []storedVector) error {
	tx, err := f.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	for _, q := range []string{
		"DELETE FROM vectors WHERE (SELECT dim FROM model) <> ?1 AND ?1 > 0",
		"UPDATE model SET dim = ?1 WHERE ?1 > 0",
	} {
		if _, err := tx.ExecContext(ctx, q, dim); err != nil {
			return err
		}
	}
	for _, s := range list {
		if _, err := tx.ExecContext(ctx, "INSERT OR REPLACE INTO vectors(hash, vec) VALUES(?,?)", s.key[:], packVector(s.bytes, s.scale)); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// restoreVector returns the vector of a text that has come back.
func (f *vectorFile) restoreVector(ctx context.Context, k Key) (bytes []int8, scale float32, ok bool, err error) {
	var vec []byte
	err = f.db.QueryRowContext(ctx, "UPDATE vectors SET gone = 0 WHERE hash = ? RETURNING vec", k[:]).Scan(&vec)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, 0, false, nil
	}
	bytes, scale = unpackVector(vec)
	return bytes, scale, err == nil, err
}

// markGone records that no chunk has these texts any more.
func (f *vectorFile) markGone(ctx context.Context, keys []Key) error {
	tx, err := f.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	for _, k := range keys {
		if _, err := tx.ExecContext(ctx, "UPDATE vectors SET gone = ? WHERE hash = ?", time.Now().Unix(), k[:]); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// packVector writes a vector as its scale and its bytes; one without numbers is empty.
func packVector(bytes []int8, scale float32) []byte {
	if scale == 0 {
		return []byte{}
	}
	out := binary.LittleEndian.AppendUint32(make([]byte, 0, 4+len(bytes)), math.Float32bits(scale))
	for _, b := range bytes {
		out = append(out, byte(b))
	}
	return out
}

func unpackVector(vec []byte) (bytes []int8, scale float32) {
	if len(vec) < 4 {
		return nil, 0
	}
	bytes = make([]int8, len(vec)-4)
	for i, b := range vec[4:] {
		bytes[i] = int8(b)
	}
	return bytes, math.Float32frombits(binary.LittleEndian.Uint32(vec))
}
