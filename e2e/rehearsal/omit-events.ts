import { startFaultyProxy } from '../../apps/server/src/testing/faulty-proxy.ts'
import { type ChaosWorld, DAYS_OF_A_ROUND, startAgain } from '../chaos/chaos-world.ts'
import { advance, settle } from '../chaos/devnet-time.ts'
import { BadAnswer, describeReply, persist, read } from '../chaos/persistence.ts'
import { until } from '../chaos/until.ts'
import type { Load } from './load.ts'
import { claimedBy, giveSubjectABonus, sendSubjectABonus, subjectOf } from './subject.ts'

/**
 * The only node of each chain finds no events any more, while a fee is paid and both chains pay the subject. The service
 * notices that the chains' own figures differ, and reads whole blocks. All that is left to admins is to read what the
 * alarms say about these nodes.
 */
export async function omitEvents(world: ChaosWorld, load: Load): Promise<void> {
  const { infrastructure, server } = world
  const { chains, serverEnv, url } = infrastructure
  const subject = subjectOf(world)
  await load.stop()
  await giveSubjectABonus(world)
  const fee = await claimedBy(world, subject, { plan: 'PLAN-720', kind: 'FULL' })
  await advance(url, DAYS_OF_A_ROUND)
  await settle(url)
  const nodes = { TRON_FULL_HOST: chains.tronUrl, BSC_RPC: chains.bscUrl }
  const proxies = await Promise.all(
    Object.entries(nodes).map(async ([name, node]) => {
      const proxy = await startFaultyProxy(node)
      proxy.setFaults(({ body }) =>
        body.includes('"eth_getLogs"') ? { answer: withoutResults } : 'none',
      )
      return { name, proxy }
    }),
  )
  await server.kill()
  for (const { name, proxy } of proxies) serverEnv[name] = proxy.url
  await startAgain(world)
  await claimedBy(world, subject, { plan: 'PLAN-360', kind: 'HALF' })
  await sendSubjectABonus(world)
  await subject.pay(fee, { submitsHash: false })
  await until('what the nodes omit is booked', async () => {
    const [fees, bonuses] = await Promise.all([subject.fees(), subject.bonuses()])
    const paid = fees.find(({ code_claim }) => code_claim === fee.code_claim)
    const half = fees.find(({ is_paid, claim_type }) => !is_paid && claim_type === 'HALF')
    return (
      (paid?.tx_hash_reward ?? null) !== null &&
      (half?.claimed_trx_hash ?? null) !== null &&
      bonuses.every(({ state }) => state === 'paid')
    )
  })
  await server.kill()
  Object.assign(serverEnv, nodes)
  await startAgain(world)
  await Promise.all(proxies.map(({ proxy }) => proxy.stop()))
  await settle(url)
  await untilAlarmsEnd(world)
  load.start()
}

function withoutResults(text: string): string {
  const replies = JSON.parse(text) as object | object[]
  const without = (reply: object) => ({ ...reply, result: [] })
  return JSON.stringify(Array.isArray(replies) ? replies.map(without) : without(replies))
}

/** Admins read what was booked late; what names the nodes ends by itself, as they are not asked any more. */
async function untilAlarmsEnd({ admin }: ChaosWorld): Promise<void> {
  await until('no alarm is left', async () => {
    const { alarms } = await read<{ alarms: { kind: string; subject: string }[] }>(
      admin,
      '/api/admin/alarms',
    )
    for (const { kind, subject } of alarms.filter((alarm) => alarm.kind === 'event_missed')) {
      const body = { kind, subject, reason: 'The node omitted events.' }
      const reply = await persist('acknowledge', () =>
        admin.tryCall('POST', '/api/admin/alarms/acknowledge', body),
      )
      if (reply.status !== 200) throw new BadAnswer(`acknowledge: ${describeReply(reply)}`)
    }
    return alarms.length === 0
  })
}
