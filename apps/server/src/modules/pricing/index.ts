export { type CurrentPrice, currentPrice, isPriceCurrent, type PriceAge } from './current-price.ts'
export { createPairLoop, type PairReading, type PairRules } from './follow-pair.ts'
export { latestPrice } from './pricing.queries.ts'
export { ensurePrice, formatPrice, type PriceBounds } from './set-price.ts'
