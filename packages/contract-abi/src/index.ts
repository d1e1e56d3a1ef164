/**
 * The ABIs of the product's contracts, typed for viem (`as const`).
 *
 * Argument orders that wallets and senders rely on:
 * - `Staking.joinStake(uint256 amount, string planCode, uint256 durationDays)`, `Staking.release(uint256 stakeId)`
 * - `RewardPool.addRewardForPlan(string planCode, uint256 amount)`
 * - `RewardPool.payReward(bytes32 payoutId, string planCode, address to, uint256 amount)`
 * - `RewardPool.openPlan(string planCode, uint256 durationDays, uint256 totalBps)`, `RewardPool.closePlan(string planCode)`
 *
 * Deployment, in this order (bytecodes: `@dct/contract-abi/bytecode`):
 * 1. `DevToken(address owner)` on Tron, `DevUsdt(address owner)` on BSC; development only. The owner mints.
 * 2. `RewardPool(address token, address owner, address operator)`
 * 3. `Staking(address token, address rewardPool, address owner)`
 * 4. `rewardPool.bindStaking(address staking)`, once, by the owner. Until then no stake can be made.
 * 5. `rewardPool.setTermLimits(uint256 maxDailyBps, uint256 minDurationDays)`, by the owner, where plans may last less than 30
 *    days or pay more than 0.5 % a day.
 *
 * `stakingAbi` and `rewardPoolAbi` also hold the errors of the contracts they call, so that a revert of any depth can be
 * decoded with the ABI of the contract that was called.
 */
export { devTokenAbi } from './generated/dev-token-abi.ts'
export { devUsdtAbi } from './generated/dev-usdt-abi.ts'
export { rewardPoolAbi } from './generated/reward-pool-abi.ts'
export { stakingAbi } from './generated/staking-abi.ts'
export { tokenAbi } from './generated/token-abi.ts'
