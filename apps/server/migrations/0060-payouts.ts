import { type Kysely, sql } from 'kysely'

/**
 * Money that leaves. What is to be paid (`payout`) and what else is to be called on chain
 * (`operator_call`) are intents; every signed transaction for one of them is a `send_attempt`, whose
 * bytes are stored before anybody can send them. The keys below carry the promise that nobody is
 * paid twice: a second attempt needs a stored proof that the first can never count.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createIntents(db)
  await createAttempts(db)
  await createSenders(db)
  await createGuards(db)
}

const INTENT_COLUMNS = sql`
  state text not null default 'queued' check (state in ('queued', 'signed', 'final', 'held', 'void')),
  failures integer not null default 0 check (failures >= 0),
  wait_reason text,
  wait_detail text,
  waiting_since timestamptz,
  retry_at timestamptz,
  held_note text,
  created_at timestamptz not null,
  final_tx bytea check (octet_length(final_tx) = 32),
  final_block bigint,
  final_at timestamptz,
  check ((state = 'final') = (final_at is not null)),
  check (state <> 'held' or held_note is not null)`

async function createIntents(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table payout (
      id bigint generated always as identity primary key,
      chain text not null check (chain in ('TRON', 'BSC')),
      asset text not null check (asset in ('DCT', 'USDT')),
      cause text not null constraint payout_cause_once unique,
      payout_key bytea not null constraint payout_key_once unique check (octet_length(payout_key) = 32),
      to_address bytea not null check (octet_length(to_address) = 20),
      amount numeric(78,0) not null check (amount > 0),
      plan_code text,
      ${INTENT_COLUMNS},
      check ((chain, asset) in (('TRON', 'DCT'), ('BSC', 'USDT'))),
      check ((plan_code is not null) = (asset = 'DCT')),
      check (state <> 'final' or final_tx is not null)
    )`.execute(db)
  await sql`create index payout_open on payout (chain, id) where state in ('queued', 'signed', 'held')`.execute(
    db,
  )
  await sql`create index payout_receiver on payout (to_address, plan_code)`.execute(db)
  await sql`create index payout_state on payout (state, id desc)`.execute(db)
  await sql`
    create table operator_call (
      id bigint generated always as identity primary key,
      cause text not null constraint operator_call_cause_once unique,
      kind text not null check (kind in ('openPlan', 'closePlan', 'release')),
      args jsonb not null,
      subject text not null,
      ${INTENT_COLUMNS}
    )`.execute(db)
  await sql`create index operator_call_open on operator_call (subject, id) where state in ('queued', 'signed', 'held')`.execute(
    db,
  )
}

async function createAttempts(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table send_attempt (
      id bigint generated always as identity primary key,
      chain text not null check (chain in ('TRON', 'BSC')),
      sender bytea not null check (octet_length(sender) = 20),
      payout_id bigint references payout,
      call_id bigint references operator_call,
      attempt integer not null check (attempt > 0),
      tx_hash bytea not null constraint send_attempt_hash_once unique check (octet_length(tx_hash) = 32),
      raw bytea not null,
      nonce bigint,
      gas_price numeric(78,0),
      expires_at timestamptz,
      state text not null default 'LIVE' check (state in ('LIVE', 'DEAD', 'WON')),
      proof jsonb,
      signed_at timestamptz not null,
      ended_at timestamptz,
      check (num_nonnulls(payout_id, call_id) = 1),
      check ((chain = 'BSC') = (nonce is not null) and (chain = 'BSC') = (gas_price is not null)),
      check ((chain = 'TRON') = (expires_at is not null)),
      check (state <> 'DEAD' or proof is not null),
      check ((state = 'LIVE') = (ended_at is null)),
      unique (payout_id, attempt),
      unique (call_id, attempt)
    )`.execute(db)
  await sql`create unique index one_winning_payment on send_attempt (payout_id) where state = 'WON'`.execute(
    db,
  )
  await sql`create unique index one_winning_call on send_attempt (call_id) where state = 'WON'`.execute(
    db,
  )
  await sql`create unique index one_live_payment on send_attempt (payout_id) where state = 'LIVE' and nonce is null`.execute(
    db,
  )
  await sql`create unique index one_live_call on send_attempt (call_id) where state = 'LIVE'`.execute(
    db,
  )
  await sql`create index send_attempt_live on send_attempt (chain, id) where state = 'LIVE'`.execute(
    db,
  )
}

async function createSenders(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table sender_state (
      chain text not null,
      sender bytea not null,
      next_nonce bigint,
      held_reason text,
      held_at timestamptz,
      primary key (chain, sender)
    )`.execute(db)
  await sql`
    create table sender_nonce (
      chain text not null,
      sender bytea not null,
      nonce bigint not null,
      payout_id bigint references payout,
      death_proof jsonb,
      primary key (chain, sender, nonce)
    )`.execute(db)
  await sql`create unique index one_nonce_of_payout on sender_nonce (payout_id) where death_proof is null`.execute(
    db,
  )
  await sql`
    create table chain_payment (
      chain text not null check (chain in ('TRON', 'BSC')),
      tx_hash bytea not null,
      log_index integer not null,
      payout_key bytea,
      plan_code text,
      to_address bytea not null,
      amount numeric(78,0) not null,
      block_number bigint not null,
      block_time timestamptz not null,
      payout_id bigint references payout,
      explanation text,
      primary key (chain, tx_hash, log_index)
    )`.execute(db)
  await sql`create unique index one_payment_of_payout on chain_payment (payout_id)`.execute(db)
  await sql`create index chain_payment_key on chain_payment (payout_key) where payout_key is not null`.execute(
    db,
  )
  await sql`create index chain_payment_open on chain_payment (chain, to_address) where payout_id is null`.execute(
    db,
  )
}

/** States move along these arrows only, and what was promised or signed never changes. */
async function createGuards(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function payout_guard() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' then
        raise exception 'a payout is never deleted' using errcode = '23514', constraint = 'payout_fixed';
      end if;
      if old.state <> new.state and not (old.state || '>' || new.state = any (array[
        'queued>signed', 'queued>held', 'queued>void', 'queued>final',
        'signed>queued', 'signed>held', 'signed>final',
        'held>queued', 'held>signed', 'held>void', 'held>final'])) then
        raise exception '% % cannot go from % to %', tg_table_name, old.id, old.state, new.state
          using errcode = '23514', constraint = 'payout_moves';
      end if;
      return new;
    end $$`.execute(db)
  await sql`
    create function payout_keep() returns trigger language plpgsql as $$
    begin
      raise exception '% is fixed from the start', tg_table_name
        using errcode = '23514', constraint = 'payout_fixed';
    end $$`.execute(db)
  for (const table of ['payout', 'operator_call']) {
    await sql`
      create trigger guard before update or delete on ${sql.table(table)}
        for each row execute function payout_guard()`.execute(db)
  }
  await sql`
    create trigger keep before update on payout for each row
      when ((old.chain, old.asset, old.cause, old.payout_key, old.to_address, old.amount, old.plan_code)
        is distinct from (new.chain, new.asset, new.cause, new.payout_key, new.to_address, new.amount, new.plan_code))
      execute function payout_keep()`.execute(db)
  await sql`
    create trigger keep before update on send_attempt for each row
      when ((old.tx_hash, old.raw, old.nonce, old.payout_id, old.call_id)
        is distinct from (new.tx_hash, new.raw, new.nonce, new.payout_id, new.call_id) or old.state <> 'LIVE')
      execute function payout_keep()`.execute(db)
  await sql`
    create trigger keep_rows before delete on send_attempt for each row execute function payout_keep()`.execute(
    db,
  )
}
