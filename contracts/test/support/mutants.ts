import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CONTRACTS_DIR, compileContract } from '../../scripts/solidity.ts'
import { type Bytecodes, CHECKED_IN } from './system.ts'

/** A deliberate fault: in `file`, `find` is replaced by `replace`. */
export type Mutant = {
  readonly name: string
  /** What the fuzz test reports for it. */
  readonly finding: string
  readonly file: 'src/Staking.sol' | 'src/RewardPool.sol'
  readonly find: string
  readonly replace: string
}

/** Faults that a careless change could introduce. The fuzz test must find each one. */
export const MUTANTS: readonly Mutant[] = [
  {
    name: 'capital goes to the caller',
    finding: 'capital and rewards reach their stakers alone',
    file: 'src/Staking.sol',
    find: '_token.pushExactly(staker, amount)',
    replace: '_token.pushExactly(msg.sender, amount)',
  },
  {
    name: 'capital is returned before the end',
    finding: '"release" was accepted',
    file: 'src/Staking.sol',
    find: 'block.timestamp < stake.end',
    replace: 'block.timestamp + 1 days < stake.end',
  },
  {
    name: 'capital is returned twice',
    finding: 'a released stake is known as such',
    file: 'src/Staking.sol',
    find: 'stake.released = true;',
    replace: '',
  },
  {
    name: 'a pause prevents the return of capital',
    finding: '"release" was refused',
    file: 'src/Staking.sol',
    find: 'function release(uint256 stakeId) external nonReentrant',
    replace: 'function release(uint256 stakeId) external whenNotPaused nonReentrant',
  },
  {
    name: 'joins are possible during a pause',
    finding: '"join" was accepted',
    file: 'src/Staking.sol',
    find: '        whenNotPaused\n',
    replace: '',
  },
  {
    name: 'one unit too much can be locked',
    finding: '"join" was accepted',
    file: 'src/Staking.sol',
    find: 'amount > _maxAmount',
    replace: 'amount > _maxAmount + 1',
  },
  {
    name: 'a stake ends a day late',
    finding: 'a stake keeps its times',
    file: 'src/Staking.sol',
    find: 'block.timestamp + durationDays * 1 days',
    replace: 'block.timestamp + (durationDays + 1) * 1 days',
  },
  {
    name: 'a payment counts again on top of another',
    finding: '"pay" was accepted',
    file: 'src/RewardPool.sol',
    find: 'if (entitlement.paid != paidBefore) revert RewardPool_PaidDiffers(entitlement.paid);',
    replace: '',
  },
  {
    name: 'rewards are paid two days early',
    finding: '"pay" was accepted',
    file: 'src/RewardPool.sol',
    find: '(block.timestamp - entitlement.start) / 1 days + 1',
    replace: '(block.timestamp - entitlement.start) / 1 days + 2',
  },
  {
    name: 'rewards are paid a day late',
    finding: '"pay" was refused',
    file: 'src/RewardPool.sol',
    find: '(block.timestamp - entitlement.start) / 1 days + 1',
    replace: '(block.timestamp - entitlement.start) / 1 days',
  },
  {
    name: 'the same part of a reward is paid again',
    finding: 'no stake is paid more than vested',
    file: 'src/RewardPool.sol',
    find: 'entitlement.paid += amount.toUint96();',
    replace: '',
  },
  {
    name: 'a paid amount remains reserved',
    finding: 'nothing else is reserved',
    file: 'src/RewardPool.sol',
    find: 'plan.reserved -= amount.toUint128();',
    replace: '',
  },
  {
    name: 'a stake reserves only part of its reward',
    finding: 'have their whole unpaid reward reserved',
    file: 'src/RewardPool.sol',
    find: 'plan.reserved += reward.toUint128();',
    replace: 'plan.reserved += (reward / 2).toUint128();',
  },
  {
    name: 'stakes are promised more than the free funds',
    finding: '"join" was accepted',
    file: 'src/RewardPool.sol',
    find: 'if (reward > free)',
    replace: 'if (reward > free + 1000)',
  },
  {
    name: 'reserved funds can be withdrawn as free ones',
    finding: '"withdraw free" was accepted',
    file: 'src/RewardPool.sol',
    find: '- plan.paid - plan.reserved',
    replace: '- plan.paid',
  },
  {
    name: 'rewards lapse too early',
    finding: '"withdraw lapsed" was accepted',
    file: 'src/RewardPool.sol',
    find: 'LAPSE_AFTER = 365 days',
    replace: 'LAPSE_AFTER = 20 days',
  },
  {
    name: 'a plan whose rewards were withdrawn is not retired',
    finding: 'a plan is in its state',
    file: 'src/RewardPool.sol',
    find: 'plan.state = PlanState.RETIRED;',
    replace: '',
  },
  {
    name: 'a closed plan opens under other terms',
    finding: '"open" was accepted',
    file: 'src/RewardPool.sol',
    find: 'if (plan.state != PlanState.UNOPENED && (',
    replace: 'if (plan.state == PlanState.OPEN && (',
  },
  {
    name: 'a plan pays more per day than the owner allows',
    finding: '"open" was accepted',
    file: 'src/RewardPool.sol',
    find: ' || totalBps > durationDays * limits.maxDailyBps',
    replace: '',
  },
  {
    name: 'a plan is shorter than the owner allows',
    finding: '"open" was accepted',
    file: 'src/RewardPool.sol',
    find: 'durationDays < limits.minDurationDays || ',
    replace: '',
  },
  {
    name: 'a plan beyond the limits can be joined',
    finding: '"join" was accepted',
    file: 'src/RewardPool.sol',
    find: '_requireWithinLimits(durationDays, plan.totalBps);',
    replace: '',
  },
  {
    name: 'anybody can limit the terms of plans',
    finding: '"limit terms" was accepted',
    file: 'src/RewardPool.sol',
    find: 'setTermLimits(uint256 maxDailyBps, uint256 minDurationDays) external onlyOwner',
    replace: 'setTermLimits(uint256 maxDailyBps, uint256 minDurationDays) external',
  },
  {
    name: 'anybody can pay',
    finding: 'was accepted',
    file: 'src/RewardPool.sol',
    find: 'if (msg.sender != _operator)',
    replace: 'if (msg.sender == address(0))',
  },
  {
    name: 'anybody can reserve',
    finding: '"forbidden" was accepted',
    file: 'src/RewardPool.sol',
    find: 'if (msg.sender != _staking)',
    replace: 'if (msg.sender == address(0))',
  },
]

/** The product's bytecodes, with one contract replaced by its faulty variant. */
export function bytecodesOf({ file, find, replace, name }: Mutant): Bytecodes {
  const source = readFileSync(join(CONTRACTS_DIR, file), 'utf8')
  if (source.split(find).length !== 2)
    throw new Error(`"${name}": \`find\` must occur exactly once in the file`)
  const replaced = new Map([[file, source.replace(find, replace)]])
  // Optimising takes three quarters of the time, and does not change whether a fault is found.
  const { bytecode } = compileContract(file, { replaced, optimizer: { enabled: false, runs: 1 } })
  return file === 'src/Staking.sol'
    ? { ...CHECKED_IN, staking: bytecode }
    : { ...CHECKED_IN, rewardPool: bytecode }
}
