import {
  AT,
  address,
  hash,
  LATER,
  NOBODY,
  type Row,
  SHORT,
  type StatementGuard,
  type TableGuards,
  updates,
} from './guard.ts'

const reward: Row = {
  id: 1,
  chain: 'TRON',
  asset: 'DCT',
  cause: 'claim:1:later',
  account_id: 1,
  to_address: address(1),
  amount: 5,
  plan_code: 'PLAN-360',
  state: 'waiting',
  created_at: AT,
  final_tx: null,
  final_at: null,
}
const share: Row = {
  ...reward,
  id: 2,
  chain: 'BSC',
  asset: 'USDT',
  cause: 'referral:1',
  account_id: 2,
  plan_code: null,
}
const call: Row = {
  id: 1,
  cause: 'open:1',
  kind: 'openPlan',
  args: '[]',
  subject: 'PLAN-360',
  state: 'waiting',
  created_at: AT,
  final_tx: null,
  final_at: null,
}
const won: Row = {
  id: 1,
  chain: 'TRON',
  sender: address(7),
  payout_id: 1,
  call_id: null,
  attempt: 1,
  tx_hash: hash(1),
  raw: SHORT,
  nonce: null,
  gas_price: null,
  expires_at: LATER,
  state: 'confirmed',
  signed_at: AT,
  ended_at: AT,
}
const live: Row = { ...won, id: 2, attempt: 2, tx_hash: hash(2), state: 'pending', ended_at: null }
const ofCall = { payout_id: null, call_id: 1 }
const expired: Row = { ...won, state: 'expired', proof: '{}' }

const STATES = ['waiting', 'sent', 'final', 'returned']
const ARROWS = new Set([
  ...['waiting>sent', 'waiting>returned', 'waiting>final', 'sent>waiting', 'sent>final'],
  ...['final>sent', 'final>waiting'],
])

/** Every forbidden transition, starting from the first row, which waits. */
function moveGuard(table: string): StatementGuard {
  const to = STATES.flatMap((from) =>
    STATES.filter((next) => next !== from && !ARROWS.has(`${from}>${next}`)).map(
      (next) => `${set(table, from)}; ${set(table, next)}`,
    ),
  )
  return { name: 'guard', answer: 'payout_moves', to }
}

function set(table: string, state: string, id = 1): string {
  const final = state === 'final' ? `, final_at = now(), final_tx = '\\x${'01'.repeat(32)}'` : ''
  return `update ${table} set state = '${state}'${final} where id = ${id}`
}

/** A transaction for the payout that could also become manual. */
const SHORT_FINAL_HASH = { state: 'final', final_at: AT, final_tx: SHORT }

const stake: Row = {
  id: 1,
  chain: 'TRON',
  holder: address(1),
  name: 'PLAN-360',
  paid: 5,
  settled: 5,
}
const ACCOUNT: TableGuards = {
  table: 'payout_account',
  rows: [stake, { ...stake, id: 2, chain: 'BSC', name: 'direct' }],
  next: { ...stake, id: 3, name: 'PLAN-720' },
  refused: {
    payout_account_pkey: { id: 1 },
    payout_account_once: { name: 'PLAN-360' },
    payout_account_chain_check: { chain: 'ETH', name: 'direct' },
    payout_account_holder_check: { holder: SHORT },
    payout_account_name: { chain: 'BSC' },
    payout_account_covered: { settled: 6 },
    payout_account_settled_check: { settled: -1 },
    payout_account_open_check: { open: -1 },
    payout_account_unread_check: { unread: -1 },
  },
  statements: [],
}

const PAYOUT: TableGuards = {
  table: 'payout',
  rows: [reward, share],
  next: { ...reward, id: 3, cause: 'claim:2:later' },
  refused: {
    payout_pkey: { id: 1 },
    payout_cause_once: { cause: 'claim:1:later' },
    payout_amount_check: { amount: 0 },
    payout_asset_check: { asset: 'TRX', plan_code: null },
    payout_chain_check: { chain: 'ETH' },
    payout_check: { final_at: AT },
    payout_check1: { chain: 'BSC' },
    payout_check2: { plan_code: null },
    payout_check3: { state: 'final', final_at: AT },
    payout_failures_check: { failures: -1 },
    payout_final_tx_check: SHORT_FINAL_HASH,
    payout_account_id_fkey: { account_id: NOBODY },
    payout_state_check: { state: 'lost' },
    payout_to_address_check: { to_address: SHORT },
  },
  statements: [
    moveGuard('payout'),
    { name: 'guard', answer: 'payout_fixed', to: ['delete from payout where id = 2'] },
    {
      name: 'keep',
      answer: 'payout_fixed',
      to: updates('payout', {
        chain: "'ETH'",
        asset: "'TRX'",
        cause: "cause || 'x'",
        account_id: 'account_id + 1',
        to_address: `'\\x${'09'.repeat(20)}'`,
        amount: 'amount + 1',
        plan_code: "'PLAN-720'",
      }),
    },
  ],
}

const CALL: TableGuards = {
  table: 'operator_call',
  rows: [call],
  next: { ...call, id: 2, cause: 'close:1' },
  refused: {
    operator_call_pkey: { id: 1 },
    operator_call_cause_once: { cause: 'open:1' },
    operator_call_check: { final_at: AT },
    operator_call_failures_check: { failures: -1 },
    operator_call_final_tx_check: SHORT_FINAL_HASH,
    operator_call_kind_check: { kind: 'withdraw' },
    operator_call_state_check: { state: 'lost' },
  },
  statements: [
    moveGuard('operator_call'),
    { name: 'guard', answer: 'payout_fixed', to: ['delete from operator_call'] },
  ],
}

const ATTEMPT: TableGuards = {
  table: 'send_attempt',
  rows: [
    won,
    live,
    { ...won, ...ofCall, id: 3, tx_hash: hash(3) },
    { ...live, ...ofCall, id: 4, tx_hash: hash(4) },
  ],
  next: { ...expired, id: 5, attempt: 3, tx_hash: hash(5) },
  refused: {
    send_attempt_pkey: { id: 1 },
    send_attempt_hash_once: { tx_hash: hash(1) },
    send_attempt_payout_id_attempt_key: { attempt: 1 },
    send_attempt_call_id_attempt_key: { ...ofCall, attempt: 1 },
    one_winning_payment: { state: 'confirmed' },
    one_winning_call: { ...ofCall, state: 'confirmed' },
    one_live_payment: { state: 'pending', ended_at: null },
    one_live_call: { ...ofCall, state: 'pending', ended_at: null },
    send_attempt_attempt_check: { attempt: 0 },
    send_attempt_fee_check: { fee: -1 },
    send_attempt_paid_before_check: { paid_before: -1, amount: 1 },
    send_attempt_amount_check: { paid_before: 0, amount: 0 },
    send_attempt_states: { amount: 1 },
    send_attempt_chain_check: { chain: 'ETH', expires_at: null },
    send_attempt_check: { call_id: 1 },
    send_attempt_check1: { nonce: 1 },
    send_attempt_check2: { expires_at: null },
    send_attempt_check3: { proof: null },
    send_attempt_check4: { ended_at: null },
    send_attempt_sender_check: { sender: SHORT },
    send_attempt_state_check: { state: 'LOST' },
    send_attempt_tx_hash_check: { tx_hash: SHORT },
    send_attempt_call_id_fkey: { payout_id: null, call_id: NOBODY },
    send_attempt_payout_id_fkey: { payout_id: NOBODY },
  },
  statements: [
    { name: 'keep_rows', answer: 'payout_fixed', to: ['delete from send_attempt'] },
    {
      name: 'keep',
      answer: 'payout_fixed',
      to: [
        ...updates('send_attempt', {
          tx_hash: `'\\x${'09'.repeat(32)}'`,
          raw: "'\\x09'",
          nonce: '9',
        }).map((statement) => `${statement} where id = 2`),
        'update send_attempt set payout_id = 2 where id = 2',
        'update send_attempt set payout_id = null, call_id = 1 where id = 2',
        "update send_attempt set state = 'expired', proof = '{}' where id = 1",
        "update send_attempt set proof = '{}' where id = 1",
        "update send_attempt set proof = '{}', fee = 1 where id = 1",
        'update send_attempt set fee = 1 where id = 1; update send_attempt set fee = 2 where id = 1',
      ],
    },
  ],
}

const payment: Row = {
  chain: 'TRON',
  tx_hash: hash(1),
  log_index: 0,
  from_address: address(3),
  to_address: address(1),
  amount: 5,
  block_number: 1,
  block_time: AT,
  account_id: 1,
  total: 5,
}

/** Outgoing payments. Users 1 to 4 exist. */
export const PAYOUT_GUARDS: readonly TableGuards[] = [
  ACCOUNT,
  PAYOUT,
  CALL,
  ATTEMPT,
  {
    table: 'payout_halt',
    rows: [{ source: 'audit', kind: 'plan', scope: 'PLAN-360', reason: 'a', since: AT }],
    next: { source: 'audit', kind: 'plan', scope: 'PLAN-720', reason: 'a', since: AT },
    refused: {
      payout_halt_pkey: { scope: 'PLAN-360' },
      payout_halt_kind_check: { kind: 'holder' },
    },
  },
  {
    table: 'chain_payment',
    rows: [payment],
    next: { ...payment, log_index: 1 },
    refused: {
      chain_payment_pkey: { log_index: 0 },
      chain_payment_check: { total: 1 },
      chain_payment_chain_check: { chain: 'ETH' },
      chain_payment_from_address_check: { from_address: SHORT },
      chain_payment_account_id_fkey: { account_id: NOBODY },
    },
  },
]
