/**
 * Creation bytecodes, and the code they deploy with the bytes that the constructor fills in (`immutables`). Apart from the
 * ABIs so that the web app never ships them. Constructors: see `index.ts`.
 */
export {
  devTokenBytecode,
  devUsdtBytecode,
  rewardPoolBytecode,
  stakingBytecode,
} from './generated/bytecode.ts'
export { devTokenRuntime, rewardPoolRuntime, stakingRuntime } from './generated/runtime.ts'
export { isCodeOf, type Runtime } from './runtime-code.ts'
