export { createTimeTravel, type TimeTravel } from './advance.ts'
export { createChainControl } from './chain-control.ts'
export { type DevnetAddresses, devnetRoutes } from './devnet.routes.ts'
