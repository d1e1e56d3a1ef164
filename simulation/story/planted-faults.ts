/**
 * Faults that two audits found, and that were mended. A calibration takes each mend back, in the source as it is read,
 * and plays the story that showed it: the simulator must find it again. Which of their faults cannot be expressed any
 * more is said in docs/simulation.md.
 */
import type { PATTERNS } from './patterns.ts'

type Change = { file: string; find: string; replace: string }
/** An order of events with nothing else in it, or a drawn story. */
export type Shown = { pattern: keyof typeof PATTERNS } | { seed: number }
export type PlantedFault = {
  /** As the audits numbered them. */
  name: string
  changes: readonly Change[]
  shown: Shown
  /** The law that it breaks. */
  law: string
}

const SENDER = 'apps/server/src/modules/payouts/send-owed.ts'
const AMOUNTS = 'apps/server/src/modules/claims/hold-amount.ts'
const DELIVERY = 'apps/server/src/platform/outbox/deliver.ts'
const PAIR = 'apps/server/src/modules/pricing/follow-pair.ts'

export const PLANTED: readonly PlantedFault[] = [
  {
    name: 'N1: what a thief paid ahead stays unbooked',
    changes: [
      {
        file: SENDER,
        find: 'const hasCharged = await chargeAdvances(deps, chain)',
        replace: 'const hasCharged = false',
      },
    ],
    shown: { pattern: 'half of what is due, paid by a thief' },
    law: 'a screen shows what is so',
  },
  {
    name: 'N4: the pair takes back a price of admins',
    changes: [
      {
        file: PAIR,
        find: '(await lastOfAdmins(tx, dayAgo)) ?? (await priceAt(tx, dayAgo))',
        replace: 'await priceAt(tx, dayAgo)',
      },
      { file: PAIR, find: 'if (isAdmins && ', replace: 'if (isAdmins && now.getTime() < 0 && ' },
    ],
    shown: { pattern: 'a corrected price taken back' },
    law: 'a corrected price stays',
  },
  {
    name: 'N9: a fee settled late excuses no days',
    changes: [
      {
        file: 'apps/server/src/modules/claims/settle-fee.ts',
        find: 'if (first > last) return []',
        replace: 'if (first > last || first <= last) return []',
      },
    ],
    shown: { pattern: 'a fee settled after its earning lapsed' },
    law: 'a claim takes what was credited',
  },
  {
    name: 'N10: a claim lapses though its fee may have been paid',
    changes: [
      {
        file: 'apps/server/src/modules/claims/close-claims.ts',
        find: 'await unpaidPast(tx, proven < now ? proven : now, atOnce)',
        replace: 'await unpaidPast(tx, now, atOnce)',
      },
    ],
    shown: { pattern: 'a fee paid in time and left out by a node' },
    law: 'a payment in time pays its fee',
  },
  {
    name: 'N11: of two nodes one decides alone',
    changes: [
      {
        file: 'packages/chain-clients/src/nodes/node-group.ts',
        find: 'needed = usualAgreement(nodes.length)',
        replace: 'needed = 1',
      },
    ],
    shown: { pattern: 'a liar beside a node that does not answer' },
    law: 'only a payment pays a fee',
  },
  {
    name: 'traced (b): a key service that fails at the start stops the worker',
    changes: [
      {
        file: 'apps/server/src/main/loops/sender-loops.ts',
        find: 'if (!(error instanceof SignerUnavailable)) throw error',
        replace: 'if (error instanceof Error) throw error',
      },
    ],
    shown: { pattern: 'a key service that is silent at the start' },
    law: 'without its keys a worker does everything but sign',
  },
  {
    name: 'traced (c): the amount of a claim that a restore lost is given out again',
    changes: [
      {
        file: AMOUNTS,
        find: 'return sql<boolean>`exists (',
        replace: 'return sql<boolean>`false and exists (',
      },
      {
        file: AMOUNTS,
        find: 'union\n    select r.amount from usdt_receipt r',
        replace: 'union\n    select r.amount from usdt_receipt r join (select 1) none on false',
      },
    ],
    shown: { pattern: 'an amount of a fee that a restore lost' },
    law: 'nobody is asked for an amount that has arrived',
  },
  {
    name: 'traced (d): two receivers that were replaced since a backup hide the one between',
    changes: [
      {
        file: 'apps/server/src/main/context.ts',
        find: '...[...now.formerReceivers, now.receiver].map(',
        replace: '...[now.receiver].map(',
      },
    ],
    shown: { pattern: 'two receivers replaced since a backup' },
    law: 'nobody is asked for a fee twice',
  },
  {
    name: 'a channel of a holder that is gone does not end',
    changes: [
      {
        file: DELIVERY,
        find: 'if (failure.isGone && ',
        replace: 'if (failure.isGone && now.getTime() < 0 && ',
      },
    ],
    shown: { pattern: 'an address that is gone' },
    law: 'a holder sees that a channel has ended',
  },
  {
    name: 'a mail server that fails is named by no alarm',
    changes: [
      {
        file: DELIVERY,
        find: 'if (isTest || !standing.isFailing()) return',
        replace: 'if (isTest || now.getTime() > 0) return',
      },
    ],
    shown: { pattern: 'a mail server that is silent' },
    law: 'every fault is named in an alarm',
  },
  {
    name: 'a message that was sent is sent again',
    changes: [
      {
        file: DELIVERY,
        find: "state: 'sent', ended_at, last_error: null",
        replace: 'due_at: ended_at, last_error: null',
      },
    ],
    shown: { pattern: 'a mail server that refuses for hours' },
    law: 'a holder is told of an event once',
  },
  {
    name: 'first audit, 9: a chain that takes back final blocks goes on being paid on',
    changes: [
      {
        file: SENDER,
        find: 'if (await waitWhileHalted(deps, chain)) return true',
        replace: '',
      },
      {
        file: 'apps/server/src/modules/payouts/sign-outside.ts',
        find: 'if (await isHalted(tx, chain)) return undefined',
        replace: '',
      },
    ],
    shown: { pattern: 'a final payment that is undone' },
    law: 'nothing is sent on a chain that takes back what was final',
  },
]
