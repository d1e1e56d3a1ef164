/** Draws a story from a seed: what happens, before anybody knows what it will lead to. */

import type { Act, Play } from '../actors/act.ts'
import * as admins from '../actors/admins.ts'
import * as faults from '../actors/faults.ts'
import * as holders from '../actors/holders.ts'
import * as keyService from '../actors/key-service.ts'
import * as market from '../actors/market.ts'
import * as messages from '../actors/messages.ts'
import { namedFault } from '../actors/named-faults.ts'
import * as restores from '../actors/restores.ts'
import * as rotations from '../actors/rotations.ts'
import * as thieves from '../actors/thieves.ts'
import * as time from '../actors/time.ts'
import * as vaultThieves from '../actors/vault-thieves.ts'
import { FAULTS, MUTE } from '../chains/node-faults.ts'
import { PAIR_SETTINGS } from '../world/chains.ts'
import { MAIL_FAULTS, PUSH_FAULTS } from '../world/inboxes.ts'
import { type Random, randomFrom } from '../world/random.ts'
import { PATTERNS, type Pattern } from './patterns.ts'

/** Every act by its name. */
export const ACTS: Readonly<Record<string, Play>> = {
  register: holders.register,
  join: holders.join,
  claim: holders.claimRewards,
  pay: holders.payFee,
  cancel: holders.cancelClaim,
  release: holders.releaseCapital,
  settle: time.settle,
  turn: time.oneTurn,
  'some turns': time.someTurns,
  hours: time.passHours,
  days: time.passDays,
  month: time.passMonth,
  price: admins.setPrice,
  percentage: admins.setPercentage,
  'claim bonus': admins.claimBonus,
  'approve bonus': admins.approveBonus,
  'decline bonus': admins.declineBonus,
  'switch plan': admins.switchPlan,
  market: market.moveMarket,
  'hours of the market': market.watchMarket,
  'correct price': market.correctPrice,
  'last moment': holders.lastMoment,
  backup: restores.backUp,
  restore: restores.restore,
  'pay with stolen key': thieves.payWithStolenKey,
  'burn a payout id': thieves.outrunPayment,
  'open a plan with stolen key': thieves.openPlanWithStolenKey,
  'take USDT': thieves.takeUsdt,
  'pay a signed claim': vaultThieves.payAClaim,
  'pay an accomplice': vaultThieves.payAnAccomplice,
  'rotate the operator': rotations.rotateOperator,
  'rotate the payout key': rotations.rotatePayoutKey,
  'rotate the receiver': rotations.rotateReceiver,
  'rule the vault': vaultThieves.ruleTheVault,
  crash: faults.crash,
  'crash of the api': faults.crashApi,
  'second worker': faults.secondWorker,
  outage: faults.outage,
  'node fails': faults.nodeFails,
  'nodes recover': faults.nodesRecover,
  'liar alone': faults.liarAlone,
  'named fault': namedFault,
  'dark month': faults.darkMonth,
  'api outage': faults.apiOutage,
  reorganisation: faults.reorganise,
  'final blocks undone': faults.undoFinal,
  stall: faults.stall,
  'gas price': faults.gasPrice,
  funds: faults.funds,
  'database fails': faults.databaseFails,
  'ask for messages': messages.askForMessages,
  'messages fail': messages.messagesFail,
  'messages flow': messages.messagesFlow,
  'key service fails': keyService.keyServiceFails,
  'key service recovers': keyService.keyServiceRecovers,
}

type Weights = Readonly<Record<string, number>>

/** What happens in every story. */
const USUAL: Weights = {
  ...{ register: 3, join: 6, claim: 12, pay: 12, cancel: 2, release: 1 },
  ...{ settle: 8, turn: 6, 'some turns': 4, hours: 5, days: 10 },
  ...{ price: 1, 'claim bonus': 2, 'approve bonus': 2, 'decline bonus': 1, 'switch plan': 1 },
  'ask for messages': 1,
}

/** What a story is about, beside the usual: rare things meet only if they are drawn together. */
const THEMES: Readonly<Record<string, Weights>> = {
  calm: {},
  prices: { market: 5, 'hours of the market': 4, 'correct price': 5, price: 0 },
  bonuses: {
    ...{ percentage: 4, 'claim bonus': 10, 'approve bonus': 8, 'decline bonus': 4, pay: 18 },
    ...{ 'pay a signed claim': 2, 'rule the vault': 2 },
  },
  crashes: { crash: 12, 'crash of the api': 4, 'second worker': 4, 'database fails': 3 },
  nodes: { 'node fails': 10, 'nodes recover': 4, 'liar alone': 4, 'named fault': 4, turn: 12 },
  chains: {
    reorganisation: 6,
    'final blocks undone': 3,
    stall: 6,
    'gas price': 4,
    funds: 5,
    'named fault': 3,
    turn: 10,
  },
  restores: {
    backup: 6,
    restore: 3,
    'claim bonus': 6,
    'approve bonus': 6,
    'decline bonus': 3,
    days: 14,
  },
  thefts: {
    'pay with stolen key': 4,
    'burn a payout id': 8,
    'take USDT': 2,
    'pay a signed claim': 3,
    'pay an accomplice': 2,
    'claim bonus': 6,
    'some turns': 12,
    claim: 18,
  },
  plans: { 'open a plan with stolen key': 4, 'node fails': 4, turn: 10 },
  mistakes: {
    funds: 5,
    'pay with stolen key': 1,
    turn: 8,
    claim: 16,
    pay: 16,
  },
  outages: { outage: 4, 'api outage': 4, 'nodes recover': 3, 'node fails': 4, days: 14 },
  freezes: { month: 3, 'dark month': 2, days: 6, pay: 16 },
  rotations: {
    ...{ 'rotate the operator': 4, 'rotate the payout key': 4, 'rotate the receiver': 4 },
    ...{ backup: 2, restore: 1, turn: 10, pay: 16, 'claim bonus': 6, 'approve bonus': 6 },
  },
  keys: {
    ...{ 'key service fails': 6, 'key service recovers': 4, claim: 16, pay: 16, turn: 10 },
    ...{ 'claim bonus': 6, 'approve bonus': 6, crash: 2, 'rotate the operator': 1 },
  },
  messages: {
    ...{ 'ask for messages': 8, 'messages fail': 5, 'messages flow': 4, 'named fault': 3 },
    ...{ claim: 16, pay: 16, settle: 10, 'second worker': 1 },
  },
  letters: {
    ...{ 'ask for messages': 6, crash: 8, 'database fails': 3, claim: 16, pay: 16, settle: 10 },
  },
  ends: { 'last moment': 2, month: 2, 'node fails': 2 },
}

export type Story = {
  seed: number
  theme: string
  nodes: { tron: number; bsc: number }
  /** Settings of the service that differ from the usual ones. */
  settings: Readonly<Record<string, string>>
  /** Whether a service outside holds the keys. */
  hasKeyService: boolean
  /** The most numbers that a draw yields, so that draws meet; undefined if chance is wide. */
  few: number | undefined
  acts: readonly Act[]
  /** Whether everybody claims and pays once the world is at rest, and it is judged once more. */
  hasHarvest: boolean
}

/** How many nodes a chain has: more of them cost time, and matter where they fail or lie. */
const UP_TO_FIVE = [1, 2, 3, 4, 5] as const
const FEW = [1, 1, 1, 2, 3] as const
const ABOUT_NODES = new Set(['nodes', 'plans', 'outages', 'chains'])

export function drawStory(seed: number, steps: number): Story {
  const random = randomFrom(seed)
  const theme = random.pick(Object.keys(THEMES))
  const weights: Weights = { ...USUAL, ...THEMES[theme] }
  const many = ABOUT_NODES.has(theme) ? UP_TO_FIVE : FEW
  const drawn = { tron: random.pick(many), bsc: random.pick(many) }
  const number = () => random.below(1_000)
  const acts = Array.from({ length: steps }, (): Act => {
    const kind = drawKind(weights, random.next())
    return { kind, numbers: [number(), number(), number(), number()] }
  })
  const followed = theme === 'prices' ? PAIR_SETTINGS : {}
  const pattern = random.chance(PART_WITH_PATTERN)
    ? random.pick<Pattern>(Object.values(PATTERNS))
    : undefined
  const settings = { ...followed, ...pattern?.settings }
  if (pattern !== undefined) weave(acts, pattern.acts, random)
  const nodes = pattern?.nodes ?? drawn
  const hasKeyService = theme === 'keys' || pattern?.hasKeyService === true
  const few = pattern?.few ?? (random.chance(PART_WITH_FEW) ? 2 : undefined)
  const own = { settings, hasKeyService, few }
  return { seed, theme, nodes, ...own, acts, hasHarvest: seed % 2 === 0 }
}

/** The part of the stories that contain an order of events in which something was found once. */
const PART_WITH_PATTERN = 0.3
/** The part in which few amounts are drawn: most claims then meet one that is taken. */
const PART_WITH_FEW = 0.15

/** Puts the acts of a pattern between the others, in their order. */
function weave(acts: Act[], pattern: readonly Act[], random: Random): void {
  const places = pattern.map(() => random.below(acts.length + 1)).toSorted((a, b) => a - b)
  for (const [at, act] of pattern.entries()) acts.splice((places[at] ?? 0) + at, 0, act)
}

function drawKind(weights: Weights, at: number): string {
  const entries = Object.entries(weights)
  let left = at * entries.reduce((sum, [, weight]) => sum + weight, 0)
  for (const [kind, weight] of entries) {
    left -= weight
    if (left < 0) return kind
  }
  return 'settle'
}

export const EXPECTED = [
  ...Object.keys(ACTS).map((kind) => `act: ${kind}`),
  ...['register', 'join', 'reserve', 'claim FULL', 'claim HALF', 'cancel', 'pay fee'].map(
    (name) => `answer: ${name} → done`,
  ),
  ...['claim bonus direct', 'claim bonus non-direct', 'bonus approval', 'bonus decline'].map(
    (name) => `answer: ${name} → done`,
  ),
  ...FAULTS.map((fault) => `fault: node ${fault}`),
  ...MUTE.map((fault) => `fault: key service ${fault}`),
  ...MAIL_FAULTS.map((fault) => `fault: email ${fault}`),
  ...PUSH_FAULTS.map((fault) => `fault: push ${fault}`),
  ...['email', 'push'].flatMap((channel) => [
    ...[`fault: ${channel} receiver gone`, `state: ${channel} ended`],
    `state: told by ${channel} of a fee`,
  ]),
  ...[
    ...['worker killed before a statement', 'worker killed after a statement', 'api killed'],
    ...['api down', 'outage', 'a chain is out of reach for a month', 'restore', 'gas price'],
    ...['database silent', 'database full', 'no TRX', 'no BNB', 'stolen operator key'],
    ...[
      'stolen payout key',
      'operator key replaced',
      'payout key replaced',
      'fee receiver replaced',
    ],
    ...['vault pausePayouts', 'vault unpausePayouts', 'vault setDailyLimit'],
    ...['TRON', 'BSC'].flatMap((chain) => [
      ...[
        `full blocks of ${chain}`,
        `reorganisation of ${chain}`,
        `final blocks of ${chain} undone`,
      ],
    ]),
  ].map((fault) => `fault: ${fault}`),
  ...['FULL paid', 'HALF paid', 'FULL unpaid', 'HALF unpaid', 'FULL cancelled'].map(
    (state) => `state: claim ${state}`,
  ),
  ...[...new Set(holders.PAYMENTS)].map((way) => `state: fee paid ${way}`),
  ...[
    'a fee on chain that is not settled',
    'a halted chain',
    'a worker that starts without its keys',
  ].map((state) => `state: ${state}`),
  ...['acknowledge an alarm', 'end a halt'].map((exit) => `exit: ${exit} → 200`),
]
