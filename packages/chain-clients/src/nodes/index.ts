export {
  CallFailed,
  NodeRefused,
  NodeThrottled,
  NodeUnavailable,
  NotOffered,
} from './failures.ts'
export type { NodeAccess } from './node-client.ts'
export {
  createNodeGroup,
  type GroupNode,
  type NodeGroup,
  NodesDisagree,
} from './node-group.ts'
export { createRequestBudget, type RequestBudget } from './request-budget.ts'
export { createNodeStanding, type NodeStanding, type TroubleKind } from './standing.ts'
export { tronGridHeaders } from './tron-grid.ts'
