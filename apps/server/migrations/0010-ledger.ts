import { type Kysely, sql } from 'kysely'

/**
 * Double entry with one debit and one credit a transfer, so every booking balances by construction. Accounts hold two
 * growing totals and no signed balance. The only door is `ledger_post`; triggers close every other.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createTables(db)
  await createGuards(db)
  await createDoor(db)
}

async function createTables(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table ledger_account (
      id bigint generated always as identity primary key,
      code text not null,
      asset text not null check (asset in ('DCT', 'USDT')),
      shard smallint not null check (shard between 0 and 15),
      side text not null check (side in ('credit', 'debit', 'free')),
      is_sharded boolean not null,
      debits numeric(78,0) not null default 0 check (debits >= 0),
      credits numeric(78,0) not null default 0 check (credits >= 0),
      constraint ledger_account_once unique (code, asset, shard),
      unique (id, asset),
      check (is_sharded or shard = 0),
      constraint ledger_account_not_overdrawn check (
        is_sharded or side = 'free'
        or (side = 'credit' and credits >= debits) or (side = 'debit' and debits >= credits)
      )
    ) with (fillfactor = 50)`.execute(db)
  await sql`
    create table ledger_transfer (
      kind text not null,
      ref text not null,
      debit_id bigint not null,
      credit_id bigint not null,
      asset text not null,
      amount numeric(78,0) not null check (amount > 0),
      at timestamptz not null,
      primary key (kind, ref),
      check (debit_id <> credit_id),
      foreign key (debit_id, asset) references ledger_account (id, asset),
      foreign key (credit_id, asset) references ledger_account (id, asset)
    )`.execute(db)
}

async function createGuards(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function ledger_refuse_change() returns trigger language plpgsql as $$
    begin
      raise exception 'the ledger is append-only: % on % is refused', tg_op, tg_table_name
        using errcode = '23514', constraint = 'ledger_append_only';
    end $$`.execute(db)
  await sql`
    create function ledger_require_door() returns trigger language plpgsql as $$
    begin
      if current_setting('ledger.is_posting', true) is distinct from 'yes' then
        raise exception 'only ledger_post may write: % on % is refused', tg_op, tg_table_name
          using errcode = '23514', constraint = 'ledger_append_only';
      end if;
      return null;
    end $$`.execute(db)
  await sql`
    create trigger append_only before update or delete or truncate on ledger_transfer
      for each statement execute function ledger_refuse_change()`.execute(db)
  await sql`
    create trigger append_only before delete or truncate on ledger_account
      for each statement execute function ledger_refuse_change()`.execute(db)
  for (const table of ['ledger_account', 'ledger_transfer']) {
    const events = table === 'ledger_account' ? 'insert or update' : 'insert'
    await sql`
      create trigger door_only before ${sql.raw(events)} on ${sql.table(table)}
        for each statement execute function ledger_require_door()`.execute(db)
  }
}

/**
 * Takes a JSON list of transfers. Accounts are locked first and in one order, then the transfers are written: the
 * other way round their foreign keys would take locks that collide and deadlock.
 */
async function createDoor(db: Kysely<unknown>): Promise<void> {
  await sql`
    create type ledger_entry as (
      debit text, debit_side text, debit_shard smallint, credit text, credit_side text, credit_shard smallint,
      asset text, amount numeric, kind text, ref text, at timestamptz
    )`.execute(db)
  await sql`
    create function ledger_post(p_entries jsonb) returns integer
      language plpgsql set search_path = public, pg_temp as $$
    declare
      v_entries ledger_entry[];
      v_written integer;
      v_clash record;
    begin
      select array_agg(e) into v_entries from jsonb_populate_recordset(null::ledger_entry, p_entries) e;
      perform set_config('ledger.is_posting', 'yes', true);

      insert into ledger_account (code, asset, shard, side, is_sharded)
        select n.code, n.asset, n.shard, n.side, n.is_sharded from (
          select debit as code, asset, coalesce(debit_shard, 0::smallint) as shard, debit_side as side,
            debit_shard is not null as is_sharded from unnest(v_entries)
          union
          select credit, asset, coalesce(credit_shard, 0::smallint), credit_side, credit_shard is not null
            from unnest(v_entries)) n
        where not exists (select from ledger_account a
          where a.code = n.code and a.asset = n.asset and a.shard = n.shard)
        order by n.code, n.asset, n.shard
        on conflict on constraint ledger_account_once do nothing;

      perform from ledger_account where id in (
          select a.id from unnest(v_entries) e join ledger_account a
            on a.code = e.debit and a.asset = e.asset and a.shard = coalesce(e.debit_shard, 0::smallint)
          union
          select a.id from unnest(v_entries) e join ledger_account a
            on a.code = e.credit and a.asset = e.asset and a.shard = coalesce(e.credit_shard, 0::smallint))
        order by id for no key update;

      with written as (
        insert into ledger_transfer (kind, ref, debit_id, credit_id, asset, amount, at)
          select e.kind, e.ref, d.id, c.id, e.asset, e.amount, e.at from unnest(v_entries) e
            join ledger_account d on d.code = e.debit and d.asset = e.asset
              and d.shard = coalesce(e.debit_shard, 0::smallint)
            join ledger_account c on c.code = e.credit and c.asset = e.asset
              and c.shard = coalesce(e.credit_shard, 0::smallint)
          on conflict (kind, ref) do nothing
          returning debit_id, credit_id, amount),
      moved as (
        select id, sum(debit) as debit, sum(credit) as credit from (
          select debit_id as id, amount as debit, 0 as credit from written
          union all select credit_id, 0, amount from written) m group by id),
      booked as (
        update ledger_account a set debits = a.debits + m.debit, credits = a.credits + m.credit
          from moved m where a.id = m.id)
      select count(*) into v_written from written;

      if v_written < cardinality(v_entries) then
        select e.kind, e.ref into v_clash from unnest(v_entries) e
          join ledger_transfer t on t.kind = e.kind and t.ref = e.ref
          join ledger_account d on d.id = t.debit_id
          join ledger_account c on c.id = t.credit_id
          where (d.code, c.code, t.asset, t.amount) is distinct from (e.debit, e.credit, e.asset, e.amount)
          limit 1;
        if found then
          raise exception 'transfer % of % exists with other content', v_clash.ref, v_clash.kind
            using errcode = '23505', constraint = 'ledger_transfer_content';
        end if;
      end if;
      perform set_config('ledger.is_posting', '', true);
      return v_written;
    end $$`.execute(db)
}
