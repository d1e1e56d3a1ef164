import { MUTANTS } from '../test/support/mutants.ts'
import type { Change } from './project.ts'

/** A planted fault, and the proof that it must break. */
export type Fault = Change & {
  readonly name: string
  readonly contract: string
  readonly check: string
}

const VAULT = { file: 'src/PayoutVault.sol', contract: 'PayoutVaultProofs' }

const VAULT_FAULTS: readonly Fault[] = [
  {
    ...VAULT,
    name: 'anybody pays from the vault',
    find: `        uint256 paid = _paid[claim.account][claim.kind];
        // Check:
        if (msg.sender != _operator) revert`,
    replace: `        uint256 paid = _paid[claim.account][claim.kind];
        // Check:
        if (msg.sender == address(0)) revert`,
    check: 'check_payment_keeps_the_books',
  },
  {
    ...VAULT,
    name: 'a payment does not compare what was paid before',
    find: 'if (paid != paidBefore) revert',
    replace: 'if (paid > type(uint128).max) revert',
    check: 'check_payment_keeps_the_books',
  },
  {
    ...VAULT,
    name: 'the vault forgets a payment',
    find: '_paid[claim.account][claim.kind] = paidAfter;',
    replace: '',
    check: 'check_payment_is_made_once',
  },
  {
    ...VAULT,
    name: 'more than the claim is paid',
    find: 'if (paidAfter > most) revert',
    replace: 'if (amount > most) revert',
    check: 'check_payment_keeps_the_books',
  },
  {
    ...VAULT,
    name: 'the vault pays while paused',
    find: 'uint256 amount) external whenNotPaused nonReentrant',
    replace: 'uint256 amount) external nonReentrant',
    check: 'check_payment_keeps_the_books',
  },
  {
    ...VAULT,
    name: 'the first payment of a day does not count',
    find: 'today == _today ? _paidToday + amount : amount',
    replace: 'today == _today ? _paidToday + amount : 0',
    check: 'check_payment_stays_within_the_day',
  },
  {
    ...VAULT,
    name: 'the limit holds for each payment alone',
    find: 'paidToday < _dailyLimit ? _dailyLimit - paidToday : 0',
    replace: 'paidToday < _dailyLimit ? _dailyLimit : 0',
    check: 'check_payment_stays_within_the_day',
  },
  {
    ...VAULT,
    name: 'anybody signs for an account',
    find: ' || signer != claim.account',
    replace: '',
    check: 'check_unsigned_payment_is_refused',
  },
  {
    ...VAULT,
    name: 'the signed text names another receiver',
    find: 'claim.to.toChecksumHexString()',
    replace: 'claim.account.toChecksumHexString()',
    check: 'check_text_states_what_is_paid',
  },
  {
    ...VAULT,
    name: 'the signed text leaves the total open',
    find: '_decimal(claim.total), " USDT with',
    replace: '_decimal(claim.claimed), " USDT with',
    check: 'check_text_states_what_is_paid',
  },
  {
    ...VAULT,
    name: 'anybody withdraws from the vault',
    find: 'function withdraw(address to, uint256 amount) external onlyOwner',
    replace: 'function withdraw(address to, uint256 amount) external',
    check: 'check_withdrawal_is_the_owners',
  },
  {
    ...VAULT,
    name: 'the operator raises the limit of the day',
    find: 'function setDailyLimit(uint128 newLimit) external onlyOwner',
    replace: 'function setDailyLimit(uint128 newLimit) external',
    check: 'check_roles_move_no_money',
  },
  {
    ...VAULT,
    name: 'the vault refuses the last unit of a claim',
    find: 'if (paidAfter > most) revert',
    replace: 'if (paidAfter >= most) revert',
    check: 'check_signed_payment_can_be_made',
  },
  {
    ...VAULT,
    name: 'anybody publishes what is owed',
    find: `        OwedList storage list = _owedLists[day];
        // Check:
        if (msg.sender != _operator) revert PayoutVault_OnlyOperator(msg.sender);`,
    replace: '        OwedList storage list = _owedLists[day];',
    check: 'check_publication_moves_no_money',
  },
  {
    ...VAULT,
    name: 'a corrected list passes for the first one',
    find: 'uint128 times = list.times + 1;',
    replace: 'uint128 times = 1;',
    check: 'check_publication_moves_no_money',
  },
]

const STAKING = { file: 'src/Staking.sol', contract: 'StakingProofs' }
const POOL = { file: 'src/RewardPool.sol', contract: 'RewardPoolProofs' }

/** Those that the fuzz test does not plant: an owner or a pool that reaches where nobody may, and what is refused wrongly. */
const FAULTS_OF_PROOFS: readonly Fault[] = [
  {
    ...STAKING,
    name: 'the owner takes the capital with a pause',
    find: '        _pause();',
    replace: '        _pause();\n        _token.push(msg.sender, _totalLocked);',
    check: 'check_roles_change_no_stake',
  },
  {
    ...STAKING,
    name: 'a plan can be joined again',
    find: 'if (stakeId != 0) revert Staking_AlreadyStaked(stakeId);',
    replace: '',
    check: 'check_join_once_per_plan',
  },
  {
    file: POOL.file,
    contract: STAKING.contract,
    name: 'a plan is funded from capital',
    find: '_token.pull(msg.sender, amount);',
    replace: '_token.pull(_staking, amount);',
    check: 'check_pool_touches_no_capital',
  },
  {
    ...POOL,
    name: 'the pool refuses the last unit of a reward',
    find: 'if (amount > due) revert',
    replace: 'if (amount >= due) revert',
    check: 'check_vested_payment_can_be_made',
  },
  {
    ...POOL,
    name: 'a withdrawal of free funds is not booked',
    find: 'plan.withdrawn += amount.toUint128();\n\n        // Interaction:\n        _token.pushExactly(to, amount);\n        emit FreeWithdrawn',
    replace: '_token.pushExactly(to, amount);\n        emit FreeWithdrawn',
    check: 'check_withdrawal_books',
  },
  {
    ...POOL,
    name: 'a withdrawal goes to the caller',
    find: '_token.pushExactly(to, amount);\n        emit FreeWithdrawn',
    replace: '_token.pushExactly(msg.sender, amount);\n        emit FreeWithdrawn',
    check: 'check_withdrawal_moves_what_it_says',
  },
]

/** The fuzz test's faults, by name. */
const TRON_FAULTS: Record<string, string> = {
  'capital goes to the caller': 'check_release_pays_the_staker_exactly',
  'capital is returned before the end': 'check_release_pays_the_staker_exactly',
  'capital is returned twice': 'check_release_happens_once',
  'a pause prevents the return of capital': 'check_release_is_always_possible',
  'one unit too much can be locked': 'check_join_locks_exactly',
  'a stake ends a day late': 'check_join_locks_exactly',
  'a payment counts again on top of another': 'check_payment_is_made_once',
  'rewards are paid two days early': 'check_payment_keeps_the_books',
  'the same part of a reward is paid again': 'check_payment_keeps_the_books',
  'anybody can pay': 'check_payment_keeps_the_books',
  'a paid amount remains reserved': 'check_books_balance_paying',
  'stakes are promised more than the free funds': 'check_books_balance_reserving',
  'a stake reserves only part of its reward': 'check_reward_is_within_the_ceiling',
  'a plan beyond the limits can be joined': 'check_reward_is_within_the_ceiling',
  'anybody can reserve': 'check_reward_is_within_the_ceiling',
  'a closed plan opens under other terms': 'check_promise_stays_opening',
  'reserved funds can be withdrawn as free ones': 'check_free_is_promised_to_nobody',
  'rewards lapse too early': 'check_lapse_only_a_year_after_the_end',
  'a plan whose rewards were withdrawn is not retired': 'check_lapse_only_a_year_after_the_end',
}

/** At least one for each property. */
export const FAULTS: readonly Fault[] = [
  ...VAULT_FAULTS,
  ...FAULTS_OF_PROOFS,
  ...Object.entries(TRON_FAULTS).map(([name, check]) => {
    const mutant = MUTANTS.find((one) => one.name === name)
    if (mutant === undefined) throw new Error(`there is no fault "${name}"`)
    const contract = mutant.file === 'src/Staking.sol' ? 'StakingProofs' : 'RewardPoolProofs'
    return { ...mutant, contract, check }
  }),
]
