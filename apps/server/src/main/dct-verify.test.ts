import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { OwedDaysReply, OwnOwedReply } from '@dct/api-contract/owed-list'
import { useChainHost } from '@dct/devnet/chains/testing/test-host'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RealApp, startRealApp } from '../testing/real-app.ts'
import { call, devnet, givenRealHolder } from '../testing/real-claims.ts'
import { addressesOf } from '../testing/sender-chains.ts'
import { bearer, type TestUser } from '../testing/users.ts'

const COMMAND = join(import.meta.dirname, '../../../../verify/src/dct-verify.ts')
const host = useChainHost()
let real: RealApp
let holder: TestUser
const folder = mkdtempSync(join(tmpdir(), 'dct-verify-'))

/** A holder of 50 DCT for eleven days, who was paid half of their rewards. */
beforeAll(async () => {
  real = await startRealApp(host())
  await devnet(real, 'settle')
  holder = await givenRealHolder(real, host())
  await devnet(real, 'settle')
  await devnet(real, 'advance', { days: 11 })
  const payload = { earning_plan_code: 'PLAN-360', claim_type: 'HALF' }
  await call(real, holder, { method: 'POST', url: '/user/claim', payload })
  await devnet(real, 'settle')
}, 120_000)
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await real.stop()
})

function verify(...args: string[]): Promise<{ code: number | string; said: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [COMMAND, ...args], (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, said: `${stdout}${stderr}` }),
    )
  })
}

const onTron = () => {
  const { tronUrl, tronJsonRpcUrl, deployment } = host()
  const wallet = ['--wallet', holder.wallet.tronAddress, '--staking', deployment.tron.staking]
  return [
    ...wallet,
    '--plans',
    'PLAN-360,PLAN-720',
    '--tron',
    tronUrl,
    '--tron-rpc',
    tronJsonRpcUrl,
  ]
}

test('a holder’s stake is checked against the contracts alone, in words', async () => {
  const { code, said } = await verify(...onTron(), '--cycles')
  expect(said).toContain('✔ promised: 36.000000 DCT for 50.000000 DCT over 360 days')
  expect(said).toContain('✔ 11 of 360 cycles have passed, which pay 1.100000 DCT')
  expect(said).toContain('✔ paid: 0.550000 DCT, so 35.450000 DCT of the promise is left')
  expect(said).toContain('cycle 11: 0.100000 DCT')
  expect(said).toContain('✔ all holders have locked 50.000000 DCT')
  expect(said).toContain('If the operator lied, something else would be seen:')
  expect(said).toContain(
    '- your pages would list claims as paid that add up to more than 0.550000 DCT',
  )
  expect(said).toContain('All of this is as it must be.')
  expect(code).toBe(0)
})

test('the list of what is owed is checked against the vault, and a sum beyond it is exposed', async () => {
  const { days }: OwedDaysReply = (await real.app.inject('/api/public/owed')).json()
  const headers = bearer(holder)
  const own: OwnOwedReply = (await real.app.inject({ url: '/api/user/owed', headers })).json()
  expect(own.published).toEqual(days[0])
  const { vault, usdt } = addressesOf(host())
  const onBsc = ['--bsc', host().bscUrl, '--vault', vault, '--usdt', usdt]
  const check = (published: OwnOwedReply['published']) => {
    const file = join(folder, 'owed.json')
    writeFileSync(file, JSON.stringify({ ...own, published }))
    return verify('--owed', file, ...onBsc)
  }
  const honest = await check(own.published)
  expect(honest.said).toContain('✔ The vault holds at least the published sum.')
  expect(honest.said).toContain('✔ The vault’s contract states the same root and sum for that day.')
  expect(honest.said).toContain('- a vault that cannot pay: it holds less than the sum')
  expect(honest.code).toBe(0)
  const short = await check(own.published && { ...own.published, sum: `${10n ** 36n}` })
  expect(short.said).toContain('✘ NOT SO: The vault’s contract states ANOTHER root or sum')
  expect(short.said).toContain('✘ NOT SO: The vault holds LESS than the published sum.')
  expect(short.code).toBe(1)
})

test('what could not be checked is never reported as right', async () => {
  const silent = onTron().map((arg) => (arg === host().tronUrl ? 'http://127.0.0.1:9' : arg))
  const { code, said } = await verify(...silent)
  expect(said).toContain('Not checked')
  expect(code).toBe(2)
})
