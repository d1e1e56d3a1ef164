/** Creation bytecodes, apart from the ABIs so that the web app never ships them. Constructors: see `index.ts`. */
export {
  devTokenBytecode,
  devUsdtBytecode,
  rewardPoolBytecode,
  stakingBytecode,
} from './generated/bytecode.ts'
