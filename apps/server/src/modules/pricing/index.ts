export type { PublicSettings } from './config.routes.ts'
export { type CurrentPrice, currentPrice, isPriceCurrent, type PriceAge } from './current-price.ts'
export { latestPrice } from './pricing.queries.ts'
export { ensurePrice, type PriceBounds } from './set-price.ts'
