-- The journal's form 2, as the program wrote it then.
PRAGMA application_id = 1097756257;
PRAGMA user_version = 2;
PRAGMA foreign_keys = OFF;
BEGIN TRANSACTION;
CREATE TABLE events (
    "table" TEXT NOT NULL CHECK ("table" <> ''),
    seq INTEGER NOT NULL CHECK (seq >= 1),
    run TEXT NOT NULL REFERENCES runs (run),
    command TEXT NOT NULL CHECK (command = '' OR (length(command) = 32 AND command NOT GLOB '*[^0-9a-f]*')),
    station TEXT NOT NULL,
    seat TEXT NOT NULL,
    origin TEXT NOT NULL,
    mono_ms INTEGER NOT NULL,
    wall_ms INTEGER NOT NULL,
    version INTEGER NOT NULL,
    kind TEXT NOT NULL,
    body BLOB NOT NULL, link BLOB,
    PRIMARY KEY ("table", seq)
) STRICT, WITHOUT ROWID;
INSERT INTO "events" VALUES('t1',1,'r1','','','','',5,1700000000005,1,'opened',X'7B2274797065223A226F70656E6564227D',X'9DFF0E77FB441B53E6CE11178770CBC8236A41173DD132492DBACDF011BB7B10');
INSERT INTO "events" VALUES('t1',2,'r1','00112233445566778899aabbccddeeff','board-1','white','heard',90,1700000000090,1,'announced',X'7B22776F726473223A224CC3A47566657220672065696E73227D',X'BAA1DBF128FAA510AF286F1DC6C8F042EF6A678363B02CD4BDAF7C538DE2D506');
CREATE TABLE outcomes (
    command TEXT PRIMARY KEY CHECK (length(command) = 32 AND command NOT GLOB '*[^0-9a-f]*'),
    "table" TEXT NOT NULL,
    station TEXT NOT NULL,
    body BLOB NOT NULL
, digest BLOB) STRICT, WITHOUT ROWID;
INSERT INTO "outcomes" VALUES('00112233445566778899aabbccddeeff','t1','board-1',X'7B226F6B223A747275657D',X'D0AE1534D12352698CD7EBA569D178FA2EB60D738FC7E4C2406FB3CBAD697C14');
CREATE TABLE runs (
    run TEXT PRIMARY KEY CHECK (run <> ''),
    started_mono_ms INTEGER NOT NULL,
    started_wall_ms INTEGER NOT NULL,
    program_version TEXT NOT NULL
, digest BLOB) STRICT;
INSERT INTO "runs" VALUES('r1',0,1700000000000,'0.1.0',X'B4424F5B5FC58C2B0F8E1E85313D91A3B1D07531F65350743166AD4763613025');
CREATE TABLE witnesses (
    number INTEGER PRIMARY KEY,
    run TEXT NOT NULL REFERENCES runs (run),
    mono_ms INTEGER NOT NULL,
    wall_ms INTEGER NOT NULL
, digest BLOB) STRICT;
INSERT INTO "witnesses" VALUES(1,'r1',1000,1700000001000,X'E82A81F0C47B551E24B3101C0DF930FD2AE01BF2BC72D8A6465CC7BF7E7E195D');
CREATE INDEX witnesses_of_run ON witnesses (run, number);
CREATE TRIGGER events_gapless BEFORE INSERT ON events
WHEN NEW.seq <> (SELECT coalesce(max(seq), 0) + 1 FROM events WHERE "table" = NEW."table")
BEGIN SELECT RAISE(ABORT, 'seq is not the next of its table'); END;
CREATE TRIGGER outcomes_once BEFORE INSERT ON outcomes
WHEN EXISTS (SELECT 1 FROM outcomes WHERE command = NEW.command)
BEGIN SELECT RAISE(ABORT, 'the command has its outcome already'); END;
CREATE TRIGGER runs_once BEFORE INSERT ON runs
WHEN EXISTS (SELECT 1 FROM runs WHERE run = NEW.run)
BEGIN SELECT RAISE(ABORT, 'the run is recorded already'); END;
CREATE TRIGGER witnesses_in_order BEFORE INSERT ON witnesses
WHEN NEW.number <> (SELECT coalesce(max(number), 0) + 1 FROM witnesses)
BEGIN SELECT RAISE(ABORT, 'number is not the next witness'); END;
CREATE TRIGGER events_no_update BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'the record is only added to'); END;
CREATE TRIGGER events_no_delete BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'the record is only added to'); END;
CREATE TRIGGER outcomes_no_update BEFORE UPDATE ON outcomes BEGIN SELECT RAISE(ABORT, 'the record is only added to'); END;
CREATE TRIGGER outcomes_no_delete BEFORE DELETE ON outcomes BEGIN SELECT RAISE(ABORT, 'the record is only added to'); END;
CREATE TRIGGER witnesses_no_update BEFORE UPDATE ON witnesses BEGIN SELECT RAISE(ABORT, 'the record is only added to'); END;
CREATE TRIGGER witnesses_no_delete BEFORE DELETE ON witnesses BEGIN SELECT RAISE(ABORT, 'the record is only added to'); END;
CREATE TRIGGER runs_no_update BEFORE UPDATE ON runs BEGIN SELECT RAISE(ABORT, 'the record is only added to'); END;
CREATE TRIGGER runs_no_delete BEFORE DELETE ON runs BEGIN SELECT RAISE(ABORT, 'the record is only added to'); END;
COMMIT;
