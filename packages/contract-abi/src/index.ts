/**
 * The ABIs of the product's contracts, typed for viem (`as const`).
 *
 * Argument orders that wallets and senders rely on:
 * - `Staking.joinStake(uint256 amount, string planCode, uint256 durationDays)`, `Staking.release(uint256 stakeId)`
 * - `RewardPool.addRewardForPlan(string planCode, uint256 amount)`
 * - `RewardPool.payReward(string planCode, address to, uint256 paidBefore, uint256 amount)`
 * - `RewardPool.openPlan(string planCode, uint256 durationDays, uint256 totalBps)`, `RewardPool.closePlan(string
 *   planCode)`
 *
 * How they are deployed: `contracts/deployment` (bytecodes: `@dct/contract-abi/bytecode`).
 *
 * `stakingAbi` and `rewardPoolAbi` also include the errors of the contracts that they call, so that a revert at any
 * depth can be decoded with the ABI of the contract that was called.
 */
export { devTokenAbi } from './generated/dev-token-abi.ts'
export { devUsdtAbi } from './generated/dev-usdt-abi.ts'
export { payoutVaultAbi } from './generated/payout-vault-abi.ts'
export { rewardPoolAbi } from './generated/reward-pool-abi.ts'
export { stakingAbi } from './generated/staking-abi.ts'
export { tokenAbi } from './generated/token-abi.ts'
