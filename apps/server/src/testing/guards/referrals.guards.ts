import { AT, address, hash, NOBODY, type Row, SHORT, type TableGuards, updates } from './guard.ts'

const node: Row = {
  user_id: NOBODY,
  referrer_id: 1,
  depth: 1,
  jump_id: 1,
  jump_depth: 0,
  zone_id: 1,
  rate_bps: 0,
}
const fee: Row = { fee_id: 1, payer_id: 4, fee_usdt: 100, direct: 25, indirect: 75 }
const balance: Row = {
  user_id: 1,
  kind: 'direct',
  row_count: 1,
  earned: 25,
  claimed_rows: 1,
  claimed: 25,
}
const reward: Row = {
  id: 1,
  fee_id: 1,
  receiver_id: 1,
  kind: 'direct',
  row_number: 1,
  level: 1,
  rate_bps: 2500,
  amount: 25,
  running: 25,
  from_address: address(4),
  plan_code: 'PLAN-360',
  created_at: AT,
}
const requested: Row = {
  id: 1,
  user_id: 1,
  kind: 'direct',
  amount: 25,
  from_row: 0,
  through_row: 1,
  usdt_address: address(9),
  requested_at: AT,
  state: 'requested',
  needs_two: false,
  first_approved_by: null,
  approved_by: null,
  approved_at: null,
  payout_id: null,
  paid_tx: null,
  paid_block: null,
  paid_at: null,
  ended_by: null,
  ended_at: null,
  end_reason: null,
  absorbed_by: null,
  total: 25,
  opening: 'opening',
  closing: 'closing',
  signature: Buffer.alloc(65),
}
const approval = { approved_by: 2, approved_at: AT, payout_id: 2 }
const approved: Row = { ...requested, ...approval, id: 2, state: 'approved' }
const ending = { ended_by: 2, ended_at: AT, end_reason: 'a' }
const declined: Row = { ...requested, ...ending, id: 3, state: 'declined' }
const payment = { paid_tx: hash(1), paid_block: 1, paid_at: AT }
/** A second payout without a claim. */
const anotherApproval = {
  ...approval,
  payout_id: 1,
  ended_by: null,
  ended_at: null,
  end_reason: null,
}

const STATES = ['requested', 'approved', 'paid', 'declined', 'returned']
const ARROWS = new Set([
  'requested>approved',
  'requested>declined',
  'approved>paid',
  'approved>returned',
  'paid>approved',
])
/** A state is reached from `requested` in at most two steps; other transitions are refused. */
const WAYS: Record<string, string[]> = {
  requested: [],
  approved: ['approved'],
  paid: ['approved', 'paid'],
  declined: ['declined'],
  returned: ['approved', 'returned'],
}

function setState(state: string): string {
  const columns: Record<string, string> = {
    approved: 'approved_by = 2, approved_at = now(), payout_id = 1',
    paid: `paid_tx = '\\x${'01'.repeat(32)}', paid_block = 1, paid_at = now()`,
    declined: "ended_by = 2, ended_at = now(), end_reason = 'a'",
    returned: "ended_by = 2, ended_at = now(), end_reason = 'a'",
  }
  const more = columns[state] === undefined ? '' : `, ${columns[state]}`
  return `update referral_claim set state = '${state}'${more} where id = 1`
}

const TREE_GUARDS: readonly TableGuards[] = [
  {
    // Triggers create the nodes of users; a node without its user is refused.
    table: 'referral_node',
    rows: [],
    next: node,
    refused: {
      referral_node_user_id_fkey: {},
      referral_node_pkey: { user_id: 4 },
      referral_node_check: { referrer_id: NOBODY },
      referral_node_check1: { zone_id: null },
      referral_node_check2: { jump_depth: 2 },
      referral_node_rate_bps_check: { rate_bps: 7501 },
    },
    statements: [
      {
        name: 'keep',
        answer: 'referral_node_fixed',
        to: updates('referral_node', {
          user_id: 'user_id + 100',
          referrer_id: 'null',
          depth: 'depth + 1',
          jump_id: 'jump_id + 1',
          jump_depth: 'jump_depth + 1',
          zone_id: '2',
        }).map((statement) => `${statement} where user_id = 4`),
      },
      { name: 'keep_rows', answer: 'referral_node_fixed', to: ['delete from referral_node'] },
    ],
  },
  {
    table: 'downline_change',
    rows: [],
    next: { id: 100, referrer_id: 1, members: 1 },
    refused: {
      downline_change_pkey: { id: 1 },
      downline_change_members_check: { members: 2 },
    },
  },
  {
    table: 'referral_stake',
    rows: [{ stake_id: 1, staker: address(1), amount: 1 }],
    next: { stake_id: 2, staker: address(1), amount: 1 },
    refused: {
      referral_stake_pkey: { stake_id: 1 },
      referral_stake_staker_check: { staker: SHORT },
      referral_stake_amount_check: { amount: 0 },
    },
  },
  {
    table: 'downline_total',
    rows: [{ user_id: 1 }],
    next: { user_id: 2 },
    refused: {
      downline_total_pkey: { user_id: 1 },
      downline_total_check: { directs: 1, members: 0 },
      downline_total_deepest_check: { deepest: -1 },
      downline_total_directs_check: { directs: -1 },
      downline_total_locked_check: { locked: -1 },
      downline_total_turnover_check: { turnover: -1 },
    },
  },
]

const REWARD_GUARDS: readonly TableGuards[] = [
  {
    table: 'referral_fee',
    rows: [fee],
    next: { ...fee, fee_id: 2 },
    refused: {
      referral_fee_pkey: { fee_id: 1 },
      referral_fee_direct_cap: { direct: 26 },
      referral_fee_indirect_cap: { indirect: 76 },
      referral_fee_direct_check: { direct: -1 },
      referral_fee_indirect_check: { indirect: -1 },
      referral_fee_payer_id_fkey: { payer_id: NOBODY },
    },
    implied: ['referral_fee_fee_usdt_check'],
    statements: [
      {
        name: 'fixed',
        answer: 'referral_fixed',
        to: ['update referral_fee set direct = 0', 'delete from referral_fee'],
      },
    ],
  },
  {
    table: 'referral_balance',
    rows: [balance],
    next: { ...balance, kind: 'indirect' },
    refused: {
      referral_balance_pkey: { kind: 'direct' },
      referral_balance_check: { claimed_rows: 2 },
      referral_balance_earned_check: { earned: -1, claimed: -1 },
      referral_balance_kind_check: { kind: 'bonus' },
      referral_balance_not_overdrawn: { claimed: 26 },
      referral_balance_user_id_fkey: { user_id: NOBODY },
    },
    implied: ['referral_balance_row_count_check'],
  },
  {
    table: 'referral_reward',
    rows: [reward],
    next: { ...reward, id: 2, kind: 'indirect' },
    refused: {
      referral_reward_pkey: { id: 1 },
      referral_reward_once: { kind: 'direct', row_number: 2 },
      referral_reward_row: { kind: 'direct', fee_id: 2 },
      referral_reward_amount_check: { amount: 0 },
      referral_reward_check: { running: 24 },
      referral_reward_check1: { kind: 'direct', level: 2 },
      referral_reward_from_address_check: { from_address: SHORT },
      referral_reward_kind_check: { kind: 'bonus' },
      referral_reward_level_check: { level: 0 },
      referral_reward_rate_bps_check: { rate_bps: 7501 },
      referral_reward_row_number_check: { row_number: 0 },
      referral_reward_fee_id_fkey: { fee_id: NOBODY },
      referral_reward_receiver_id_fkey: { receiver_id: NOBODY },
    },
    statements: [
      {
        name: 'fixed',
        answer: 'referral_fixed',
        to: ['update referral_reward set amount = 1', 'delete from referral_reward'],
      },
    ],
  },
]

const CLAIM_GUARDS: readonly TableGuards[] = [
  {
    table: 'referral_claim',
    rows: [requested, approved],
    next: declined,
    refused: {
      referral_claim_pkey: { id: 1 },
      referral_claim_one_requested: { state: 'requested', ...none(ending) },
      referral_claim_payout_id_key: { ...none(ending), ...approval, state: 'approved' },
      referral_claim_not_own: { first_approved_by: 1 },
      referral_claim_two_admins: { ...anotherApproval, state: 'approved', needs_two: true },
      referral_claim_amount_check: { amount: 0 },
      referral_claim_check1: { from_row: 2 },
      referral_claim_when_approved: approval,
      referral_claim_with_payout: {
        ...none(ending),
        ...anotherApproval,
        state: 'approved',
        payout_id: null,
      },
      referral_claim_without_approver: {
        ...none(ending),
        ...anotherApproval,
        state: 'approved',
        approved_by: null,
      },
      referral_claim_check2: payment,
      referral_claim_check3: { ended_by: null },
      referral_claim_check4: { ...none(ending), state: 'requested', absorbed_by: 1 },
      referral_claim_end_reason_check: { end_reason: '' },
      referral_claim_check: { total: 1 },
      referral_claim_signed: { opening: null },
      referral_claim_signature_check: { signature: SHORT },
      referral_claim_kind_check: { kind: 'bonus' },
      referral_claim_paid_tx_check: {
        ...anotherApproval,
        ...payment,
        state: 'paid',
        paid_tx: SHORT,
      },
      referral_claim_state_check: { ...none(ending), state: 'lost' },
      referral_claim_usdt_address_check: { usdt_address: SHORT },
      referral_claim_absorbed_by_fkey: { absorbed_by: NOBODY },
      referral_claim_approved_by_fkey: {
        ...anotherApproval,
        state: 'approved',
        approved_by: NOBODY,
      },
      referral_claim_ended_by_fkey: { ended_by: NOBODY },
      referral_claim_first_approved_by_fkey: { first_approved_by: NOBODY },
      referral_claim_payout_id_fkey: { ...anotherApproval, state: 'approved', payout_id: NOBODY },
      referral_claim_user_id_fkey: { user_id: NOBODY },
    },
    statements: [
      {
        name: 'fixed',
        answer: 'referral_fixed',
        to: updates('referral_claim', {
          user_id: '4',
          kind: "'indirect'",
          amount: 'amount + 1',
          from_row: 'from_row + 1',
          through_row: 'through_row + 1',
          usdt_address: `'\\x${'01'.repeat(20)}'`,
          requested_at: 'now()',
        }),
      },
      {
        name: 'fixed_text',
        answer: 'referral_fixed',
        to: updates('referral_claim', {
          total: 'total + 1',
          opening: "'other'",
          closing: "'other'",
          signature: `'\\x${'01'.repeat(65)}'`,
        }),
      },
      { name: 'fixed_rows', answer: 'referral_fixed', to: ['delete from referral_claim'] },
      {
        name: 'moves',
        answer: 'referral_claim_moves',
        to: STATES.flatMap((from) =>
          STATES.filter((next) => next !== from && !ARROWS.has(`${from}>${next}`)).map((next) =>
            [...(WAYS[from] ?? []), next].map(setState).join('; '),
          ),
        ),
      },
    ],
  },
  {
    table: 'referral_treasury',
    rows: [{ single: true, committed: 0 }],
    next: { single: true, committed: 0 },
    refused: {
      referral_treasury_pkey: {},
      referral_treasury_single_check: { single: false },
      referral_treasury_committed_check: { committed: -1 },
    },
  },
]

/** The referral tree, rewards and their claims. Users 1 to 4 and payouts 1 and 2 exist. */
export const REFERRAL_GUARDS: readonly TableGuards[] = [
  ...TREE_GUARDS,
  ...REWARD_GUARDS,
  ...CLAIM_GUARDS,
]

/** The same columns, empty. */
function none(columns: Row): Row {
  return Object.fromEntries(Object.keys(columns).map((column) => [column, null]))
}
