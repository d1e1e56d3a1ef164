import type { AmountInput } from '@dct/api-contract/common'
import { type Amount, type Asset, parseAmount } from '@dct/money'
import { Refusal } from './errors.ts'

/**
 * Parses an amount in a request, a decimal string or a JSON number, into base units.
 * @throws Refusal `BAD_AMOUNT` for signs, exponents, other alphabets or too many decimals
 */
export function readAmount<A extends Asset>(
  asset: A,
  input: AmountInput,
  { field, decimals }: { field: string; decimals: number },
): Amount<A> {
  try {
    return parseAmount(asset, String(input), decimals)
  } catch {
    throw new Refusal(
      'BAD_AMOUNT',
      { field },
      `The field '${field}' must be a plain decimal number with at most ${decimals} decimals.`,
    )
  }
}
