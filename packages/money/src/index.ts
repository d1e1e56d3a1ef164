export type { Amount, Asset, Bps, Dct, Usdt } from './amount.ts'
export { add, amount, applyRate, ceilTo, divide, floorTo, smaller } from './amount.ts'
export { localDecimal } from './local-decimal.ts'
export { parseLocalDecimal, type ReadDecimal, readLocalDecimal } from './read-decimal.ts'
export {
  DECIMALS,
  formatAmount,
  formatUnits,
  parseAmount,
  parseUnits,
  SHOWN_DECIMALS,
} from './text.ts'
export { typedText } from './typed-text.ts'
