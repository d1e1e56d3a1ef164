/**
 * Creation bytecodes, and the code that they deploy, with the positions of the bytes that the constructor fills in
 * (`immutables`). Separate from the ABIs so that the web app never ships them. Constructor arguments: see
 * `contracts/deployment/steps.ts`.
 */
export {
  devTokenBytecode,
  devUsdtBytecode,
  payoutVaultBytecode,
  rewardPoolBytecode,
  stakingBytecode,
} from './generated/bytecode.ts'
export {
  devTokenRuntime,
  payoutVaultRuntime,
  rewardPoolRuntime,
  stakingRuntime,
} from './generated/runtime.ts'
export { isCodeOf, type Runtime } from './runtime-code.ts'
