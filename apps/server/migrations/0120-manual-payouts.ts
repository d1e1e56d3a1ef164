import { type Kysely, sql } from 'kysely'

/**
 * Payouts that an admin pays by hand. Once a payout is theirs, no transaction of the service can be
 * stored for it any more, and once one is stored, it can't become theirs: so whichever way the setting
 * is switched, only one of both ever pays.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table payout add column is_by_hand boolean not null default false,
      add constraint payout_by_hand check (not is_by_hand or (chain = 'BSC' and state <> 'signed'))`.execute(
    db,
  )
  await sql`
    create index payout_by_hand_open on payout (to_address, amount, id)
      where is_by_hand and state in ('queued', 'held')`.execute(db)
  await sql`
    create function payout_by_hand_keeps() returns trigger language plpgsql as $$
    begin
      if old.is_by_hand then
        raise exception 'payout % stays to be paid by hand', old.id
          using errcode = '23514', constraint = 'payout_by_hand';
      end if;
      if old.state <> 'queued' or exists (
          select from send_attempt where payout_id = old.id and state <> 'DEAD') then
        raise exception 'payout % is being sent', old.id
          using errcode = '23514', constraint = 'payout_by_hand';
      end if;
      return new;
    end $$`.execute(db)
  await sql`
    create trigger by_hand before update on payout for each row
      when (old.is_by_hand is distinct from new.is_by_hand) execute function payout_by_hand_keeps()`.execute(
    db,
  )
  await sql`
    create function send_attempt_not_by_hand() returns trigger language plpgsql as $$
    declare
      v_is_by_hand boolean;
    begin
      -- Waits for whoever is just handing the payout over.
      select is_by_hand into v_is_by_hand from payout where id = new.payout_id for share;
      if v_is_by_hand then
        raise exception 'payout % is paid by hand', new.payout_id
          using errcode = '23514', constraint = 'payout_by_hand';
      end if;
      return new;
    end $$`.execute(db)
  await sql`
    create trigger not_by_hand before insert on send_attempt for each row
      when (new.payout_id is not null) execute function send_attempt_not_by_hand()`.execute(db)
  await sql`
    create table hand_payment (
      payout_id bigint primary key references payout,
      tx_hash bytea not null check (octet_length(tx_hash) = 32),
      named_by bigint not null references app_user,
      named_at timestamptz not null,
      checked_at timestamptz,
      problem text
    )`.execute(db)
}
