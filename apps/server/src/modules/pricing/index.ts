export type { PublicSettings } from './config.routes.ts'
export { type CurrentPrice, currentPrice, type PriceAge } from './current-price.ts'
export { ensurePrice, type PriceBounds } from './set-price.ts'
