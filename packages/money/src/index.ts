export type { Amount, Asset, Bps, Dct, Usdt } from './amount.ts'
export { add, amount, applyRate, ceilTo, divide, floorTo, smaller } from './amount.ts'
export {
  localDecimal,
  parseLocalDecimal,
  type ReadDecimal,
  readLocalDecimal,
} from './local-decimal.ts'
export {
  DECIMALS,
  formatAmount,
  formatUnits,
  parseAmount,
  parseUnits,
  SHOWN_DECIMALS,
} from './text.ts'
export { typedText } from './typed-text.ts'
