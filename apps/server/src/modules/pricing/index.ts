export { type CurrentPrice, currentPrice, isPriceCurrent, type PriceAge } from './current-price.ts'
export { createPairLoop, type PairReading, type PairRules } from './follow-pair.ts'
export {
  formatPrice,
  type MoneySettings,
  moneySettings,
  presentValue,
  settingsAndPrice,
  showMoneySetting,
} from './money-settings.ts'
export type { PriceBounds } from './price-room.ts'
export { latestPrice } from './pricing.queries.ts'
export { ensureMoneySetting } from './set-money-setting.ts'
