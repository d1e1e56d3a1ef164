import type { AlarmKind } from './alarms.ts'
import type { EventType } from './business-events.ts'

/** Codes of one kind with the words that people read in their place; the catalogues have these under `scope.code`. */
export type Codes = { readonly scope: string; readonly words: Readonly<Record<string, string>> }

/** The actions of admins in the admin log. Codes are stable: entries are never changed. */
export const ADMIN_ACTIONS = {
  scope: 'adminActions',
  words: {
    'alarm.acknowledge': 'Alarm acknowledged',
    'audit.ask': 'Audit requested',
    'case.link': 'Link for support created',
    'case.link_revoke': 'Link for support revoked',
    'case.note': 'Note on a case written',
    'chain.end_halt': 'Halt of a chain ended',
    'day.close': 'Day closed',
    'maintenance.announce': 'Maintenance announced',
    'maintenance.end': 'Maintenance ended',
    'money_setting.propose': 'Fee setting proposed',
    'money_setting.set': 'Fee setting changed',
    'messages.test': 'Test message sent',
    'operator_call.give_up': 'Call by the operator given up',
    'operator_call.retry': 'Call by the operator retried',
    'payment.attach': 'Payment attached to a fee',
    'payment.refunded': 'Payment marked as refunded',
    'payout.hold': 'Payout held',
    'payout.retry': 'Payout retried',
    'plan.create': 'Plan created',
    'plan.update': 'Plan changed',
    'price.propose': 'Price proposed',
    'price.set': 'Price set',
    'proposal.decline': 'Proposal declined',
    'proposal.withdraw': 'Proposal withdrawn',
    'referral_claim.approve': 'Referral claim approved',
    'referral_claim.approve_first': 'Referral claim approved by the first admin',
    'referral_claim.decline': 'Referral claim declined',
    'referral_claim.return': 'Referral claim returned',
    'referral_percentage.propose': 'Reward percentage proposed',
    'referral_percentage.set': 'Reward percentage set',
    'terms.publish': 'Terms published',
    'privacy.publish': 'Privacy notice published',
    'user.remove': 'User removed',
  },
} as const satisfies Codes
export type AdminActionName = keyof typeof ADMIN_ACTIONS.words

/** The names of the old and new values in the admin log. */
export const LOGGED_VALUES = {
  scope: 'loggedValues',
  words: {
    amount_usdt: 'Amount (USDT)',
    block: 'Block',
    daily_limit: 'Daily limit (DCT)',
    differences: 'Differences',
    duration_days: 'Duration (days)',
    effective_day: 'In force from',
    ends_at: 'Ends',
    explanation: 'Explanation',
    held_reason: 'Held because',
    hours: 'Valid for (hours)',
    is_accumulation_active: 'Active accumulation',
    is_active: 'Plan active',
    is_full: 'Everything',
    link: 'Link',
    name: 'Name',
    percentage: 'Percentage (%)',
    price: 'Price (USDT)',
    reason: 'Reason',
    received_usdt: 'Received (USDT)',
    referral_code: 'Referral code',
    refund_tx_hash: 'Transaction of the refund',
    role: 'Role',
    starts_at: 'Starts',
    state: 'State',
    text: 'Text',
    text_en: 'English text',
    total_percentage: 'Total percentage (%)',
    total_reward: 'Total reward (DCT)',
    tx_hash: 'Transaction',
    unpaid_fee_usdt: 'Unpaid fee (USDT)',
    usdt_address: 'Paid to',
    value: 'Value',
    version: 'Version',
  },
} as const satisfies Codes

/** The ledger's transfers that belong to a claim. */
export const CASE_ENTRIES = {
  scope: 'caseEntries',
  words: {
    'claim.cancelled': 'Claim cancelled',
    'claim.half_at_once': 'Half sent immediately',
    'claim.lapsed': 'Claim lapsed',
    'claim.rest_due': 'Rest due after the fee',
    'claim.waits_for_fee': 'Waits for its fee',
    'fee.energy_paid': 'Energy fee paid',
    'fee.paid': 'Fee paid',
    'payout.paid': 'Payout sent',
    'receipt.unmatched': 'Payment that matched no fee',
    'referral.direct': 'Direct referral reward',
    'referral.indirect': 'Indirect referral reward',
  },
} as const satisfies Codes
export type CaseEntryKind = keyof typeof CASE_ENTRIES.words

/** The ledger's accounts; a suffix after a colon says whose account it is, or of which plan. */
export const LEDGER_ACCOUNTS = {
  scope: 'ledgerAccounts',
  words: {
    advance: 'Paid in advance',
    chain_pool: 'Reward pool on chain',
    chain_staking: 'Staking contract on chain',
    claim: 'Claim that waits for its fee',
    credited: 'Credited rewards',
    donations: 'Sent to a contract by others',
    fee_receiver: 'Fee receiver',
    free: 'Free funds',
    income_energy: 'Income from energy fees',
    income_fee: 'Income from fees',
    lapsed: 'Lapsed rewards',
    owner: 'Owner',
    payout: 'Payout being sent',
    payout_wallet: 'Vault',
    principal: 'Locked capital',
    promised: 'Promised rewards',
    referral_claim: 'Referral claim to approve',
    referral_direct: 'Direct referral rewards',
    referral_indirect: 'Indirect referral rewards',
    surplus: 'Surplus in a contract',
    suspense: 'Payments that match no fee',
  },
} as const satisfies Codes
type AccountName = keyof typeof LEDGER_ACCOUNTS.words
export type AccountCode = AccountName | `${AccountName}:${string}`

/** The events of the contracts that belong to a claim. */
export const CHAIN_EVENTS = {
  scope: 'chainEvents',
  words: {
    RewardPaid: 'Reward paid',
    RewardReserved: 'Reward reserved',
    Staked: 'Tokens locked',
    Transfer: 'Transfer',
  },
} as const satisfies Codes

/** The types of outgoing messages. */
export const MESSAGE_TYPES = {
  scope: 'messageTypes',
  words: {
    'alarm.raised': 'Alarm',
    'alarm.reminded': 'Alarm, still open',
    'alarm.resolved': 'Alarm resolved',
    'claim.made': 'Claim made',
    'fee.paid': 'Fee paid',
    'payout.sent': 'Payout sent',
    'referral_claim.approved': 'Referral claim approved',
    'referral_claim.made': 'Referral claim made',
    'referral_claim.paid': 'Referral claim paid',
    'stake.joined': 'Plan joined',
    test: 'Test message',
  },
} as const satisfies Codes & { words: Record<EventType, string> }

export const ALARM_KINDS = {
  scope: 'alarmKinds',
  words: {
    audit: 'The books differ',
    backup: 'Backup missing or too old',
    chain_halt: 'Chain halted',
    clock_skew: 'Clock is wrong',
    'database.down': 'Database out of reach',
    'database.worker': 'Part of the database out of reach',
    event_changed: 'Event changed on chain',
    event_missed: 'Event was missed',
    event_undone: 'Event no longer on chain',
    events_incomplete: 'Events incomplete',
    'funds.low': 'Balance is running low',
    'loop.stuck': 'Background work is stuck',
    node_differs: 'Node differs from the others',
    node_down: 'Node does not answer',
    node_lags: 'Node lags behind',
    node_omits: 'Node leaves events out',
    node_refuses: 'Node refuses calls',
    node_unfit: 'Node gives wrong answers',
    node_wrong_network: 'Node of another network',
    nodes_disagree: 'Nodes disagree',
    'messages.failing': 'Messages cannot be delivered',
    'payment.missing': 'Payment that was not read',
    'payout.late': 'Payouts are late',
    'payout.stuck': 'Payout is stuck',
    'payout.waiting': 'Payout is waiting',
    plan_adopted: 'Plan taken over from the chain',
    'price.bounded': 'Price was limited',
    'price.source': 'Price cannot be read',
    'replica.unused': 'Replica not in use',
  },
} as const satisfies Codes & { words: Record<AlarmKind, string> }
