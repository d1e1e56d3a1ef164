import { encodeCall } from '@dct/chain-clients/senders/index'
import { payoutVaultAbi } from '@dct/contract-abi'
import { useChainHost } from '@dct/devnet/chains/testing/test-host'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { realClock } from '../../../platform/clock.ts'
import { useTestDatabase, wipe } from '../../../testing/database.ts'
import { type FaultyProxy, isBroadcast, startFaultyProxy } from '../../../testing/faulty-proxy.ts'
import { givenVaultWorld, newBscKey } from '../../../testing/fresh-sender-world.ts'
import { bscWatcherOf, watchedBsc } from '../../../testing/payment-watchers.ts'
import { runToEnd } from '../../../testing/run-to-end.ts'
import { callBsc, usdtOf } from '../../../testing/sender-chains.ts'
import { attemptsOf, bscSenderOf, givenUsdtPayout, RESTLESS } from '../../../testing/senders.ts'
import { endHalt, inspectHalt } from '../../chain/index.ts'

const USDT = 10n ** 18n

const host = useChainHost()
const database = useTestDatabase()
let proxy: FaultyProxy

beforeAll(async () => {
  await wipe(database.db)
  proxy = await startFaultyProxy(host().bscUrl)
})
afterAll(() => proxy.stop())

test('the nonce of a payment that failed is used again if its block is undone, and payments after it are made once', async () => {
  const { vault, world } = await givenVaultWorld(database.db, host())
  const shaky = { ...world, chains: { ...world.chains, bscUrl: proxy.url } }
  const sender = bscSenderOf(shaky, { timing: RESTLESS })
  const asOwner = async (name: 'pausePayouts' | 'unpausePayouts') => {
    const data = encodeCall(payoutVaultAbi, name, [])
    await callBsc(host(), host().serviceKeys.owner.bscPrivateKey, { to: vault, data })
    await host().control.finalize()
  }
  const receiver = newBscKey().address
  const { bsc: before } = await host().control.info()
  const id = await givenUsdtPayout(world, { to: receiver, amount: USDT, cause: 'referral:1' })
  const attempts = async () =>
    (await attemptsOf(database.db, id)).map(({ state, nonce }) => `${state} ${nonce}`)

  proxy.setFaults((request) => (isBroadcast(request) ? 'lose-request' : 'none'))
  await sender.step()
  await asOwner('pausePayouts')
  proxy.setFaults(() => 'none')
  await runToEnd(shaky, sender)
  await asOwner('unpausePayouts')
  await runToEnd(shaky, sender)
  expect(await attempts()).toEqual(['expired 0', 'confirmed 1'])

  await host().control.reorg({ chain: 'bsc', after: before.head.number })
  await host().control.finalize()
  await bscWatcherOf(world).catchUp()
  const { digest } = await inspectHalt(watchedBsc(world))
  await endHalt({ ...watchedBsc(world), clock: realClock }, digest, async () => undefined)
  expect(await usdtOf(host(), receiver)).toBe(0n)
  expect(await attempts()).toEqual(['expired 0', 'pending 1'])
  await runToEnd(shaky, sender)
  expect(await attempts()).toEqual(['expired 0', 'expired 1', 'confirmed 0'])
  expect(await usdtOf(host(), receiver)).toBe(USDT)
})
