/**
 * One PostgreSQL for a run. Databases are copies of each other: so is a backup. Stories share one, which is put back to
 * its beginning in between: that is a good part quicker than another copy.
 */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '@dct/local-services'
import pg from 'pg'
import { closeConnections } from './connections.ts'

export type Databases = {
  urlOf(name: string): string
  create(name: string, template?: string): Promise<void>
  drop(name: string): Promise<void>
  /** Lets a database and its later copies return to what it contains now. */
  markBeginning(name: string): Promise<void>
  /** Puts a database back to the beginning that was marked. Nobody else may use it meanwhile. */
  putBack(name: string): Promise<void>
  stop(): Promise<void>
}

/** A crash of the database itself loses all, and its files are never read again. */
const SETTINGS = {
  ...{ max_wal_size: '4GB', checkpoint_timeout: '1d', autovacuum: 'off' },
  ...{ wal_level: 'minimal', max_wal_senders: '0' },
  // Planned once for each connection: with tables as small as these, planning is most of the cost.
  plan_cache_mode: 'force_generic_plan',
}

export async function startDatabases(): Promise<Databases> {
  const dir = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'dct-simulation-'))
  chmodSync(dir, 0o755)
  const sockets = join(dir, 'sockets')
  mkdirSync(sockets)
  chmodSync(sockets, 0o777)
  const settings = { ...SETTINGS, unix_socket_directories: sockets }
  const server = await startPostgres({ dir, fast: true, settings })
  const admin = new pg.Client({ connectionString: server.url })
  await admin.connect()
  const urlOf = (name: string) => {
    const url = new URL(server.url)
    url.pathname = `/${name}`
    // A socket of the system takes a good part less than one of the network.
    url.searchParams.set('host', sockets)
    return url.href
  }
  const endSessions = async (name: string) => {
    closeConnections(name)
    await admin.query(
      'select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = $1',
      [name],
    )
  }
  const within = async (name: string, statements: readonly string[]) => {
    const client = new pg.Client({ connectionString: urlOf(name) })
    await client.connect()
    for (const statement of statements) await client.query(statement)
    await client.end()
  }
  return {
    urlOf,
    async create(name, template = 'template1') {
      await endSessions(template)
      await admin.query(`create database ${name} template ${template} strategy file_copy`)
    },
    async drop(name) {
      closeConnections(name)
      await admin.query(`drop database if exists ${name} with (force)`)
    },
    markBeginning: (name) => within(name, [COPY_ROWS, DEFINE_RETURN]),
    putBack: (name) => within(name, ['select beginning.put_back()']),
    async stop() {
      await admin.end()
      await server.stop()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

const TABLES = `
  select c.oid, c.relname as name, string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
    and not a.attisdropped and a.attgenerated = ''
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
  group by c.oid order by c.relname`

const COPY_ROWS = `
  create schema beginning;
  do $do$
  declare one record;
  begin
    for one in ${TABLES} loop
      execute format('create table beginning.%I as table public.%I', one.name, one.name);
    end loop;
  end $do$`

/**
 * Tables in which a row was written since the last return, or is gone, get the rows of the beginning. Constraints and
 * triggers have held once. Rows that are gone leave their place in the files, so each database serves a few stories only.
 */
const DEFINE_RETURN = `
  do $do$
  declare body text := '';
  declare one record;
  begin
    create table beginning.returned as select pg_current_xact_id()::text::bigint as by;
    for one in ${TABLES} loop
      body := body || format('if (select count(*) <> (select count(*) from beginning.%1$I)
        or max(xmin::text::bigint) > last from public.%1$I) then
        delete from public.%1$I; insert into public.%1$I (%2$s) overriding system value select %2$s from beginning.%1$I;
        end if;', one.name, one.columns);
    end loop;
    for one in select sequencename as name, coalesce(last_value, start_value) as value,
      last_value is not null as is_called from pg_sequences where schemaname = 'public' loop
      body := body || format('perform setval(%L, %s, %L);', format('public.%I', one.name), one.value, one.is_called);
    end loop;
    execute format('create function beginning.put_back() returns void language plpgsql
      set session_replication_role = replica as %L', 'declare last bigint := (select by from beginning.returned);
      begin ' || body || ' update beginning.returned set by = pg_current_xact_id()::text::bigint; end');
  end $do$`
