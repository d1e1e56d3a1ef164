/** Deploys the product's contracts on a Tron network. Used by `npm run deploy` and by the development chains. */
export { type Estimate, estimateDeployment } from './estimate.ts'
export { connectNode, type DeploymentNode } from './node.ts'
export { acceptOwnership, runDeployment } from './run-deployment.ts'
export type { DeploymentInputs, DeploymentState } from './state.ts'
export { continueState, readState, writeState } from './state-file.ts'
export { verificationsOf } from './verification.ts'
