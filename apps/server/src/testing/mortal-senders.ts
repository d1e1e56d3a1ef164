import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { useChainHost } from '@dct/devnet/chains/testing/test-host'
import { beforeAll, beforeEach, expect } from 'vitest'
import { account, balanceOf } from '../modules/ledger/index.ts'
import { useTestDatabase } from './database.ts'
import { type FreshSenderWorld, freshSenderWorld } from './fresh-sender-world.ts'
import type { SenderOrder } from './run-sender.ts'
import { dctOf, givenPlan, usdtOf } from './sender-chains.ts'
import { attemptsOf, payoutRow } from './senders.ts'

const SCRIPT = fileURLToPath(new URL('./run-sender.ts', import.meta.url))
const UNITS = { TRON: 1_000n, BSC: 10n ** 18n }
/** Enough for a restarted sender to finish three payouts on a busy machine. */
export const PATIENCE_MS = 30_000

type Chain = 'TRON' | 'BSC'
type Start = { crashAt?: string; isKeyRemote?: boolean }

/** Lets the tests of a file start senders as processes of their own, kill them, and judge what they paid. */
export function useMortalSenders() {
  const host = useChainHost()
  const database = useTestDatabase()
  let fresh: FreshSenderWorld
  beforeAll(() => givenPlan(host()))
  beforeEach(async () => {
    fresh = await freshSenderWorld(database.db, host())
  })
  return {
    start(chain: Chain, { crashAt, isKeyRemote = false }: Start = {}): ChildProcess {
      const { tronUrl, tronJsonRpcUrl, bscUrl, deployment, serviceKeys } = fresh.world.chains
      const order: SenderOrder = {
        databaseUrl: database.url,
        chain,
        chains: { tronUrl, tronJsonRpcUrl, bscUrl, deployment, serviceKeys },
        crashAt: crashAt ?? null,
        isKeyRemote,
      }
      return spawn(process.execPath, [SCRIPT, JSON.stringify(order)], { stdio: 'inherit' })
    },

    async endOf(child: ChildProcess): Promise<{ code: number | null; signal: string | null }> {
      const deadline = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS)
      const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
      clearTimeout(deadline)
      return { code, signal }
    },

    /** Creates three payouts of one unit each on that chain. */
    async givenPayouts(chain: Chain): Promise<bigint[]> {
      const ids: bigint[] = []
      for (let at = 0; at < 3; at += 1) ids.push(await fresh.givenPayout(chain, UNITS[chain]))
      return ids
    },

    balanceOn: (chain: Chain) =>
      chain === 'TRON' ? dctOf(host(), fresh.holder.address) : usdtOf(host(), fresh.receiver),

    /** Waits until that many of the payouts are signed: kills timed only by the clock come too early on a busy machine. */
    async untilBegun(ids: readonly bigint[], wanted: number): Promise<void> {
      for (let begun = 0; begun < wanted; await sleep(20)) {
        const rows = await Promise.all(ids.map((id) => payoutRow(database.db, id)))
        begun = rows.filter(({ state }) => state !== 'waiting').length
      }
    },

    /** @param before the balance of who is paid, before the payouts */
    async expectPaidOnce(chain: Chain, ids: readonly bigint[], before: bigint): Promise<void> {
      await host().control.finalize()
      expect((await this.balanceOn(chain)) - before).toBe(BigInt(ids.length) * UNITS[chain])
      for (const id of ids) {
        expect((await payoutRow(database.db, id)).state).toBe('final')
        const attempts = await attemptsOf(database.db, id)
        expect(attempts.map(({ state }) => state)).toEqual(['confirmed'])
        const asset = chain === 'TRON' ? 'DCT' : 'USDT'
        expect(await balanceOf(database.db, { asset, account: account.payout(id) })).toBe(0n)
      }
    },
  }
}
