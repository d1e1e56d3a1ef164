import { sql } from 'kysely'
import type { TestDatabase } from './database.ts'

const LOCK = 4_242

/** A database whose disk takes writes late, not at all, or with an error of PostgreSQL's. */
export async function startHostileDisk({ db }: Pick<TestDatabase, 'db'>) {
  await sql`create table hostile_disk (code text, words text)`.execute(db)
  await sql`insert into hostile_disk values (null, null)`.execute(db)
  await sql`
    create function hostile_disk() returns trigger language plpgsql as $$
    declare disk hostile_disk;
    begin
      perform pg_advisory_xact_lock_shared(${sql.lit(LOCK)});
      select * into disk from hostile_disk;
      if disk.code is not null then
        raise exception using errcode = disk.code, message = disk.words;
      end if;
      return null;
    end $$`.execute(db)
  await sql`
    do $$ declare one regclass; begin
      for one in select oid from pg_class
        where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'hostile_disk'
      loop
        execute format('create trigger hostile_disk before insert or update or delete on %s
          execute function hostile_disk()', one);
      end loop;
    end $$`.execute(db)
  let release: (() => void) | undefined
  return {
    /** Every write waits until the disk is mended. */
    async hang() {
      const held = Promise.withResolvers<void>()
      const over = Promise.withResolvers<void>()
      void db.connection().execute(async (connection) => {
        await sql`select pg_advisory_lock(${LOCK})`.execute(connection)
        held.resolve()
        await over.promise
        await sql`select pg_advisory_unlock(${LOCK})`.execute(connection)
      })
      release = over.resolve
      await held.promise
    },
    isHanging: () => release !== undefined,
    async fail(code: string, words: string) {
      await sql`update hostile_disk set code = ${code}, words = ${words}`.execute(db)
    },
    async mend() {
      release?.()
      release = undefined
      await sql`update hostile_disk set code = null`.execute(db)
    },
  }
}
