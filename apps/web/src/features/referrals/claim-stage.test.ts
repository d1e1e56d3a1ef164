import type { ClaimPoolEntry } from '@dct/api-contract/referrals'
import { expect, test } from 'vitest'
import { claimStage } from './claim-stage.ts'

const HASH = `0x${'a'.repeat(64)}`

test.each<[ClaimPoolEntry['state'], string | null, number | undefined]>([
  ['requested', null, 1],
  ['approved', null, 2],
  ['sending', null, 2],
  ['sending', HASH, 3],
  ['failed', null, 2],
  ['paid', HASH, 4],
  ['declined', null, undefined],
  ['returned', null, undefined],
])('a claim that is %s, with transaction %s, has done %s steps', (state, tx_hash_usdt, steps) => {
  expect(claimStage({ state, tx_hash_usdt })).toBe(steps)
})
