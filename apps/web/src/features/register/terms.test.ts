import { createHash } from 'node:crypto'
import * as constants from '@dct/rules/constants'
import { expect, test } from 'vitest'
import { appliedTerms, termsOf } from './terms.ts'

const points = [...termsOf('help@example.org'), ...appliedTerms()]
const english = points.map(({ text }) => text.en).join('\n')
const indonesian = points.map(({ text }) => text.id).join('\n')

test.each([
  ['TERMS-02', /360 cycles at 0\.2% of the locked amount per cycle/],
  ['TERMS-03', /720 cycles at 0\.3% of the locked amount per cycle/],
  ['TERMS-04', /claim fee is 40% of the claimed reward, payable in USDT/],
  ['TERMS-05', /A separate energy fee applies in addition/],
  ['TERMS-06', /at least every 30 cycles, or the account is frozen/],
  ['TERMS-07', /The fee is paid first, then 100% of the reward is received/],
  ['TERMS-08', /50% of the reward is claimed free, and the fee is paid to receive the other 50%/],
  ['TERMS-09', /initial pool limit is 20,000 DCT/],
  ['TERMS-10', /Locked tokens return automatically after the lock period/],
  ['TERMS-11', /Support is given by e-mail: help@example\.org/],
  ['TERMS-12', /within 1x24 hours after the fee is paid/],
])('[%s] is in the English terms', (_id, sentence) => {
  expect(english).toMatch(sentence)
})

test('the terms state how the service applies them: grace, loss, both periods after the end, and the fee of HALF', () => {
  const {
    FREEZE_AFTER_CYCLES: limit,
    FREEZE_GRACE_CYCLES: grace,
    CLAIM_OPEN_DAYS_AFTER_END: claims,
    FEE_OPEN_DAYS_AFTER_END: fees,
    CLAIM_FEE_BPS: fee,
  } = constants
  for (const text of [english, indonesian]) {
    for (const number of [limit, grace, limit + grace + 1, claims, fees]) {
      expect(text).toMatch(new RegExp(`\\b${number}\\b`))
    }
    expect(text).toContain(`HALF`)
    expect(text).toContain(`${fee / 100n}%`)
  }
  expect(english).toContain(`${fee / 100n}% of the whole claim`)
  expect(indonesian).toContain(`${fee / 100n}% dari seluruh klaim`)
})

test('changed terms have a new version, because users accept a version', () => {
  const digest = createHash('sha256').update(JSON.stringify(points)).digest('hex').slice(0, 16)
  expect({ [constants.TERMS_VERSION]: digest }).toEqual({ '2026-11-23': '61723ac7d2d49d1a' })
})
