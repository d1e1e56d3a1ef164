export { storedReadings } from './funds.queries.ts'
export { createMoneyLoop } from './money-loop.ts'
export { recordAdminAction } from './record-admin-action.ts'
