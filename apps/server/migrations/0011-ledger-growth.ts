import { type Kysely, sql } from 'kysely'

/**
 * The door of the ledger as before, but each account is looked up once and always by an index. A session keeps the
 * plans of its functions: joins that were planned while the ledger was small read all of it for every booking later on.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function ledger_post(p_entries jsonb) returns integer
      language plpgsql set search_path = public, pg_temp set enable_seqscan = off
      set plan_cache_mode = force_generic_plan as $$
    declare
      v_entries ledger_entry[];
      v_debits bigint[];
      v_credits bigint[];
      v_written integer;
      v_clash record;
    begin
      select array_agg(e) into v_entries from jsonb_populate_recordset(null::ledger_entry, p_entries) e;
      perform set_config('ledger.is_posting', 'yes', true);

      for v_try in 1..2 loop
        select array_agg(f.debit_id), array_agg(f.credit_id) into v_debits, v_credits from (
          select
            (select a.id from ledger_account a where a.code = e.debit and a.asset = e.asset
              and a.shard = coalesce(e.debit_shard, 0::smallint)) as debit_id,
            (select a.id from ledger_account a where a.code = e.credit and a.asset = e.asset
              and a.shard = coalesce(e.credit_shard, 0::smallint)) as credit_id
          from unnest(v_entries) e) f;
        exit when v_try = 2 or array_position(v_debits || v_credits, null) is null;

        insert into ledger_account (code, asset, shard, side, is_sharded)
          select n.code, n.asset, n.shard, n.side, n.is_sharded from (
            select debit as code, asset, coalesce(debit_shard, 0::smallint) as shard, debit_side as side,
              debit_shard is not null as is_sharded
              from rows from (unnest(v_entries), unnest(v_debits)) as e (debit, debit_side, debit_shard,
                credit, credit_side, credit_shard, asset, amount, kind, ref, at, id) where id is null
            union
            select credit, asset, coalesce(credit_shard, 0::smallint), credit_side, credit_shard is not null
              from rows from (unnest(v_entries), unnest(v_credits)) as e (debit, debit_side, debit_shard,
                credit, credit_side, credit_shard, asset, amount, kind, ref, at, id) where id is null) n
          order by n.code, n.asset, n.shard
          on conflict on constraint ledger_account_once do nothing;
      end loop;

      perform from ledger_account where id = any (v_debits || v_credits) order by id for no key update;

      with written as (
        insert into ledger_transfer (kind, ref, debit_id, credit_id, asset, amount, at)
          select e.kind, e.ref, e.debit_id, e.credit_id, e.asset, e.amount, e.at
          from rows from (unnest(v_entries), unnest(v_debits), unnest(v_credits)) as e (debit, debit_side,
            debit_shard, credit, credit_side, credit_shard, asset, amount, kind, ref, at, debit_id, credit_id)
          on conflict (kind, ref) do nothing
          returning debit_id, credit_id, amount),
      booked as (
        update ledger_account a set
            debits = a.debits + (select coalesce(sum(w.amount), 0) from written w where w.debit_id = a.id),
            credits = a.credits + (select coalesce(sum(w.amount), 0) from written w where w.credit_id = a.id)
          where a.id = any (v_debits || v_credits)
            and exists (select from written w where a.id in (w.debit_id, w.credit_id)))
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
