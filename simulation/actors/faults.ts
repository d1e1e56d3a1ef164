/** What goes wrong by itself: processes die, nodes fail, chains stall and turn back, money for fees runs out. */
import { tokenAbi } from '@dct/contract-abi'
import { type Hex, keccak256, stringToHex } from 'viem'
import { event } from '../chains/abi.ts'
import type { SimulatedChain, Transaction } from '../chains/chain.ts'
import type { NodeView } from '../chains/json-rpc.ts'
import { FAULTS, type Fault, type NodeMood } from '../chains/node-faults.ts'
import { excuse, HOUR_MS } from '../model/books.ts'
import type { Stage } from '../story/stage.ts'
import { PLACES } from '../world/chains.ts'
import { endow, sendUsdt, type Wallet, walletOf } from '../world/wallet.ts'
import { isOften } from '../world/world.ts'
import { choose, type Play } from './act.ts'
import { claimBy, findClaim, somebodyWhoCan } from './holders.ts'
import { startAgain } from './restores.ts'
import { beginToday, days, excuseClosed } from './time.ts'

/** A process dies after some statements and requests, in the middle of its work, and is started again. */
export const crash: Play = async (stage, [which, after, how]) => {
  const names = stage.world.processes.filter((name) => name !== 'api')
  if (names.length === 0) return
  const name = choose(names, which) as 'worker' | 'worker 2'
  const process = stage.world.process(name)
  if (process === undefined) return
  process.fuse = 1 + (after % 120)
  process.diesAfter = how % 2 === 0
  stage.world.mine(3)
  await stage.world.turn()
  const hasDied = stage.world.process(name) === undefined
  if (!hasDied) process.fuse = undefined
  else
    stage.coverage.reach(
      'fault',
      `${name} killed ${how % 2 === 0 ? 'after' : 'before'} a statement`,
    )
  stage.say(
    hasDied
      ? `the ${name} is killed ${process.diesAfter ? 'after' : 'before'} statement ${1 + (after % 120)}`
      : `the ${name} works`,
  )
  await startAgain(stage, name)
}

/** The api dies in the middle of a claim: its holder does not know whether it was made, and looks later. */
export const crashApi: Play = async (stage, [after, how, who, which]) => {
  const process = stage.world.process('api')
  if (process === undefined) return
  const drawn = { holder: stage.holder(who), plan: stage.plan(which) }
  const { holder, plan } = somebodyWhoCan(stage, who) ?? drawn
  // Signed in before, so that the claim itself is what is cut off.
  await stage.api.call(holder, 'GET', '/auth/me')
  process.fuse = 1 + (after % 25)
  process.diesAfter = how % 2 === 0
  const notBeforeBlock = stage.world.chains.bsc.head.number
  await claimBy(stage, holder, plan, how % 3 === 0 ? 'FULL' : 'HALF')
  process.fuse = undefined
  if (stage.world.process('api') !== undefined) return
  stage.coverage.reach('fault', 'api killed')
  stage.say('the api is killed meanwhile')
  await startAgain(stage, 'api')
  await findClaim(stage, { holder, plan, notBeforeBlock })
}

export const secondWorker: Play = async (stage, [on]) => {
  if (on % 2 === 0) await startAgain(stage, 'worker 2')
  else await stage.world.stop('worker 2')
  stage.say(`a second worker is ${on % 2 === 0 ? 'started' : 'stopped'}`)
}

/** Everything is down for hours: nobody can claim. */
export const outage: Play = async (stage, [hours]) => {
  const { world } = stage
  const from = world.day
  const running = world.processes
  await world.stopAll()
  const length = choose([2, 7, 20, 30, 55], hours)
  world.sleep(length * 3_600_000)
  for (const name of running) await startAgain(stage, name as 'api' | 'worker' | 'worker 2')
  for (let day = from; day <= world.day; day += 1) {
    excuse(stage.books, day)
    // The first and the last day were down only in part.
    if (day === from || day === world.day) stage.doubtful.add(day)
  }
  await world.settle({ rounds: 2 })
  beginToday(stage)
  stage.coverage.reach('fault', 'outage')
  stage.say(`everything is down for ${length} h`)
}

export const nodeFails: Play = async (stage, [chain, node, fault, much]) => {
  const { tronNodes, bscNodes } = stage.world.chains
  const views = chain % 2 === 0 ? tronNodes : bscNodes
  const view = choose<NodeView<unknown>>(views, node)
  const kind = choose(FAULTS, fault)
  // A single node is believed, and two that lie the same agree.
  if (
    kind === 'lies' &&
    (chain % 2 === 0 || bscNodes.length < 2 || bscNodes.some(({ mood }) => mood.fault === 'lies'))
  )
    return
  begin(stage, view.mood, kind, much)
  if (kind === 'lies') inventPayments(stage, view)
  stage.say(`node ${view.mood.name} is ${wordFor(kind)}`)
}

function begin(stage: Stage, mood: NodeMood, fault: Fault, much: number): void {
  const { tron, bsc } = stage.world.chains
  mood.fault = fault
  mood.lag = 1 + (much % 6)
  stage.coverage.reach('fault', `node ${fault}`)
  if (fault !== 'omits') return
  // Some of what happens now will never be found by this node's search for logs.
  const current = [...tron.waiting, ...bsc.waiting, ...tron.head.included, ...bsc.head.included]
  const left = current.filter((_, at) => current.length === 1 || (much + at) % 2 === 0)
  for (const { hash } of left) mood.omitted.add(hash)
}

/** The node says that every open fee was paid. */
function inventPayments(stage: Stage, view: NodeView<unknown>): void {
  const open = stage
    .earnings()
    .flatMap(({ claims }) => claims.filter(({ state }) => state === 'unpaid'))
  const from: Hex = `0x${'1a'.repeat(20)}`
  for (const { asked, code, receiver } of open) {
    const args = { from, to: receiver, value: asked }
    const log = event(tokenAbi, PLACES.usdt, 'Transfer', args)
    view.invented.push({
      block: view.chain.head.number + 1,
      txHash: keccak256(stringToHex(code)),
      ...log,
    })
  }
}

/** One of two nodes lies while the other is asked too often. */
export const liarAlone: Play = async (stage, numbers) => {
  const { bscNodes } = stage.world.chains
  if (bscNodes.length !== 2) return
  await nodeFails(stage, [1, numbers[1], FAULTS.indexOf('lies'), 0])
  const other = bscNodes.find(({ mood }) => mood.fault !== 'lies')
  if (other !== undefined)
    begin(stage, other.mood, choose(['throttled', 'silent', 'late'] as const, numbers[0]), 0)
  stage.say('the other node does not answer')
  stage.world.mine(3)
  await stage.world.turn()
  for (const { mood } of bscNodes) mood.fault = undefined
  stage.say('both nodes are sound again')
}

/** No node of a chain answers for more than a month. */
export const darkMonth: Play = async (stage, [chain]) => {
  const { tronNodes, bscNodes } = stage.world.chains
  const views: readonly NodeView<unknown>[] = chain % 4 === 0 ? tronNodes : bscNodes
  for (const { mood } of views) mood.fault = 'silent'
  stage.say(`no node of ${chain % 4 === 0 ? 'Tron' : 'BSC'} answers`)
  await days(stage, 38)
  for (const { mood } of views) mood.fault = undefined
  stage.coverage.reach('fault', 'a chain is out of reach for a month')
  stage.say('the nodes answer again')
  await stage.world.settle()
}

/** Only the api is down: holders cannot claim, though everything else works. */
export const apiOutage: Play = async (stage, [much]) => {
  const { world } = stage
  const length = choose([3, 8, 15], much)
  const from = world.now
  await world.stop('api')
  stage.say(`the api is down for ${length} h`)
  for (let passed = 0; passed < length; passed += 1) {
    const before = world.day
    world.sleep(HOUR_MS)
    world.mine(3)
    await world.turn(isOften)
    if (world.day !== before) beginToday(stage)
  }
  await startAgain(stage, 'api')
  excuseClosed(stage, from)
  // A day is judged once it is over.
  await days(stage, 1)
  stage.coverage.reach('fault', 'api down')
}

function wordFor(fault: Fault): string {
  const words: Partial<Record<Fault, string>> = {
    behind: 'behind',
    omits: 'leaving events out',
    lies: 'lying',
  }
  return words[fault] ?? fault
}

export const nodesRecover: Play = async (stage) => {
  for (const { mood } of [...stage.world.chains.tronNodes, ...stage.world.chains.bscNodes])
    mood.fault = undefined
  stage.say('all nodes are sound again')
}

/** Blocks that were not final are replaced; some of their transactions are lost. */
export const reorganise: Play = async (stage, [chain, depth, lost]) => {
  const { tron, bsc } = stage.world.chains
  const undone = chain % 2 === 0 ? tron : bsc
  undone.undo(
    1 + (depth % undone.rules.finality),
    ({ nonce }) => nonce === undefined && lost % 3 === 0,
  )
  stage.world.mine(1)
  stage.coverage.reach('fault', `reorganisation of ${undone.rules.name}`)
  stage.say(`the newest blocks of ${undone.rules.name} are replaced`)
}

const MOST_UNDONE = 30
/** How long nothing may be sent. */
const TURNS_WATCHED = 3

/**
 * Blocks that were final are replaced, and perhaps what the service paid in them is lost. The service stops what it does
 * on that chain until an admin has seen what has changed.
 */
export const undoFinal: Play = async (stage, [chain, depth, lost, who]) => {
  const { world } = stage
  const { tron, bsc } = world.chains
  const undone: SimulatedChain<unknown> = chain % 2 === 0 ? tron : bsc
  const { name } = undone.rules
  await world.settle({ rounds: 2 })
  const isLost = ({ isByHand }: Transaction) => lost % 3 === 0 && isByHand !== true
  const final = undone.blocks.slice(0, undone.final.number + 1)
  const last = final.findLastIndex(({ included }) => included.some(isLost))
  const cut = last < 0 ? 1 + (depth % 3) : final.length - last
  if (cut > MOST_UNDONE || takesOthersAlong(undone, cut, isLost)) return
  undone.replaceFinal(cut, isLost)
  stage.coverage.reach('fault', `final blocks of ${name} undone`)
  if (last >= 0) stage.coverage.reach('fault', 'a final payment undone')
  stage.say(
    `${cut} final blocks of ${name} are replaced${last >= 0 ? ' without what the service sent' : ''}`,
  )
  await watchHalt(stage, undone, stage.holder(who))
  if (lost % 2 === 0) await endHalts(stage)
}

/** Whether what others did would fail without what is lost, as a join does without its plan: only they could do it again. */
function takesOthersAlong(
  chain: SimulatedChain<unknown>,
  cut: number,
  isLost: (transaction: Transaction) => boolean,
): boolean {
  const twin = chain.copy()
  twin.replaceFinal(cut, isLost)
  const [before, after] = [chain, twin].map(({ blocks }) =>
    blocks
      .slice(chain.final.number + 1 - cut)
      .flatMap(({ included }) => included)
      .filter(({ isByHand, succeeded, to }) => isByHand && succeeded && !PAY.includes(to))
      .map(({ hash }) => hash)
      .join(),
  )
  return before !== after
}

/** What thieves made them pay is booked, and taken back, like the service's own payments. */
const PAY: readonly Hex[] = [PLACES.pool, PLACES.vault]

async function watchHalt(
  stage: Stage,
  undone: SimulatedChain<unknown>,
  holder: Wallet,
): Promise<void> {
  const { world } = stage
  const { name } = undone.rules
  await world.turn((loop) => loop.startsWith('watcher'))
  if (!(await isHalted(stage, name))) return
  stage.coverage.reach('state', 'a halted chain')
  // Half of the claim is due at once.
  await claimBy(stage, holder, stage.plan(0), 'HALF')
  const [height, waiting] = [undone.blocks.length, new Set(undone.waiting.map(({ hash }) => hash))]
  for (let turn = 0; turn < TURNS_WATCHED; turn += 1) {
    world.mine(1)
    await world.turn(isOften)
  }
  const since = [
    ...undone.waiting,
    ...undone.blocks.slice(height).flatMap(({ included }) => included),
  ]
  const sent = since.filter(({ hash, isByHand }) => isByHand !== true && !waiting.has(hash))
  if (sent.length > 0)
    stage.accuse(
      'nothing is sent on a chain that takes back what was final',
      name,
      `${sent.length} were sent`,
    )
}

async function isHalted(stage: Stage, chain: string): Promise<boolean> {
  const { body } = await stage.api.call(stage.world.admin, 'GET', '/admin/alarms')
  const alarms = (body.alarms ?? []) as { kind: string; subject: string }[]
  return alarms.some(({ kind, subject }) => kind === 'chain_halt' && subject === chain)
}

/** An admin looks at what has changed on each chain that is halted, and lets the service go on. */
export async function endHalts(stage: Stage): Promise<boolean> {
  let hasEnded = false
  for (const chain of ['TRON', 'BSC']) {
    if (!(await isHalted(stage, chain))) continue
    const { admin } = stage.world
    const seen = await stage.api.call(admin, 'GET', `/admin/chain-halt?chain=${chain}`)
    const { digest } = seen.body
    const body = { chain, digest }
    const reply = await stage.api.call(admin, 'POST', '/admin/chain-halt/end', body)
    stage.coverage.reach('exit', `end a halt → ${reply.status}`)
    stage.answered('end a halt', reply)
    hasEnded ||= reply.status === 200
  }
  return hasEnded
}

export const stall: Play = async (stage, [chain, on]) => {
  const { tron, bsc } = stage.world.chains
  const stalled = chain % 2 === 0 ? tron : bsc
  stalled.isStuck = on % 2 === 0
  if (stalled.isStuck) stage.coverage.reach('fault', `full blocks of ${stalled.rules.name}`)
  stage.say(
    `blocks of ${stalled.rules.name} ${stalled.isStuck ? 'have no room' : 'have room again'}`,
  )
}

export const gasPrice: Play = async (stage, [much]) => {
  const price = choose([1n, 2n, 5n, 30n], much) * 100_000_000n
  stage.world.chains.bsc.state.leastGasPrice = price
  stage.coverage.reach('fault', 'gas price')
  stage.say(`gas on BSC costs ${price} wei`)
}

/** The operator has no TRX, the payout wallet no BNB or USDT; or they are filled up. */
export const funds: Play = async (stage, [which, on]) => {
  const { tron, bsc } = stage.world.chains
  const isEmpty = on % 2 === 0
  const of = choose(['TRX', 'BNB', 'USDT'] as const, which)
  if (of === 'TRX') tron.state.trx.set(tron.state.pool.operator, isEmpty ? 1_000n : 10n ** 15n)
  if (of === 'BNB')
    bsc.state.bnb.set(stage.world.installation.places.payout, isEmpty ? 1_000n : 10n ** 24n)
  if (of === 'USDT') fillWallet(stage)
  if (isEmpty && of !== 'USDT') stage.coverage.reach('fault', `no ${of}`)
  stage.say(`the service ${isEmpty && of !== 'USDT' ? 'runs out of' : 'gets'} ${of}`)
}

/** The owner sends USDT to where referrers are paid from. */
export function fillWallet({ world }: Stage): void {
  const owner = walletOf('owner')
  endow(world.chains, owner)
  for (const to of [world.installation.places.payout, PLACES.vault])
    sendUsdt(world.chains, owner.address, { to, value: 100n * 10n ** 18n })
}

export const databaseFails: Play = async (stage, [how]) => {
  const trouble = choose(['silent', 'full'] as const, how)
  stage.world.setDatabaseTrouble(trouble)
  stage.world.mine(1)
  await stage.world.turn()
  stage.world.setDatabaseTrouble(undefined)
  stage.coverage.reach('fault', `database ${trouble}`)
  stage.say(`the database is ${trouble} for a moment`)
}
