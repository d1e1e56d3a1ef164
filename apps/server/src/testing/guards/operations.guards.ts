import { AT, address, hash, NOBODY, type Row, SHORT, type TableGuards } from './guard.ts'

const cursor: Row = {
  chain: 'TRON',
  block_number: 1,
  block_hash: hash(1),
  block_time: AT,
  final_number: 1,
  final_time: AT,
  head_number: 1,
  observed_at: AT,
}
const event: Row = {
  chain: 'TRON',
  tx_hash: hash(1),
  log_index: 0,
  block_number: 1,
  block_hash: hash(1),
  block_time: AT,
  address: address(1),
  name: 'Staked',
  args: '{}',
}
const own: Row = { chain: 'BSC', address: address(1), role: 'payout_wallet', since: AT }
const halt: Row = {
  id: 1,
  chain: 'TRON',
  block_number: 1,
  expected_hash: hash(1),
  found_hash: hash(2),
  halted_at: AT,
}

const CHAIN_GUARDS: readonly TableGuards[] = [
  {
    table: 'chain_cursor',
    rows: [cursor],
    next: { ...cursor, chain: 'BSC' },
    refused: {
      chain_cursor_pkey: { chain: 'TRON' },
      chain_cursor_block_hash_check: { block_hash: SHORT },
      chain_cursor_block_number_check: { block_number: -1 },
      chain_cursor_chain_check: { chain: 'ETH' },
      chain_cursor_proof_whole: { proved_number: 1 },
    },
  },
  {
    table: 'chain_event',
    rows: [event],
    next: { ...event, log_index: 1 },
    refused: {
      chain_event_pkey: { log_index: 0 },
      chain_event_address_check: { address: SHORT },
      chain_event_block_hash_check: { block_hash: SHORT },
      chain_event_chain_check: { chain: 'ETH' },
      chain_event_log_index_check: { log_index: -1 },
      chain_event_tx_hash_check: { tx_hash: SHORT },
    },
  },
  {
    table: 'chain_halt',
    rows: [halt],
    next: { ...halt, id: 2, chain: 'BSC' },
    refused: {
      chain_halt_pkey: { id: 1 },
      chain_halted_once: { chain: 'TRON' },
      chain_halt_chain_check: { chain: 'ETH' },
      chain_halt_check: { ended_at: AT },
    },
  },
  {
    table: 'own_address',
    rows: [own],
    next: { ...own, address: address(2) },
    refused: {
      own_address_pkey: { address: address(1) },
      own_address_address_check: { address: SHORT },
      own_address_chain_check: { chain: 'ETH' },
      own_address_role_check: { role: 'guest' },
      own_address_check: { role: 'operator' },
    },
  },
]

const request: Row = { single: true, is_full: true, asked_by: 2, asked_at: AT }
const run: Row = {
  id: 1,
  is_full: true,
  started_at: AT,
  finished_at: AT,
  compared: 0,
  differences: 0,
  outcomes: '[]',
}
const opening: Row = {
  address: address(1),
  role: 'fee_receiver',
  amount: 0,
  read_at_block: 1,
  booked_at: AT,
}
const job: Row = { id: 1, queue: 'q', dedupe_key: 'a', run_at: AT }
const alarm: Row = { id: 1, kind: 'k', subject: 'a', message: 'm', raised_at: AT, cleared_at: null }
const MESSAGE = '00000000-0000-4000-8000-000000000001'
const OTHER_MESSAGE = '00000000-0000-4000-8000-000000000002'
const message: Row = { id: MESSAGE, number: 1, type: 'test', severity: null, data: '{}', at: AT }
const delivery: Row = {
  ...{ id: 1, message_id: MESSAGE, channel: 'email', receiver: 'a', state: 'pending' },
  ...{ attempts: 0, due_at: AT, ended_at: null },
}
const reading: Row = { name: 'a', amount: 1, read_at: AT, failed_at: null }

/** Chain data, audits, jobs and operators' data. Users 1 to 4 exist. */
export const OPERATION_GUARDS: readonly TableGuards[] = [
  ...CHAIN_GUARDS,
  {
    table: 'wallet_opening',
    rows: [opening],
    next: { ...opening, address: address(2) },
    refused: {
      wallet_opening_pkey: { address: address(1) },
      wallet_opening_address_check: { address: SHORT },
      wallet_opening_amount_check: { amount: -1 },
      wallet_opening_role_check: { role: 'operator' },
    },
  },
  {
    table: 'audit_request',
    rows: [request],
    next: request,
    refused: {
      audit_request_pkey: {},
      audit_request_single_check: { single: false },
    },
    statements: [
      {
        name: 'audit_request_asked_by_fkey',
        answer: 'audit_request_asked_by_fkey',
        to: [`update audit_request set asked_by = ${NOBODY}`],
      },
    ],
  },
  {
    table: 'audit_run',
    rows: [run],
    next: { ...run, id: 2 },
    refused: { audit_run_pkey: { id: 1 } },
  },
  {
    table: 'business_clock',
    rows: [],
    next: { single: true, offset_ms: 0 },
    refused: {
      business_clock_pkey: {},
      business_clock_single_check: { single: false },
      business_clock_offset_ms_check: { offset_ms: -1 },
    },
  },
  {
    table: 'pin',
    rows: [{ name: 'a', value: '1' }],
    next: { name: 'b', value: '1' },
    refused: { pin_pkey: { name: 'a' } },
  },
  {
    table: 'migration',
    rows: [{ name: 'a' }],
    next: { name: 'b' },
    refused: { migration_pkey: { name: 'a' } },
  },
  {
    table: 'job',
    rows: [job],
    next: { ...job, id: 2, dedupe_key: 'b' },
    refused: { job_pkey: { id: 1 }, job_once: { dedupe_key: 'a' } },
  },
  {
    table: 'alarm',
    rows: [alarm],
    next: { ...alarm, id: 2, subject: 'b' },
    refused: { alarm_pkey: { id: 1 }, alarm_open: { subject: 'a' } },
  },
  {
    table: 'outbox_message',
    rows: [message],
    next: { ...message, id: OTHER_MESSAGE },
    refused: {
      outbox_message_pkey: { id: MESSAGE },
      outbox_message_severity_check: { severity: 'mild' },
    },
  },
  {
    table: 'outbox_delivery',
    rows: [delivery],
    next: { ...delivery, id: 2, receiver: 'b' },
    refused: {
      outbox_delivery_pkey: { id: 1 },
      outbox_delivery_once: { receiver: 'a' },
      outbox_delivery_message_id_fkey: { message_id: OTHER_MESSAGE },
      outbox_delivery_channel_check: { channel: 'pigeon' },
      outbox_delivery_state_check: { state: 'lost', ended_at: AT },
      outbox_delivery_attempts_check: { attempts: -1 },
      outbox_delivery_ended: { ended_at: AT },
    },
  },
  {
    table: 'backup',
    rows: [{ kind: 'full', finished_at: AT }],
    next: { kind: 'dump', finished_at: AT },
    refused: { backup_pkey: { kind: 'full' }, backup_kind_check: { kind: 'photo' } },
  },
  {
    table: 'loop_report',
    rows: [{ host: 'a', name: 'a', is_idle: true, failures: 0, reported_at: AT }],
    next: { host: 'a', name: 'b', is_idle: true, failures: 0, reported_at: AT },
    refused: {
      loop_report_pkey: { name: 'a' },
      loop_report_failures_check: { failures: -1 },
    },
  },
  {
    table: 'funds_reading',
    rows: [reading],
    next: { ...reading, name: 'b' },
    refused: {
      funds_reading_pkey: { name: 'a' },
      funds_reading_amount_check: { amount: -1 },
      funds_reading_check: { read_at: null, failed_at: AT },
      funds_reading_check1: { amount: null, read_at: null },
    },
  },
  {
    table: 'money_day',
    rows: [{ day: '2026-01-15', figure: 'a', plan_code: '', amount: 1 }],
    next: { day: '2026-01-16', figure: 'a', plan_code: '', amount: 1 },
    refused: { money_day_pkey: { day: '2026-01-15' } },
  },
  {
    table: 'service_count',
    rows: [],
    next: { name: 'claimed', shard: 63, amount: 0 },
    refused: {
      service_count_pkey: { name: 'users', shard: 1 },
      service_count_name_check: { name: 'stakes' },
    },
  },
]
