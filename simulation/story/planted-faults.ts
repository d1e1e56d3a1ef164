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
