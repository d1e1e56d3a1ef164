import { type Kysely, sql } from 'kysely'

/** Differences between the books that stand: what they speak of is not paid until they are gone. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table payout_halt (
      source text not null,
      kind text not null check (kind in ('plan', 'payout', 'chain')),
      scope text not null,
      reason text not null,
      since timestamptz not null,
      primary key (kind, scope, source)
    )`.execute(db)
}
