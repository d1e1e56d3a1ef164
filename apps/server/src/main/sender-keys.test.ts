import { useChainHost } from '@dct/devnet/chains/testing/test-host'
import { expect, test } from 'vitest'
import { startRealApp } from '../testing/real-app.ts'
import { senderLoops } from './loops/sender-loops.ts'

const host = useChainHost()

test('[T077] a key of another address is refused with the name of its setting; without keys the API runs but sends nothing', async () => {
  const real = await startRealApp(host())
  try {
    const { config } = real.context
    const [tron, bsc] = [config.tron, config.bsc]
    const stranger = '7'.repeat(64)
    const keyIn = (setting: string, privateKey: string | undefined) =>
      privateKey === undefined ? undefined : ({ kind: 'raw', setting, privateKey } as const)
    const loopsWith = (keys: { operatorKey?: string; payoutKey?: string }) =>
      senderLoops({
        ...real.context,
        config: {
          ...config,
          tron: { ...tron, operatorKey: keyIn('TRON_OPERATOR_KEY_FILE', keys.operatorKey) },
          bsc: { ...bsc, payoutKey: keyIn('BSC_PAYOUT_KEY_FILE', keys.payoutKey) },
        },
      })
    await expect(loopsWith({ operatorKey: stranger })).rejects.toThrow(/TRON_OPERATOR_KEY_FILE/)
    await expect(loopsWith({ payoutKey: stranger })).rejects.toThrow(/BSC_PAYOUT_KEY_FILE/)
    for (const keys of [{ operatorKey: stranger }, { payoutKey: stranger }]) {
      await expect(loopsWith(keys)).rejects.not.toThrow(new RegExp(stranger))
    }
    expect(await loopsWith({})).toEqual([])
    expect((await real.app.inject({ url: '/api/health' })).statusCode).toBe(200)
  } finally {
    await real.stop()
  }
})
