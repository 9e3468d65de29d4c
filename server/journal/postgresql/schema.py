"""The tables of the record on PostgreSQL: making and checking them.

Two roles have to do with it. The one that prepares the database owns the tables. The server's own role may read them
and add to them; it may change or delete nothing of the record, whatever the program does. Triggers refuse it to
everybody else too. A small second part, who leads which table and who is admitted, is there to be changed.
"""

from __future__ import annotations

from typing import Any

import psycopg
from psycopg import sql

from server.journal.postgresql.database import OLDEST, SCHEMA, Database, complaint
from speech.complaint import Complaint, Phrase

MAINTENANCE = "postgres"
"""The database that each server of PostgreSQL has, from which another one can be made."""

FORM = 3
FENCED = "AE001"
"""The SQLSTATE of an append by a server that does not lead the table any more."""
REFUSED = "23000"
"""The SQLSTATE of what contradicts the record (integrity_constraint_violation)."""

RECORD = ("events", "outcomes", "witnesses", "runs")

_TABLES = f"""
CREATE SCHEMA {SCHEMA};
SET search_path = {SCHEMA}, pg_temp;

CREATE TABLE about (form integer NOT NULL);
INSERT INTO about VALUES (1);

CREATE TABLE servers (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    addresses text[] NOT NULL,
    renewed timestamptz NOT NULL DEFAULT clock_timestamp(),
    ended boolean NOT NULL DEFAULT false
);

CREATE TABLE leases (
    "table" text PRIMARY KEY CHECK ("table" <> ''),
    server bigint NOT NULL REFERENCES servers (number),
    fence bigint NOT NULL CHECK (fence >= 1)
);

CREATE TABLE runs (
    number bigint GENERATED ALWAYS AS IDENTITY,
    run text PRIMARY KEY CHECK (run <> ''),
    started_mono_ms bigint NOT NULL,
    started_wall_ms bigint NOT NULL,
    program_version text NOT NULL,
    digest bytea
);

CREATE TABLE outcomes (
    command text PRIMARY KEY CHECK (command ~ '^[0-9a-f]{{32}}$'),
    "table" text NOT NULL,
    station text NOT NULL,
    body bytea NOT NULL,
    digest bytea,
    fence bigint NOT NULL
);

CREATE TABLE events (
    "table" text NOT NULL CHECK ("table" <> ''),
    seq bigint NOT NULL CHECK (seq >= 1),
    run text NOT NULL REFERENCES runs (run),
    command text NOT NULL CHECK (command = '' OR command ~ '^[0-9a-f]{{32}}$'),
    station text NOT NULL,
    seat text NOT NULL,
    origin text NOT NULL,
    mono_ms bigint NOT NULL,
    wall_ms bigint NOT NULL,
    version bigint NOT NULL,
    kind text NOT NULL,
    body bytea NOT NULL,
    link bytea,
    fence bigint NOT NULL,
    PRIMARY KEY ("table", seq)
);

CREATE TABLE witnesses (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    run text NOT NULL REFERENCES runs (run),
    mono_ms bigint NOT NULL,
    wall_ms bigint NOT NULL,
    digest bytea
);
CREATE INDEX witnesses_of_run ON witnesses (run, number);

CREATE TABLE admissions (
    token_sha256 bytea PRIMARY KEY CHECK (length(token_sha256) = 32),
    "table" text NOT NULL,
    station text NOT NULL,
    role text NOT NULL,
    seat text NOT NULL,
    duties text NOT NULL,
    admitted_wall_ms bigint NOT NULL,
    revoked_wall_ms bigint
);
CREATE TABLE reach (
    token_sha256 bytea NOT NULL CHECK (length(token_sha256) = 32),
    "table" text NOT NULL,
    revoked_wall_ms bigint,
    as_seat text,
    PRIMARY KEY (token_sha256, "table")
);

CREATE FUNCTION only_added_to() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the record is only added to' USING ERRCODE = '{REFUSED}';
END $$;

-- Without a gap, from whatever process it comes.
CREATE FUNCTION next_of_table() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.seq <> (SELECT coalesce(max(seq), 0) + 1 FROM {SCHEMA}.events WHERE "table" = NEW."table") THEN
        RAISE EXCEPTION 'seq is not the next of its table' USING ERRCODE = '{REFUSED}';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER gapless BEFORE INSERT ON events FOR EACH ROW EXECUTE FUNCTION next_of_table();

-- Who takes a table over raises its number. The lock lets that wait for a transaction that is being written.
CREATE FUNCTION led() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM 1 FROM {SCHEMA}.leases WHERE "table" = NEW."table" AND fence = NEW.fence FOR SHARE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'another server leads table %', NEW."table" USING ERRCODE = '{FENCED}';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER led BEFORE INSERT ON events FOR EACH ROW EXECUTE FUNCTION led();
CREATE TRIGGER led BEFORE INSERT ON outcomes FOR EACH ROW EXECUTE FUNCTION led();

-- A number that goes back would let a server write that slept.
CREATE FUNCTION fence_rises() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' OR NEW.fence <= OLD.fence OR NEW."table" <> OLD."table" THEN
        RAISE EXCEPTION 'the number of a lease only rises' USING ERRCODE = '{REFUSED}';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER rises BEFORE UPDATE OR DELETE ON leases FOR EACH ROW EXECUTE FUNCTION fence_rises();
"""


_SECOND_FORM = f"""
-- A server that shares the hall leads the tables whose leases are its own; the others are of its neighbours.
ALTER TABLE servers ADD COLUMN shares boolean NOT NULL DEFAULT false;

-- Which server shall lead a table next: the one that leads it reads this, and hands it over.
ALTER TABLE leases ADD COLUMN wanted bigint REFERENCES servers (number);

CREATE OR REPLACE FUNCTION fence_rises() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' OR NEW."table" <> OLD."table" OR NEW.fence < OLD.fence
        OR (NEW.server <> OLD.server AND NEW.fence = OLD.fence) THEN
        RAISE EXCEPTION 'the number of a lease only rises' USING ERRCODE = '{REFUSED}';
    END IF;
    RETURN NEW;
END $$;

UPDATE about SET form = 2;
"""


_THIRD_FORM = f"""
-- Who was sent away stays away: a revocation is written once, and nothing else of an admission is ever changed.
CREATE FUNCTION revoked_once() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.revoked_wall_ms IS NOT NULL AND NEW IS DISTINCT FROM OLD
        OR (to_jsonb(NEW) - 'revoked_wall_ms') <> (to_jsonb(OLD) - 'revoked_wall_ms') THEN
        RAISE EXCEPTION 'a device that was sent away stays away' USING ERRCODE = '{REFUSED}';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER revoked_once BEFORE UPDATE ON admissions FOR EACH ROW EXECUTE FUNCTION revoked_once();

-- A table is given to a device again only while the device itself was not sent away.
CREATE FUNCTION reaches_while_it_stands() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.revoked_wall_ms IS NOT NULL AND NEW.revoked_wall_ms IS NULL AND NOT EXISTS (
        SELECT 1 FROM {SCHEMA}.admissions a WHERE a.token_sha256 = NEW.token_sha256 AND a.revoked_wall_ms IS NULL
    ) THEN
        RAISE EXCEPTION 'a device that was sent away stays away' USING ERRCODE = '{REFUSED}';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER reaches BEFORE UPDATE ON reach FOR EACH ROW EXECUTE FUNCTION reaches_while_it_stands();

-- The number of a lease rises by one: whoever raised it to the largest there is would end every later server.
CREATE OR REPLACE FUNCTION fence_rises() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        IF NEW.fence <> 1 THEN
            RAISE EXCEPTION 'the number of a lease begins with one' USING ERRCODE = '{REFUSED}';
        END IF;
        RETURN NEW;
    END IF;
    IF TG_OP = 'DELETE' OR NEW."table" <> OLD."table" OR NEW.fence < OLD.fence OR NEW.fence > OLD.fence + 1
        OR (NEW.server <> OLD.server AND NEW.fence = OLD.fence) THEN
        RAISE EXCEPTION 'the number of a lease only rises' USING ERRCODE = '{REFUSED}';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER begins BEFORE INSERT ON leases FOR EACH ROW EXECUTE FUNCTION fence_rises();

UPDATE about SET form = 3;
"""


def _refusals() -> str:
    return "\n".join(
        f"CREATE TRIGGER only_added_to BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
        "FOR EACH STATEMENT EXECUTE FUNCTION only_added_to();"
        for table in RECORD
    )


GUARDED = (*RECORD, "leases", "admissions", "reach")
TRIGGERS = len(RECORD) + 7
"""`only_added_to` at each table of the record, `gapless`, `led` twice, `rises`, `begins`, `revoked_once`, `reaches`."""

_GRANTS = f"""
GRANT USAGE ON SCHEMA {SCHEMA} TO {{role}};
GRANT SELECT ON ALL TABLES IN SCHEMA {SCHEMA} TO {{role}};
GRANT INSERT ON {", ".join(RECORD)}, servers, leases, admissions, reach TO {{role}};
GRANT UPDATE ON servers, leases, admissions, reach TO {{role}};
"""


def make_database(database: Database) -> None:
    """Make the database itself, without any table, where its server has none of that name. Raises Complaint."""
    try:
        database.connect().close()
    except psycopg.OperationalError as wrong:
        first = complaint(database, wrong)
    else:
        return
    try:
        with database.at_another(dbname=MAINTENANCE).connect() as connection:
            question = "SELECT 1 FROM pg_database WHERE datname = %s"
            if connection.execute(question, (database.name,)).fetchone() is not None:
                raise first
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(database.name)))
    except psycopg.OperationalError:
        raise first from None
    except psycopg.Error as wrong:
        raise complaint(database, wrong) from wrong


def prepare_database(database: Database, role: str, password: str = "", *, anew: bool = False) -> None:
    """Make the tables, and the role of the server, which may add to the record and change nothing of it.

    Tables that are there keep what is in them, and those of an older program get what is new. A role that is there
    keeps its password, unless it is given one `anew`. Raises Complaint.
    """
    try:
        with database.connect() as connection, connection.transaction():
            _check_version(connection, database)
            if connection.execute("SELECT current_user").fetchone() == (role,):
                raise Complaint(Phrase("record.owned", role=role))
            there = has_role(database, role)
            if anew or not there:
                _give_login(connection, role, password, there=there)
            form = _form(connection)
            if form is None:
                connection.execute(_TABLES + _refusals() + _SECOND_FORM + _THIRD_FORM)
            else:
                if form == 1:
                    connection.execute(_SECOND_FORM.encode())
                if form in (1, 2):
                    connection.execute(_THIRD_FORM.encode())
                _check_form(connection, database)
                for table in GUARDED:
                    connection.execute(f"ALTER TABLE {table} ENABLE TRIGGER USER".encode())
            connection.execute(sql.SQL(_GRANTS).format(role=sql.Identifier(role)))
    except psycopg.Error as wrong:
        raise complaint(database, wrong) from wrong


def has_role(database: Database, role: str) -> bool:
    """Say whether the database has a role of this name. Raises Complaint where it does not answer."""
    try:
        with database.connect() as connection:
            return connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", (role,)).fetchone() is not None
    except psycopg.Error as wrong:
        raise complaint(database, wrong) from wrong


def check_database(database: Database, *, reading: bool = False) -> None:
    """Check that a server may use this database as its role. `reading`: it only reads.

    Raises Complaint: it does not answer or lets the role not in, it is too old, is not prepared, is of a newer program,
    or lets this role change the record.
    """
    try:
        with database.connect(read_only=reading) as connection:
            _check_version(connection, database)
            _check_form(connection, database)
            if not reading:
                _check_rights(connection, database)
                _check_triggers(connection, database)
    except psycopg.Error as wrong:
        raise complaint(database, wrong) from wrong


def _check_version(connection: psycopg.Connection[tuple[Any, ...]], database: Database) -> None:
    version = connection.info.server_version // 10_000
    if version < OLDEST:
        raise Complaint(Phrase("record.old_database", database=database.shown, version=version, oldest=OLDEST))


def _form(connection: psycopg.Connection[tuple[Any, ...]]) -> int | None:
    if connection.execute("SELECT to_regclass(%s)", (f"{SCHEMA}.about",)).fetchone() == (None,):
        return None
    row = connection.execute("SELECT form FROM about").fetchone()
    return None if row is None else int(row[0])


def _check_form(connection: psycopg.Connection[tuple[Any, ...]], database: Database) -> None:
    form = _form(connection)
    if form is None:
        raise Complaint(
            Phrase(
                "record.not_prepared", database=database.shown, command="anna-eins record prepare ADDRESS --role NAME"
            )
        )
    if form < FORM:
        raise Complaint(Phrase("record.older", record=database.shown, command="anna-eins record prepare"))
    if form > FORM:
        raise Complaint(Phrase("record.newer", record=database.shown, form=form, most=FORM))


def _check_rights(connection: psycopg.Connection[tuple[Any, ...]], database: Database) -> None:
    rights = "UPDATE, DELETE, TRUNCATE, TRIGGER"
    question = f"SELECT bool_or(has_table_privilege(t, '{rights}')) FROM unnest(%s::text[]) AS t"
    if connection.execute(question, ([f"{SCHEMA}.{table}" for table in RECORD],)).fetchone() != (False,):
        raise Complaint(
            Phrase("record.role_changes", record=database.shown, command="anna-eins record prepare ADDRESS --role NAME")
        )
    if connection.execute("SHOW fsync").fetchone() != ("on",):
        raise Complaint(Phrase("record.no_fsync", database=database.shown))


def _check_triggers(connection: psycopg.Connection[tuple[Any, ...]], database: Database) -> None:
    question = (
        "SELECT count(*) FROM pg_trigger WHERE tgrelid = ANY (%s::regclass[]) AND NOT tgisinternal AND tgenabled = 'O'"
    )
    tables = [f"{SCHEMA}.{table}" for table in GUARDED]
    if connection.execute(question, (tables,)).fetchone() != (TRIGGERS,):
        raise Complaint(Phrase("record.guard_gone", record=database.shown, command="anna-eins record prepare"))


def _give_login(connection: psycopg.Connection[tuple[Any, ...]], role: str, password: str, *, there: bool) -> None:
    # The password is encrypted here, so that no log of the database has it.
    begun = "ALTER ROLE {} LOGIN" if there else "CREATE ROLE {} LOGIN"
    statement = sql.SQL(begun).format(sql.Identifier(role))
    if password:
        hidden = connection.pgconn.encrypt_password(password.encode(), role.encode(), b"scram-sha-256").decode()
        statement += sql.SQL(" PASSWORD {}").format(sql.Literal(hidden))
    connection.execute(statement)
