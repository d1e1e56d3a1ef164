-- Double entry with one debit and one credit per transfer, so every booking balances by construction. Accounts store
-- two growing totals and no signed balance. Rows are written by `ledger_post` only; triggers refuse everything else.

-- An account in one asset. An account with many concurrent bookings is spread over shards; only for the others can a
-- single row show whether it is overdrawn.
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
) with (fillfactor = 50);

-- A movement of value. Its kind and reference identify the event that caused it, which is booked at most once. The
-- foreign keys include the asset, so both accounts have the transfer's asset.
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
);

-- Refuses changes and deletions.
create function ledger_refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger is append-only: % on % is refused', tg_op, tg_table_name
    using errcode = '23514', constraint = 'ledger_append_only';
end $$;
create trigger append_only before update or delete or truncate on ledger_transfer
  for each statement execute function ledger_refuse_change();
create trigger append_only before delete or truncate on ledger_account
  for each statement execute function ledger_refuse_change();

-- Refuses writes that do not come from `ledger_post`, which marks its transaction while it writes.
create function ledger_require_door() returns trigger language plpgsql as $$
begin
  if current_setting('ledger.is_posting', true) is distinct from 'yes' then
    raise exception 'only ledger_post may write: % on % is refused', tg_op, tg_table_name
      using errcode = '23514', constraint = 'ledger_append_only';
  end if;
  return null;
end $$;
create trigger door_only before insert or update on ledger_account
  for each statement execute function ledger_require_door();
create trigger door_only before insert on ledger_transfer
  for each statement execute function ledger_require_door();

-- A transfer as `ledger_post` takes it. A missing account is created with the given side and shard; no shard means that
-- the account is not spread.
create type ledger_entry as (
  debit text, debit_side text, debit_shard smallint, credit text, credit_side text, credit_shard smallint,
  asset text, amount numeric, kind text, ref text, at timestamptz
);

-- Books a JSON list of transfers and returns how many were new. A transfer that exists with the same content is
-- skipped; with different content it is an error. Accounts are locked first and in a fixed order, then the transfers
-- are written; in the opposite order, the locks of their foreign keys could deadlock. Each account is looked up once
-- and always by an index: a session caches the plans of its functions, and one made while the ledger was small would
-- later scan all of it for every booking.
create function ledger_post(p_entries jsonb) returns integer
language plpgsql set search_path = public, pg_temp set enable_seqscan = off
set plan_cache_mode = force_generic_plan as $$
declare
  v_entries ledger_entry[];
  v_debits bigint[];
  v_credits bigint[];
  v_new record;
  v_entry ledger_entry;
begin
  select array_agg(e) into v_entries from jsonb_populate_recordset(null::ledger_entry, p_entries) e;
  set local ledger.is_posting = 'yes';

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
      returning debit_id, credit_id, amount)
  select array_agg(debit_id) as debits, array_agg(credit_id) as credits, array_agg(amount) as amounts,
    count(*)::integer as count into v_new from written;

  update ledger_account a set debits = a.debits + moved.debit, credits = a.credits + moved.credit
    from (
      select id, sum(debit) as debit, sum(credit) as credit from (
        select unnest(v_new.debits) as id, unnest(v_new.amounts) as debit, 0 as credit
        union all select unnest(v_new.credits), 0, unnest(v_new.amounts)) each group by id) moved
    where a.id = moved.id;

  if v_new.count < cardinality(v_entries) then
    for v_at in 1..cardinality(v_entries) loop
      v_entry := v_entries[v_at];
      perform from ledger_transfer t where t.kind = v_entry.kind and t.ref = v_entry.ref
        and (t.debit_id, t.credit_id, t.asset, t.amount)
          is distinct from (v_debits[v_at], v_credits[v_at], v_entry.asset, v_entry.amount);
      if found then
        raise exception 'transfer % of % exists with other content', v_entry.ref, v_entry.kind
          using errcode = '23505', constraint = 'ledger_transfer_content';
      end if;
    end loop;
  end if;
  set local ledger.is_posting = '';
  return v_new.count;
end $$;

-- Balances, for audit and reports.
create view ledger_account_view as select id, code, asset, shard, side, is_sharded, debits, credits from ledger_account;
-- Bookings, for audit and reports.
create view ledger_transfer_view as select kind, ref, debit_id, credit_id, asset, amount, at from ledger_transfer;
