import type { Hex } from 'viem'
import { expect, test } from 'vitest'
import { ownAddresses, recordOwnAddresses } from '../../modules/chain/index.ts'
import { readReferralClaimRequest } from '../../modules/referrals/claims/read-referral-claim-request.ts'
import { realClock } from '../../platform/clock.ts'
import { useTestDatabase } from '../../testing/database.ts'
import type { Context } from '../context.ts'
import { referralClaimRules } from './referral-wiring.ts'

const addressOf = (byte: string): Hex => `0x${byte.repeat(20)}`
const database = useTestDatabase()

test('a referral claim to a former receiver or payout wallet is refused, whatever is configured now', async () => {
  const { db } = database
  const former = [
    { role: 'fee_receiver', address: addressOf('a1') },
    { role: 'payout_wallet', address: addressOf('a2') },
  ] as const
  await recordOwnAddresses(db, former, realClock.now())
  const tron = { token: addressOf('01'), staking: addressOf('02'), rewardPool: addressOf('03') }
  const bsc = { usdt: addressOf('04'), receiver: addressOf('b1'), vault: addressOf('b2') }
  const rules = referralClaimRules({
    ...{ db, clock: realClock, own: await ownAddresses(db) },
    config: { bsc: { chainId: 97 } },
    chains: { tron, bsc },
  } as unknown as Context)
  const claimTo = (usdtAddress: string) =>
    readReferralClaimRequest(rules, { type: 'direct bonus', usdtAddress })
  for (const { address } of former) {
    await expect(claimTo(address)).rejects.toMatchObject({ code: 'USDT_ADDRESS_NOT_YOURS' })
  }
  await expect(claimTo(addressOf('c1'))).resolves.toMatchObject({ kind: 'direct' })
})
