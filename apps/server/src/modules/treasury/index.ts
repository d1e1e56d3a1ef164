export { storedReadings } from './funds.queries.ts'
export { createMoneyLoop } from './money-loop.ts'
export { GAS_PER_PAYOUT, gasNeeded } from './shortages.ts'
