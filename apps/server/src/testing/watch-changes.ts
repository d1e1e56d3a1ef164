import { sql } from 'kysely'
import type { Db } from '../platform/database/db.ts'
import { NOT_FACTS } from './database-state.ts'

/** Runs a statement for every table, whose name takes the place of `%s`. */
export async function onEveryTable(db: Db, statement: string): Promise<void> {
  await sql`
    do $$ declare one record; begin
      for one in select oid::regclass as name from pg_class
        where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace
      loop execute format(${sql.lit(statement)}, one.name); end loop;
    end $$`.execute(db)
}

/** Notes from now on in which tables rows change, whoever changes them; what is rolled back has not changed. */
export async function watchChanges(db: Db): Promise<{ take(): Promise<string[]> }> {
  await sql`
    create schema watched;
    create table watched.change (name text not null);
    create function watched.note() returns trigger language plpgsql as
      $$ begin insert into watched.change values (tg_relid::regclass::text); return null; end $$;
  `.execute(db)
  await onEveryTable(
    db,
    'create trigger watched after insert or update or delete on %s for each row execute function watched.note()',
  )
  return {
    /** The tables that have changed since the last time, but for those that every request may change. */
    async take() {
      const { rows } = await sql<{
        name: string
      }>`delete from watched.change returning name`.execute(db)
      const names = new Set(rows.map(({ name }) => name))
      return [...names].filter((name) => !NOT_FACTS.has(name)).sort()
    },
  }
}
