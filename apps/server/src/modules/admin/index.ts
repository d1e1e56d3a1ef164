export { storedReadings } from './funds.queries.ts'
export { createMoneyLoop } from './money-loop.ts'
export { recordAdminAction } from './record-admin-action.ts'
export { GAS_PER_PAYOUT, gasNeeded } from './shortages.ts'
