/**
 * Faults of the service that the simulator has found and that are not mended yet. Each has a story that shows it, which
 * every calibration plays: it must still break one of these laws, or the fault is mended and its entry goes. Until then
 * other stories in which the same thing happens may break the laws that it breaks.
 */
import type { Act } from '../actors/act.ts'
import { PAIR_SETTINGS } from '../world/chains.ts'
import type { Story } from './draw.ts'
import type { Violation } from './stage.ts'

export type KnownFault = {
  name: string
  /** What is wrong, for whoever mends it. */
  description: string
  /** What its story shows: the law that it must still break. */
  shows: RegExp
  /** Stories in which any of these acts happens may break the laws below. */
  after: readonly string[]
  laws: readonly RegExp[]
  story: Story
}

const act = (kind: string, ...numbers: readonly number[]): Act => {
  const [a = 0, b = 0, c = 0, d = 0] = numbers
  return { kind, numbers: [a, b, c, d] }
}

const tell = (acts: readonly Act[], nodes = { tron: 1, bsc: 1 }): Story => {
  return { seed: 1, theme: 'calibration', nodes, settings: {}, acts, hasHarvest: true }
}

const [FULL, HALF, ONCE] = [1, 0, 1]
const UNPAID = [/everybody is paid/, /nothing waits/, /no alarm stays/, /the audit is green/]

/** Both referred holders pay a fee, so that their referrers have a bonus. */
const BONUS = [
  ...[act('claim', 1, 0, FULL, ONCE), act('claim', 2, 0, FULL, ONCE), act('pay', 1), act('pay', 2)],
  act('settle'),
]

export const KNOWN_FAULTS: readonly KnownFault[] = [
  {
    name: 'a paid claim that a restore lost',
    shows: /everybody is paid/,
    description:
      'A reward of the contract that the books do not know is a dead end: nothing is paid any more on either chain.',
    after: ['restore'],
    laws: [...UNPAID, /claims take each cycle once/],
    story: tell([act('backup'), act('claim', 0, 0, HALF, ONCE), act('settle'), act('restore')]),
  },
  {
    name: 'a base unit paid by a thief',
    shows: /everybody is paid/,
    description: 'One base unit paid with a stolen operator key stops a plan for good.',
    after: ['pay with stolen key', 'burn a payout id'],
    laws: UNPAID,
    story: tell([act('pay with stolen key', 0, 0), act('settle')]),
  },
  {
    name: 'a bonus that a restore lost',
    shows: /no bonus is sent twice/,
    description: 'After a restore, a referral claim that was paid can be paid again.',
    after: ['restore'],
    laws: [/no bonus is sent twice/],
    story: tell([
      ...BONUS,
      act('backup'),
      ...[act('claim bonus', 1, 0), act('approve bonus'), act('settle'), act('restore')],
      ...[act('turn'), act('claim bonus', 1, 0, 1), act('approve bonus'), act('settle')],
    ]),
  },
  {
    name: 'a burnt payout id',
    shows: /everybody is paid/,
    description:
      'A thief with the operator key can use up the id of a payment, which is then never paid.',
    after: ['burn a payout id'],
    laws: UNPAID,
    story: tell([
      act('claim', 0, 0, HALF, ONCE),
      act('some turns', 1),
      act('burn a payout id'),
      act('settle'),
    ]),
  },
  {
    name: 'a corrected price taken back',
    shows: /a corrected price stays/,
    description: 'The price of the pair takes back a price that two admins have corrected.',
    after: ['correct price'],
    laws: [/a corrected price stays/],
    story: {
      ...tell([
        act('hours of the market', 0, 1),
        act('market', 5, 0),
        act('correct price'),
        act('hours of the market', 0, 3),
      ]),
      settings: PAIR_SETTINGS,
    },
  },
  {
    name: 'another payout’s payment attached',
    shows: /nothing waits for ever/,
    description:
      'An admin can attach a reward that was paid under the id of another payout of the same amount.',
    after: ['attach a payment'],
    laws: UNPAID,
    story: tell([
      ...[act('funds', 0, 0), act('claim', 0, 0, HALF, ONCE), act('turn'), act('pay', 0)],
      ...[act('turn'), act('turn'), act('turn'), act('turn'), act('backup'), act('funds', 0, 1)],
      ...[act('settle'), act('restore'), act('attach a payment', 0, 0), act('settle')],
    ]),
  },
  {
    name: 'a payout behind sixty-four that wait',
    shows: /nobody waits for others/,
    description: 'Waiting payouts starve those behind them: a sender tries the oldest ones only.',
    after: ['crowd'],
    laws: [/./],
    story: tell([act('crowd')]),
  },
  {
    name: 'terms that a table refuses',
    shows: /no loop fails for ever/,
    description:
      'The contract allows terms that a table refuses: the watcher stops, and with it crediting for everybody.',
    after: ['open a plan with stolen key'],
    laws: [/./],
    story: tell([act('open a plan with stolen key', 0), act('settle')]),
  },
  {
    name: 'an omitted event before one that needs it',
    shows: /no loop fails for ever/,
    description:
      'Watcher and completeness check wait for each other when a node leaves an event out for good.',
    after: ['open a plan with stolen key'],
    laws: [/./],
    story: tell([
      act('open a plan with stolen key', 2),
      act('node fails', 0, 0, 6, 0),
      act('settle'),
    ]),
  },
  {
    name: 'a fee settled after its earning lapsed',
    shows: /a claim takes what was credited/,
    description:
      'A fee that is settled late excuses days whose cycles had lapsed, and gives nothing back.',
    after: ['dark month'],
    laws: [/a screen shows/, /a claim takes/],
    story: tell([
      ...[act('join', 0, 1, 0, 40), act('settle'), act('days', 3), act('claim', 0, 1, FULL, ONCE)],
      ...[act('pay', 0, 1), act('dark month', 1), act('settle')],
    ]),
  },
  {
    name: 'a fee paid in time and left out by a node',
    shows: /a payment in time pays its fee/,
    description:
      'A claim lapses although its fee was paid in time, when the nodes leave the payment out.',
    after: ['last moment'],
    laws: [/a payment in time/, /everybody is paid/, /a bonus is/, /a screen shows/],
    story: tell([act('claim', 0, 0, FULL, ONCE), act('last moment', 0, 0, 0)]),
  },
  {
    name: 'an outage of the api excuses no day',
    shows: /a screen shows what is so/,
    description:
      'The worker says that holders could claim while the api was down, so those days count.',
    after: ['api outage'],
    laws: [/a screen shows/, /a claim takes/],
    story: tell([act('api outage', 1), act('settle')]),
  },
]

/** The known fault that explains a violation in this story. */
export function explain(story: Story, { law }: Violation): KnownFault | undefined {
  const kinds = new Set(story.acts.map(({ kind }) => kind))
  return KNOWN_FAULTS.find(
    ({ after, laws }) => after.some((kind) => kinds.has(kind)) && laws.some((one) => one.test(law)),
  )
}
