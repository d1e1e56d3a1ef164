import { type Dct, parseAmount } from '@dct/money'
import { JOIN_MAX_DCT, JOIN_MIN_DCT } from '@dct/rules/constants'
import { Refusal } from '../../platform/errors.ts'

/** @throws Refusal `AMOUNT_NOT_POSITIVE`, `AMOUNT_OUT_OF_RANGE` if nobody may lock this amount at once */
export function refuseJoinAmount(amount: Dct, dctDecimals: number): void {
  if (amount === 0n) throw new Refusal('AMOUNT_NOT_POSITIVE')
  const least = parseAmount('DCT', JOIN_MIN_DCT, dctDecimals)
  const most = parseAmount('DCT', JOIN_MAX_DCT, dctDecimals)
  if (amount < least || amount > most) throw new Refusal('AMOUNT_OUT_OF_RANGE')
}
