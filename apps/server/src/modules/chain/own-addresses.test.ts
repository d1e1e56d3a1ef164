import type { Hex } from 'viem'
import { beforeEach, expect, test } from 'vitest'
import { useTestDatabase, wipe } from '../../testing/database.ts'
import { ownAddresses, recordOwnAddresses } from './index.ts'

const MONDAY = new Date('2026-03-02T00:00:00Z')
const TUESDAY = new Date('2026-03-03T00:00:00Z')
const address = (byte: string): Hex => `0x${byte.repeat(20)}`

const database = useTestDatabase()
beforeEach(() => wipe(database.db))

test('a replaced address remains one of our addresses, and a reused one is listed once', async () => {
  const { db } = database
  const wallet = (byte: string) => ({ role: 'payout_wallet', address: address(byte) }) as const
  await recordOwnAddresses(db, [wallet('bb'), { role: 'operator', address: address('bb') }], MONDAY)
  await recordOwnAddresses(db, [wallet('aa')], TUESDAY)
  await recordOwnAddresses(db, [wallet('bb')], TUESDAY)
  expect(await ownAddresses(db)).toEqual({
    operator: [address('bb')],
    payout_wallet: [address('bb'), address('aa')],
    fee_receiver: [],
    payout_operator: [],
  })
})
