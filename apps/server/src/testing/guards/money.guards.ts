import {
  AT,
  address,
  hash,
  LATER,
  NOBODY,
  type Row,
  SHORT,
  type TableGuards,
  updates,
} from './guard.ts'

const POSTING = "select set_config('ledger.is_posting', 'yes', true)"
const account: Row = {
  id: 1,
  code: 'plan:PLAN-360:free',
  asset: 'DCT',
  shard: 0,
  side: 'credit',
  is_sharded: false,
  debits: 0,
  credits: 5,
}
const transfer: Row = {
  kind: 'plan.funded',
  ref: '1',
  debit_id: 2,
  credit_id: 1,
  asset: 'DCT',
  amount: 5,
  at: AT,
}

/** Only `ledger_post` may write to the ledger, so its guards are tested with that mark set. */
const LEDGER_GUARDS: readonly TableGuards[] = [
  {
    table: 'ledger_account',
    prepare: POSTING,
    rows: [
      account,
      { ...account, id: 2, code: 'chain:pool', side: 'debit', debits: 5, credits: 0 },
    ],
    next: { ...account, id: 3, code: 'plan:PLAN-720:free' },
    refused: {
      ledger_account_pkey: { id: 1 },
      ledger_account_once: { code: 'chain:pool' },
      ledger_account_asset_check: { asset: 'TRX' },
      ledger_account_check: { shard: 1 },
      ledger_account_credits_check: { credits: -1, debits: -1 },
      ledger_account_debits_check: { debits: -1 },
      ledger_account_not_overdrawn: { debits: 6 },
      ledger_account_shard_check: { shard: 16, is_sharded: true },
      ledger_account_side_check: { side: 'left', is_sharded: true },
    },
    implied: ['ledger_account_id_asset_key'],
    statements: [
      {
        name: 'append_only',
        answer: 'ledger_append_only',
        to: ['delete from ledger_account', 'truncate ledger_account cascade'],
      },
      {
        name: 'door_only',
        answer: 'ledger_append_only',
        to: [
          "insert into ledger_account (code, asset, shard, side, is_sharded) values ('x', 'DCT', 0, 'free', false)",
          'update ledger_account set credits = credits + 1',
        ],
      },
    ],
  },
  {
    table: 'ledger_transfer',
    prepare: POSTING,
    rows: [transfer],
    next: { ...transfer, ref: '2' },
    refused: {
      ledger_transfer_pkey: { ref: '1' },
      ledger_transfer_amount_check: { amount: 0 },
      ledger_transfer_check: { debit_id: 1 },
      ledger_transfer_credit_id_asset_fkey: { credit_id: NOBODY },
      ledger_transfer_debit_id_asset_fkey: { debit_id: NOBODY },
    },
    statements: [
      {
        name: 'append_only',
        answer: 'ledger_append_only',
        to: [
          'update ledger_transfer set amount = 1',
          'delete from ledger_transfer',
          'truncate ledger_transfer',
        ],
      },
      {
        name: 'door_only',
        answer: 'ledger_append_only',
        to: ["insert into ledger_transfer values ('x', 'x', 1, 2, 'DCT', 1, now())"],
      },
    ],
  },
]

const sample: Row = { block: 1, price: 1, at: AT }

const PRICE_GUARDS: readonly TableGuards[] = [
  {
    table: 'price_sample',
    rows: [sample],
    next: { ...sample, block: 2 },
    refused: {
      price_sample_pkey: { block: 1 },
      price_sample_block_check: { block: -1 },
      price_sample_price_check: { price: 0 },
    },
  },
]

const proposal: Row = { kind: 'price', subject: 0, value: 1, proposed_by: 1, at: AT }
const settingChange: Row = {
  ...{ id: 1, kind: 'direct_rate', user_id: null, old_value: null, value: 1, set_by: 1 },
  ...{ confirmed_by: null, needs_two: false, from_pair: false, at: AT },
}

const PROPOSAL_GUARDS: readonly TableGuards[] = [
  {
    table: 'proposal',
    rows: [proposal],
    next: { ...proposal, kind: 'energy_fee' },
    refused: {
      proposal_pkey: { kind: 'price' },
      proposal_kind_check: { kind: 'fee' },
      proposal_value_check: { value: -1 },
      proposal_proposed_by_fkey: { proposed_by: NOBODY },
      proposal_subject: { subject: 1 },
    },
  },
  {
    table: 'setting_change',
    rows: [settingChange],
    next: { ...settingChange, id: 2 },
    refused: {
      setting_change_pkey: { id: 1 },
      setting_change_kind_check: { kind: 'fee' },
      setting_change_range: { value: 2501 },
      setting_change_user: { user_id: 1 },
      setting_change_one_source: { kind: 'price', from_pair: true },
      setting_change_two_admins: { confirmed_by: 1 },
      setting_change_set_by_fkey: { set_by: NOBODY },
      setting_change_confirmed_by_fkey: { confirmed_by: NOBODY },
      setting_change_user_id_fkey: { kind: 'referral_percentage', user_id: NOBODY },
    },
    statements: [
      {
        name: 'fixed',
        answer: 'setting_change_fixed',
        to: ['update setting_change set value = 1', 'delete from setting_change'],
      },
    ],
  },
]

const plan: Row = {
  id: 1,
  code: 'PLAN-360',
  name: 'Plan 360',
  total_reward: 100,
  duration_days: 360,
  rate_bps: 7200,
  daily_limit: 10,
  is_active: true,
  created_at: AT,
  funded_tx: hash(1),
  chain_state: 'open',
}
const planDay: Row = {
  plan_id: 1,
  day: '2026-01-15',
  limit_base: 1,
  carry: 0,
  promised: 0,
  reserved: 0,
}
const place: Row = {
  id: 1,
  user_id: 1,
  address: address(1),
  plan_id: 1,
  amount: 1,
  reward: 0,
  day: '2026-01-15',
  created_at: AT,
  expires_at: LATER,
  held: 1,
  held_block: 1,
  seen_block: 1,
  state: 'live',
}
const funding: Row = {
  tx_hash: hash(1),
  log_index: 0,
  plan_code: 'PLAN-360',
  from_address: address(2),
  amount: 1,
  funded_at: AT,
}

const PLAN_GUARDS: readonly TableGuards[] = [
  {
    table: 'earning_plan',
    rows: [plan, { ...plan, id: 2, code: 'PLAN-720', funded_tx: hash(2) }],
    next: { ...plan, id: 3, code: 'PLAN-3', funded_tx: hash(3) },
    refused: {
      earning_plan_pkey: { id: 1 },
      earning_plan_code: { code: 'PLAN-360' },
      earning_plan_funded_tx: { funded_tx: hash(1) },
      earning_plan_funded_tx_check: { funded_tx: SHORT },
      earning_plan_chain_state_check: { chain_state: 'paused' },
      earning_plan_code_check: { code: 'plan 3' },
      earning_plan_daily_limit_check: { daily_limit: 0 },
      earning_plan_duration_days_check: { duration_days: 0 },
      earning_plan_name_check: { name: '' },
      earning_plan_rate_bps_check: { rate_bps: 0 },
      earning_plan_total_reward_check: { total_reward: 0 },
    },
    statements: [
      {
        name: 'earning_plan_keeps',
        answer: 'the terms of a plan never change',
        to: updates('earning_plan', {
          code: "code || '-B'",
          total_reward: 'total_reward + 1',
          duration_days: 'duration_days + 1',
          rate_bps: 'rate_bps + 1',
          funded_tx: 'null',
        }),
      },
    ],
  },
  {
    table: 'plan_total',
    rows: [{ plan_id: 1, promised: 0, reserved: 0 }],
    next: { plan_id: 2, promised: 0, reserved: 0 },
    refused: {
      plan_total_pkey: { plan_id: 1 },
      plan_total_promised_check: { promised: -1 },
      plan_total_reserved_check: { reserved: -1 },
      plan_total_plan_id_fkey: { plan_id: NOBODY },
    },
  },
  {
    table: 'plan_day',
    rows: [planDay],
    next: { ...planDay, day: '2026-01-16' },
    refused: {
      plan_day_pkey: { day: '2026-01-15' },
      plan_day_carry_check: { carry: -1 },
      plan_day_limit_base_check: { limit_base: 0 },
      plan_day_promised_check: { promised: -1 },
      plan_day_reserved_check: { reserved: -1 },
      plan_day_plan_id_fkey: { plan_id: NOBODY },
    },
  },
  {
    table: 'reservation',
    rows: [place],
    next: { ...place, id: 2, user_id: 4, address: address(4) },
    refused: {
      reservation_pkey: { id: 1 },
      reservation_one_live: { address: address(1) },
      reservation_address_check: { address: SHORT },
      reservation_amount_check: { amount: 0 },
      reservation_held_check: { held: -1 },
      reservation_reward_check: { reward: -1 },
      reservation_state_check: { state: 'held' },
      reservation_plan_id_fkey: { plan_id: NOBODY },
      reservation_user_id_fkey: { user_id: NOBODY },
    },
  },
  {
    table: 'plan_pool',
    rows: [{ plan_code: 'PLAN-360', free: 0 }],
    next: { plan_code: 'PLAN-720', free: 0 },
    refused: { plan_pool_pkey: { plan_code: 'PLAN-360' } },
  },
  {
    table: 'plan_funding',
    rows: [funding],
    next: { ...funding, log_index: 1 },
    refused: {
      plan_funding_pkey: { log_index: 0 },
      plan_funding_amount_check: { amount: 0 },
      plan_funding_from_address_check: { from_address: SHORT },
      plan_funding_tx_hash_check: { tx_hash: SHORT },
    },
  },
]

/** The ledger, the price, plans and their quotas. Users 1 to 4 exist. */
export const MONEY_GUARDS: readonly TableGuards[] = [
  ...LEDGER_GUARDS,
  ...PRICE_GUARDS,
  ...PROPOSAL_GUARDS,
  ...PLAN_GUARDS,
]
