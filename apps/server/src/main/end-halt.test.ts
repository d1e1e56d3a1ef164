import { useChainHost } from '@dct/devnet/chains/testing/test-host'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chainFactsOf } from '../modules/chain/index.ts'
import { realClock } from '../platform/clock.ts'
import { everything } from '../testing/all-tables.ts'
import { type RealApp, startRealApp } from '../testing/real-app.ts'
import { call, devnet } from '../testing/real-claims.ts'
import type { TestUser } from '../testing/users.ts'

const host = useChainHost()
let real: RealApp
let admin: TestUser

beforeAll(async () => {
  real = await startRealApp(host())
  admin = await real.givenUser({ role: 'admin' })
}, 120_000)
afterAll(() => real.stop())

const look = (user: TestUser) =>
  call(real, user, { method: 'GET', url: '/admin/chain-halt?chain=BSC' })
const end = (digest: string) =>
  call(real, admin, {
    method: 'POST',
    url: '/admin/chain-halt/end',
    payload: { chain: 'BSC', digest },
  })

test('an admin inspects a halt and ends it by the digest shown, which is logged', async () => {
  await devnet(real, 'settle')
  const { db } = real.context
  expect(await look(admin)).toMatchObject({ status: 409, body: { code: 'CHAIN_NOT_HALTED' } })
  const cursor = await everything(db)
    .selectFrom('chain_cursor')
    .select(['block_number', 'block_hash'])
    .where('chain', '=', 'BSC')
    .executeTakeFirstOrThrow()
  await everything(db)
    .insertInto('chain_halt')
    .values({
      chain: 'BSC',
      block_number: cursor.block_number,
      expected_hash: cursor.block_hash,
      found_hash: Buffer.alloc(32, 7),
      halted_at: realClock.now(),
      ended_at: null,
      changes: null,
    })
    .execute()
  expect(await look(await real.givenUser())).toMatchObject({ status: 403 })
  const seen = await look(admin)
  const nothing = { undone: [], added: [], changed: [], moved: 0 }
  expect(seen).toMatchObject({
    status: 200,
    body: { block: Number(cursor.block_number), ...nothing },
  })

  expect(await end('0'.repeat(64))).toMatchObject({ status: 409, body: { code: 'HALT_CHANGED' } })
  expect((await chainFactsOf(db, 'BSC'))?.isHalted).toBe(true)
  expect(await end(String(seen.body.digest))).toMatchObject({ status: 200 })
  expect((await chainFactsOf(db, 'BSC'))?.isHalted).toBe(false)
  const log = await everything(db)
    .selectFrom('admin_log')
    .select(['admin_id', 'action', 'subject'])
    .where('action', '=', 'chain.end_halt')
    .execute()
  expect(log).toEqual([{ admin_id: admin.id, action: 'chain.end_halt', subject: 'BSC' }])
})
