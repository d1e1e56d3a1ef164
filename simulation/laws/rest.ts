/**
 * All faults are over and time passes. Whatever still waits for a person gets what the pages offer, as the admins'
 * runbooks say. Then the world must be at rest.
 */
import { endHalts, fillWallet } from '../actors/faults.ts'
import { endMessageFaults } from '../actors/messages.ts'
import { startAgain } from '../actors/restores.ts'
import { beginToday, hours } from '../actors/time.ts'
import { freeTheVault } from '../actors/vault-thieves.ts'
import { expire } from '../model/books.ts'
import { tellFinal } from '../story/chronicle.ts'
import type { Stage } from '../story/stage.ts'
import { isOften } from '../world/world.ts'

const MOST_ROUNDS = 4
const QUIET_MS = 2 * 60_000

export async function comeToRest(stage: Stage): Promise<void> {
  await endFaults(stage)
  // What a node has left out is noticed in the first round, and read in whole blocks in the second.
  const leastRounds = hasHoles(stage) ? 2 : 1
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    await stage.world.settle({ hasAllLoops: false })
    await hours(stage, 2, isOften)
    stage.world.sleep(QUIET_MS)
    // It is asked for an audit below.
    await stage.world.turn((loop) => loop !== 'audit')
    const hadToTidy = await tidyUp(stage)
    if (round + 1 >= leastRounds && !hadToTidy && (await isAtRest(stage))) break
  }
  await askForAudit(stage)
  tellFinal(stage)
  beginToday(stage)
  expire(stage.books, stage.world.now)
  stage.isCalm = true
}

export function hasHoles({ world }: Stage): boolean {
  const { tronNodes, bscNodes } = world.chains
  return [...tronNodes, ...bscNodes].some(({ mood }) => mood.omitted.size > 0)
}

/** Whether nothing is on its way any more. */
async function isAtRest(stage: Stage): Promise<boolean> {
  const open = [...(await openPayouts(stage)), ...(await openCalls(stage))]
  return stage.world.failures.size === 0 && open.length === 0
}

function openCalls(stage: Stage): Promise<Json[]> {
  return get(stage, '/admin/operator-calls', 'operator_calls')
}

const ENDED = ['final', 'returned', 'void']

/** Payouts that have not come to an end, whatever they are said to wait for. */
export async function openPayouts(stage: Stage): Promise<Json[]> {
  const newest = '/admin/payouts?limit=100&sort_by=created_at&sort_order=desc'
  const payouts = await get(stage, newest, 'payouts')
  return payouts.filter(({ state }) => !ENDED.includes(String(state)))
}

/** Whether it goes on only if an admin says so. */
function isHeld({ state, wait_reason }: Json): boolean {
  return state === 'held' || wait_reason === 'HELD'
}

async function endFaults(stage: Stage): Promise<void> {
  const { tron, bsc, tronNodes, bscNodes } = stage.world.chains
  for (const { mood } of [...tronNodes, ...bscNodes]) mood.fault = undefined
  // Of two nodes that must agree, an operator replaces the one that leaves something out for good.
  for (const nodes of [tronNodes, bscNodes])
    if (nodes.length === 2) for (const { mood } of nodes) mood.isMended = true
  stage.world.setDatabaseTrouble(undefined)
  stage.world.keyServiceFault = undefined
  endMessageFaults(stage)
  tron.isStuck = false
  bsc.isStuck = false
  tron.state.trx.set(tron.state.pool.operator, 10n ** 15n)
  bsc.state.bnb.set(stage.world.installation.places.payout, 10n ** 24n)
  bsc.state.leastGasPrice = 100_000_000n
  for (const name of ['api', 'worker'] as const) {
    const process = stage.world.process(name)
    if (process !== undefined) process.fuse = undefined
    await startAgain(stage, name)
  }
  freeTheVault(stage)
  fillWallet(stage)
}

type Json = Readonly<Record<string, string>>

/** What an admin does about what waits. @returns whether there was anything to do */
async function tidyUp(stage: Stage): Promise<boolean> {
  const done = [await endHalts(stage), await acknowledge(stage), await retryHeld(stage)]
  return done.some((one) => one)
}

async function get(stage: Stage, path: string, list: string): Promise<Json[]> {
  const { body } = await stage.api.call(stage.world.admin, 'GET', path)
  return (body[list] ?? []) as Json[]
}

export function openAlarms(stage: Stage): Promise<Json[]> {
  return get(stage, '/admin/alarms', 'alarms')
}

async function post(stage: Stage, exit: string, path: string, body?: object): Promise<void> {
  const { status } = await stage.api.call(stage.world.admin, 'POST', path, body)
  stage.coverage.reach('exit', `${exit} → ${status}`)
}

async function acknowledge(stage: Stage): Promise<boolean> {
  const alarms = await openAlarms(stage)
  for (const { kind, subject } of alarms) {
    stage.coverage.reach('alarm', String(kind))
    await post(stage, 'acknowledge an alarm', '/admin/alarms/acknowledge', {
      kind,
      subject,
      reason: 'seen',
    })
  }
  return alarms.length > 0
}

async function retryHeld(stage: Stage): Promise<boolean> {
  const held = (await openPayouts(stage)).filter(isHeld)
  for (const { id } of held) await post(stage, 'retry a payout', '/admin/payouts/retry', { id })
  const waiting = (await openCalls(stage)).filter(
    (call) => isHeld(call) || Number(call.failures) > 1,
  )
  for (const { id } of waiting)
    await post(stage, 'retry a call', '/admin/operator-calls/retry', { id })
  return held.length + waiting.length > 0
}

async function askForAudit(stage: Stage): Promise<void> {
  await stage.api.call(stage.world.admin, 'POST', '/admin/ledger-audits', { is_full: true })
  await stage.world.turn((loop) => loop === 'audit' || loop === 'jobs')
}
