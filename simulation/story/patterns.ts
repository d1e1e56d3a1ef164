/**
 * Orders of events in which faults were found once. Drawn stories contain one now and then, with other acts in between:
 * by chance alone such orders hardly ever come about.
 */
import type { Act } from '../actors/act.ts'
import { PAIR_SETTINGS } from '../world/chains.ts'

export type Pattern = {
  acts: readonly Act[]
  settings?: Readonly<Record<string, string>>
  /** How many nodes it needs of each chain; one where it is told alone. */
  nodes?: { tron: number; bsc: number }
  /** Whether a service outside holds the keys. */
  hasKeyService?: boolean
  /** The most numbers that a draw yields, so that draws meet. */
  few?: number
}

const act = (kind: string, ...numbers: readonly number[]): Act => {
  const [a = 0, b = 0, c = 0, d = 0] = numbers
  return { kind, numbers: [a, b, c, d] }
}

const [FULL, HALF, ONCE] = [1, 0, 1]

/** Both referred holders pay a fee, so that their referrers have a bonus. */
const BONUS = [
  ...[act('claim', 1, 0, FULL, ONCE), act('claim', 2, 0, FULL, ONCE), act('pay', 1), act('pay', 2)],
  act('settle'),
]

export const PATTERNS = {
  'a paid claim that a restore lost': {
    acts: [act('backup'), act('claim', 0, 0, HALF, ONCE), act('settle'), act('restore')],
  },
  'a fee that a restore lost, before anything was paid for it': {
    acts: [
      ...[act('claim', 0, 0, FULL, ONCE), act('pay', 0), act('settle'), act('days', 3)],
      ...[act('backup'), act('funds', 0, 0), act('claim', 0, 0, FULL, ONCE), act('pay', 0)],
      ...[act('settle'), act('restore'), act('settle'), act('claim', 0, 0, FULL, ONCE)],
      act('funds', 0, 1),
    ],
  },
  'a fee that a restore lost, whose claim has grown since': {
    acts: [
      ...[act('claim', 0, 0, FULL, ONCE), act('pay', 0), act('settle'), act('days', 4)],
      ...[act('backup'), act('funds', 0, 0), act('claim', 0, 0, FULL, ONCE), act('pay', 0)],
      ...[act('settle'), act('restore'), act('settle'), act('days', 4), act('settle')],
      ...[act('claim', 0, 0, HALF, ONCE), act('pay', 0), act('funds', 0, 1)],
    ],
  },
  'a fee paid to a receiver that no backup knows': {
    acts: [
      ...[act('claim', 0, 0, FULL, ONCE), act('pay', 0), act('settle'), act('days', 3)],
      ...[act('backup'), act('funds', 0, 0), act('rotate the receiver')],
      ...[act('claim', 0, 0, FULL, ONCE), act('pay', 0), act('settle')],
      ...[act('rotate the receiver'), act('restore'), act('settle')],
      ...[act('claim', 0, 0, FULL, ONCE), act('funds', 0, 1)],
    ],
  },
  'an amount of a fee that a restore lost': {
    acts: [
      ...[act('backup'), act('funds', 0, 0), act('claim', 0, 0, FULL, ONCE), act('pay', 0)],
      ...[act('settle'), act('restore'), act('settle'), act('claim', 0, 0, FULL, ONCE)],
      act('funds', 0, 1),
    ],
    few: 1,
  },
  'two receivers replaced since a backup': {
    acts: [
      ...[act('claim', 0, 0, FULL, ONCE), act('pay', 0), act('settle'), act('days', 3)],
      ...[act('backup'), act('funds', 0, 0), act('rotate the receiver')],
      ...[act('claim', 0, 0, FULL, ONCE), act('pay', 0), act('settle')],
      ...[act('rotate the receiver'), act('restore'), act('settle'), act('funds', 0, 1)],
    ],
  },
  'a worker that dies with a message on its way': {
    acts: [
      ...[act('ask for messages', 2, 0), act('claim', 2, 0, FULL, ONCE), act('pay', 2)],
      ...[act('some turns', 0), act('some turns', 2), act('crash', 0, 30, 0), act('settle')],
    ],
  },
  'a mail server that refuses for hours': {
    acts: [
      ...[
        act('ask for messages', 2, 0),
        act('messages fail', 1, 1),
        act('claim', 2, 0, FULL, ONCE),
      ],
      ...[act('pay', 2), act('settle'), act('hours', 8), act('settle')],
    ],
  },
  'an address that is gone': {
    acts: [
      ...[act('ask for messages', 2, 0), act('messages fail'), act('claim', 2, 0, FULL, ONCE)],
      ...[act('pay', 2), act('settle'), act('hours', 8), act('settle')],
    ],
  },
  'a mail server that is silent': {
    acts: [act('ask for messages', 2, 0), act('named fault', 7)],
  },
  'half of what is due, paid by a thief': {
    acts: [act('days', 5), act('pay with stolen key', 0, 2), act('settle')],
  },
  'a base unit paid by a thief': { acts: [act('pay with stolen key', 0, 0), act('settle')] },
  'a bonus that a restore lost': {
    acts: [
      ...BONUS,
      act('backup'),
      ...[act('claim bonus', 1, 0), act('approve bonus'), act('settle'), act('restore')],
      ...[act('turn'), act('claim bonus', 1, 0, 1), act('approve bonus'), act('settle')],
    ],
  },
  'a burnt payout id': {
    acts: [
      act('claim', 0, 0, HALF, ONCE),
      act('some turns', 1),
      act('burn a payout id'),
      act('settle'),
    ],
  },
  'a corrected price taken back': {
    acts: [
      act('hours of the market', 0, 1),
      act('market', 5, 0),
      act('correct price'),
      act('hours of the market', 0, 3),
    ],
    settings: PAIR_SETTINGS,
  },
  'a payout that waits in a backup and was paid since': {
    acts: [
      ...[act('funds', 0, 0), act('claim', 0, 0, HALF, ONCE), act('turn'), act('pay', 0)],
      ...[act('turn'), act('turn'), act('turn'), act('turn'), act('backup'), act('funds', 0, 1)],
      ...[act('settle'), act('restore'), act('settle')],
    ],
  },
  'terms that a table refuses': { acts: [act('open a plan with stolen key', 0), act('settle')] },
  'an omitted event before one that needs it': {
    acts: [act('open a plan with stolen key', 2), act('node fails', 0, 0, 6, 0), act('settle')],
  },
  'a fee settled after its earning lapsed': {
    acts: [
      ...[act('join', 0, 1, 0, 40), act('settle'), act('days', 3), act('claim', 0, 1, FULL, ONCE)],
      ...[act('pay', 0, 1), act('dark month', 1), act('settle')],
    ],
  },
  'a fee that is final only after midnight': {
    acts: [act('claim', 0, 0, FULL, ONCE), act('pay', 0), act('turn'), act('days')],
  },
  'a fee paid in time and left out by a node': {
    acts: [act('claim', 0, 0, FULL, ONCE), act('last moment', 0, 0, 0)],
  },
  'a final payment that is undone': {
    acts: [act('claim', 0, 0, HALF, ONCE), act('settle'), act('final blocks undone', 0, 2, 3, 2)],
  },
  'a liar beside a node that does not answer': {
    acts: [act('claim', 0, 0, FULL, ONCE), act('liar alone', 0, 0), act('settle')],
    nodes: { tron: 1, bsc: 2 },
  },
  'a key service that is silent at the start': {
    acts: [
      ...[act('claim', 0, 0, HALF, ONCE), act('key service fails', 0, 0), act('settle')],
      ...[act('days', 2), act('key service recovers'), act('settle')],
    ],
    hasKeyService: true,
  },
  'an outage of the api excuses no day': { acts: [act('api outage', 1), act('settle')] },
} as const satisfies Readonly<Record<string, Pattern>>

export function isPattern(name: string): name is keyof typeof PATTERNS {
  return name in PATTERNS
}
