/** Deploys the product's contracts. Used by `npm run deploy` and by the development chains. */
export { type Estimate, estimateDeployment } from './estimate.ts'
export { connectNode, type DeploymentNode } from './node.ts'
export { replaceFile } from './replace-file.ts'
export { acceptOwnership, runDeployment } from './run-deployment.ts'
export type { DeploymentInputs, DeploymentState } from './state.ts'
export { continueState, readState, writeState } from './state-file.ts'
export {
  connectBscNode,
  deployVault,
  VAULT_GAS,
  type VaultInputs,
  type VaultState,
} from './vault.ts'
export { type Verification, verificationOfVault, verificationsOf } from './verification.ts'
