import { CallNotAllowed } from '@dct/chain-clients/senders/index'
import { rawKeySigner } from '@dct/chain-clients/signers/index'
import { useChainHost } from '@dct/devnet/chains/testing/test-host'
import { sql } from 'kysely'
import type { Hex } from 'viem'
import { beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { everything } from '../../testing/all-tables.ts'
import { useTestDatabase } from '../../testing/database.ts'
import { freshSenderWorld } from '../../testing/fresh-sender-world.ts'
import { runToEnd } from '../../testing/run-to-end.ts'
import { givenPlan } from '../../testing/sender-chains.ts'
import { bscSenderOf, payoutRow, type SenderWorld, tronSenderOf } from '../../testing/senders.ts'
import { DEVNET_TIMING } from './sender-deps.ts'

type Chain = 'TRON' | 'BSC'
const CHAINS: readonly Chain[] = ['BSC']
const AMOUNT = 1_000n

const host = useChainHost()
const database = useTestDatabase()
let world: SenderWorld
let givenPayout: (chain: Chain) => Promise<bigint>

beforeAll(() => givenPlan(host()))
beforeEach(async () => {
  const fresh = await freshSenderWorld(database.db, host())
  world = fresh.world
  givenPayout = (chain) => fresh.givenPayout(chain, AMOUNT)
})

/** Nothing is replaced, because a replacement would count as signed today. */
const timing = { ...DEVNET_TIMING, replaceAfterMs: Number.MAX_SAFE_INTEGER }

const senderOf = (chain: Chain, mostPerDay: bigint) =>
  chain === 'TRON' ? tronSenderOf(world) : bscSenderOf(world, { mostPerDay, timing })

async function standing(id: bigint) {
  const { state, wait_reason: waitsFor } = await payoutRow(database.db, id)
  return waitsFor === null ? state : `${state}: ${waitsFor}`
}
const standings = (ids: readonly bigint[]) => Promise.all(ids.map(standing))

const openAlarms = async (subject: string) => {
  const rows = await everything(database.db)
    .selectFrom('alarm')
    .select('message')
    .where('cleared_at', 'is', null)
    .where('subject', '=', subject)
    .execute()
  return rows.map(({ message }) => message)
}

test.each(CHAINS)(
  'on %s, payments beyond the daily limit wait with an alarm, even after a restart, until the limit is raised',
  async (chain) => {
    const ids = [await givenPayout(chain), await givenPayout(chain), await givenPayout(chain)]
    await runToEnd(world, senderOf(chain, 2n * AMOUNT))
    const restarted = senderOf(chain, 3n * AMOUNT - 1n)
    await runToEnd(world, restarted)
    expect(await standings(ids)).toEqual(['final', 'final', 'waiting: DAY_LIMIT'])
    expect(await openAlarms(`${chain}:DAY_LIMIT`)).toEqual([
      expect.stringContaining('Signed today: 2000; due: 1000'),
    ])
    await runToEnd(world, senderOf(chain, 3n * AMOUNT))
    expect(await standings(ids)).toEqual(['final', 'final', 'final'])
    expect(await openAlarms(`${chain}:DAY_LIMIT`)).toEqual([])
  },
)

test.each(CHAINS)(
  'on %s, amounts signed yesterday do not count towards today’s limit',
  async (chain) => {
    const [first, second] = [await givenPayout(chain), await givenPayout(chain)]
    await host().control.pauseMining()
    onTestFinished(async () => void (await host().control.resumeMining()))
    const sender = senderOf(chain, AMOUNT)
    await sender.step()
    expect(await standings([first, second])).toEqual(['sent', 'waiting: DAY_LIMIT'])
    await sql`update send_attempt set signed_at = signed_at - interval '1 day'`.execute(database.db)
    await sender.step()
    expect(await standings([first, second])).toEqual(['sent', 'sent'])
  },
)

test.each(CHAINS)(
  'on %s, a payment that the key is not meant for waits with its own alarm and does not delay the others',
  async (chain) => {
    const ids = [await givenPayout(chain), await givenPayout(chain)]
    const { operator, payout } = world.chains.serviceKeys
    const own = rawKeySigner(chain === 'TRON' ? operator.tronPrivateKey : payout.bscPrivateKey)
    let asked = 0
    const key = {
      address: own.address,
      signDigest: (digest: Hex) => {
        asked += 1
        if (asked === 1) throw new CallNotAllowed('not this one')
        return own.signDigest(digest)
      },
    }
    const sender = chain === 'TRON' ? tronSenderOf(world, { key }) : bscSenderOf(world, { key })
    await sender.step()
    const [first = 0n] = ids
    expect(await standings(ids)).toEqual(['waiting: CALL_NOT_ALLOWED', 'sent'])
    const subject = `${chain}:CALL_NOT_ALLOWED:payout:${first}`
    expect(await openAlarms(subject)).toEqual(['The key is not meant for this call. not this one'])
    await runToEnd(world, sender)
    expect(await standings(ids)).toEqual(['final', 'final'])
    expect(await openAlarms(subject)).toEqual([])
  },
)
