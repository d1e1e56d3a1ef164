import { type Static, Type } from 'typebox'
import { ListFrame, ListQuery, Strict, Timestamp } from './common.ts'
import { LIST_ORDERS } from './lists.ts'

/** The statement that each check of an audit verifies; `contracts` stands for the checks that no node answered. */
export const AUDIT_CHECKS = [
  'entries sum to zero per asset',
  'no account is overdrawn',
  'accounts equal their transfers',
  'a plan’s funds are owed or free',
  'promises equal stakes',
  'credits and lapses equal the days’ records',
  'capital equals the locked stakes',
  'the days of a plan are what the cycles of its stakes paid',
  'an earning’s credits are claimed or unclaimed',
  'a plan’s credited account equals its unclaimed rewards',
  'a claim is the sum of its cycles',
  'a claim’s account holds the amount that waits for its fee',
  'every USDT receipt is booked',
  'a payout’s account holds the amount not paid yet',
  'accounts equal the payments on chain',
  'a user’s referral rewards are claimed or unclaimed',
  'all referral rewards are claimed or unclaimed',
  'referral claims hold the amounts that wait for approval',
  'approved referral claims are committed',
  'turnover counts every stake exactly',
  'referral rewards stay below their fees',
  'reward funds equal the contract’s events',
  'capital equals the contract’s events',
  'reward funds equal the contract’s counters',
  'stakes equal the contract’s counters',
  'contracts cover their obligations',
  'USDT wallets match the books',
  'contracts',
] as const
export type AuditCheckName = (typeof AUDIT_CHECKS)[number]

/** The reasons why a check compares nothing. */
export const AUDIT_GAPS = [
  '{chain} is halted',
  'the watcher is behind the chain',
  'the chain moved on meanwhile',
  'an opening balance is not booked yet',
  'no node answered: {error}',
] as const
type Filled<S> = S extends `${infer Before}{${string}}${infer After}`
  ? `${Before}${string}${Filled<After>}`
  : S
export type AuditGap = Filled<(typeof AUDIT_GAPS)[number]>

/** Two figures that should be equal, in base units or counts. */
export const AuditDifference = Type.Object({
  subject: Type.String(),
  expected: Type.String(),
  found: Type.String(),
})
export const AuditOutcome = Type.Object({
  name: Type.String(),
  /** The number of compared pairs of figures. */
  compared: Type.Integer(),
  /** Why nothing was compared; empty if something was. */
  skipped: Type.String(),
  differences: Type.Array(AuditDifference),
})
export type AuditOutcome = Static<typeof AuditOutcome>

/** One audit of the books. A full one reads every row, a quick one only the open part. */
export const AuditRun = Type.Object({
  id: Type.String(),
  is_full: Type.Boolean(),
  started_at: Timestamp,
  finished_at: Timestamp,
  compared: Type.Integer(),
  differences: Type.Integer(),
  outcomes: Type.Array(AuditOutcome),
})
export type AuditRun = Static<typeof AuditRun>

/** A full audit reads every row, which takes a long time. */
export const AskAuditBody = Strict({ is_full: Type.Boolean() })

export const AuditRunsQuery = ListQuery(LIST_ORDERS.audits, {
  is_full: Type.Optional(Type.Boolean()),
})
export type AuditRunsQuery = Static<typeof AuditRunsQuery>
export const AuditRunsReply = Type.Object({ audit_runs: Type.Array(AuditRun), ...ListFrame })
export type AuditRunsReply = Static<typeof AuditRunsReply>
