/** What the service's own pages say at rest: nothing waits, nothing is wrong, everything on chain is known. */
import { hasPair } from '../actors/market.ts'
import type { Stage } from '../story/stage.ts'
import { tronText } from '../world/chains.ts'
import { hasHoles, openAlarms, openPayouts } from './rest.ts'

type Json = Readonly<Record<string, unknown>>

async function list(stage: Stage, path: string, name: string): Promise<Json[]> {
  const { status, body } = await stage.api.call(stage.world.admin, 'GET', path)
  if (status !== 200) stage.accuse('the pages answer', path, `${status} ${String(body.message)}`)
  return (body[name] ?? []) as Json[]
}

export async function judgeService(stage: Stage): Promise<void> {
  judgeLoops(stage)
  await judgeWaiting(stage)
  await judgeAudit(stage)
  await judgeStakes(stage)
  for (const { kind, subject, message } of await openAlarms(stage)) {
    // A hole in a node's search for logs is there to stay, and so is what names it.
    if (kind === 'node_omits' && hasHoles(stage)) continue
    // The market is where it is.
    if (kind === 'price.bounded' && hasPair(stage)) continue
    stage.accuse('no alarm stays', String(kind), `${kind} of ${subject}: ${message}`)
  }
}

function judgeLoops(stage: Stage): void {
  for (const [loop, words] of stage.world.failures) {
    stage.accuse('no loop fails for ever', loop, `${loop}: ${words}`)
  }
}

async function judgeWaiting(stage: Stage): Promise<void> {
  for (const { state, cause, wait_reason, chain, ...payout } of await openPayouts(stage)) {
    stage.accuse(
      'nothing waits for ever',
      `${chain} ${wait_reason ?? state}`,
      `${cause} is ${state}: ${payout.wait_text ?? payout.held_note}`,
    )
  }
}

async function judgeAudit(stage: Stage): Promise<void> {
  const [run] = await list(
    stage,
    '/admin/ledger-audits?limit=1&sort_by=started_at&sort_order=desc',
    'audit_runs',
  )
  for (const outcome of (run?.outcomes ?? []) as Json[]) {
    const differences = outcome.differences as Json[]
    stage.coverage.reach('audit', `${outcome.name}${outcome.skipped === '' ? '' : ' (skipped)'}`)
    for (const { subject, expected, found } of differences) {
      stage.accuse(
        'the audit is green',
        String(outcome.name),
        `${subject}: ${found} instead of ${expected}`,
      )
    }
  }
}

/** Every stake on chain is in the admins' list, whoever made it and in whatever plan. */
async function judgeStakes(stage: Stage): Promise<void> {
  const { tron } = stage.world.chains
  const known = await list(stage, '/admin/user-earnings?limit=100', 'earnings')
  const keys = new Set(
    known
      .filter((one) => one.is_hash_confirmed === 'SUCCESS')
      .map((one) => `${one.earning_plan_code} ${one.tron_address}`),
  )
  for (const { staker, planCode, end, released } of tron.state.staking.stakes) {
    const key = `${planCode} ${tronText(staker)}`
    if (!keys.has(key))
      stage.accuse(
        'every stake on chain is booked',
        planCode.slice(0, 5),
        `${key} is not in the list`,
      )
    const isLate = Number(end) * 1_000 < tron.final.time - 86_400_000
    if (isLate && !released)
      stage.accuse('capital comes back by itself', planCode, `${key} was not released`)
  }
}
