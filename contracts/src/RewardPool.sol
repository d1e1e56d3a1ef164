// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.29;

import {Ownable, Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";
import {ReentrancyGuard} from "@openzeppelin/contracts/utils/ReentrancyGuard.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {IRewardPool} from "./IRewardPool.sol";
import {IStaking} from "./IStaking.sol";
import {TokenTransfers} from "./TokenTransfers.sol";

/// @title Holds the rewards of the earning plans and pays them out
/// @notice Every plan has its own funds, and for each one `funded >= paid + reserved + withdrawn` holds at every
/// moment. A stake reserves its whole reward when it is made; the operator then pays it out as it vests. A stolen
/// operator key can open and close plans, and pay stakers what has vested by that day. The owner's limits bound the
/// terms it can open a plan with, and so what any stake can be paid per day.
/// Tokens sent here without `addRewardForPlan` belong to no plan and stay.
contract RewardPool is IRewardPool, Ownable2Step, Pausable, ReentrancyGuard {
    using SafeCast for uint256;
    using TokenTransfers for IERC20;

    /// @notice UNOPENED: no terms yet. OPEN: can be joined. CLOSED: cannot be joined, rewards are still paid, can be opened
    /// again. RETIRED: what was left of its rewards was withdrawn; final.
    enum PlanState {
        UNOPENED,
        OPEN,
        CLOSED,
        RETIRED
    }

    /// @notice A plan's terms and funds. Amounts in base units.
    /// @param state See `PlanState`.
    /// @param durationDays The duration of every stake, in days of 86,400 seconds.
    /// @param totalBps The whole reward of a stake, in basis points of its amount.
    /// @param lastStakeEnd When the plan's last stake ends or ended; 0 without stakes.
    /// @param funded Everything ever put in.
    /// @param withdrawn Everything the owner took out.
    /// @param reserved Promised to stakes and not paid yet.
    /// @param paid Everything ever paid to stakers.
    struct Plan {
        PlanState state;
        uint32 durationDays;
        uint32 totalBps;
        uint40 lastStakeEnd;
        uint128 funded;
        uint128 withdrawn;
        uint128 reserved;
        uint128 paid;
    }

    /// @notice The limits on the terms of plans.
    /// @param maxDailyBps The highest reward per day of a stake, in basis points of its amount.
    /// @param minDurationDays The shortest duration of a plan, in days.
    struct TermLimits {
        uint16 maxDailyBps;
        uint16 minDurationDays;
    }

    /// @notice The entitlement of one stake.
    /// @param reward The whole reward, in base units.
    /// @param paid What was paid of it so far, in base units.
    /// @param start When the stake began, in seconds since 1970; 0 when there is no stake.
    struct Entitlement {
        uint96 reward;
        uint96 paid;
        uint40 start;
    }

    /// @notice `from` put `amount` into the plan's funds.
    event PlanFunded(string planCode, address indexed from, uint256 amount);
    /// @notice The plan can be joined, under these terms.
    event PlanOpened(string planCode, uint256 durationDays, uint256 totalBps);
    /// @notice The plan cannot be joined any more.
    event PlanClosed(string planCode);
    /// @notice The whole reward of a new stake was set aside.
    event RewardReserved(string planCode, address indexed staker, uint256 amount);
    /// @notice `amount` was paid to a staker; `total` was paid of that stake's reward so far.
    event RewardPaid(string planCode, address indexed to, uint256 amount, uint256 total);
    /// @notice The owner took funds that no stake had reserved.
    event FreeWithdrawn(string planCode, address indexed to, uint256 amount);
    /// @notice The owner took rewards that nobody claimed in time; the plan is retired.
    event LapsedWithdrawn(string planCode, address indexed to, uint256 amount);
    /// @notice Another key opens, closes and pays from now on.
    event OperatorChanged(address indexed previousOperator, address indexed newOperator);
    /// @notice From now on plans are opened, and stakes made, within these limits only.
    event TermLimitsChanged(uint256 maxDailyBps, uint256 minDurationDays);
    /// @notice The staking contract that may reserve; set once.
    event StakingBound(address indexed staking);

    error RewardPool_ZeroAddress();
    error RewardPool_ZeroAmount();
    error RewardPool_OnlyOperator(address caller);
    error RewardPool_OnlyStaking(address caller);
    error RewardPool_StakingAlreadyBound(address staking);
    error RewardPool_StakingMismatch(address staking);
    error RewardPool_InvalidPlanCode(string planCode);
    error RewardPool_InvalidTerms(uint256 durationDays, uint256 totalBps);
    error RewardPool_TermsBeyondLimits(uint256 durationDays, uint256 totalBps);
    error RewardPool_InvalidLimits(uint256 maxDailyBps, uint256 minDurationDays);
    error RewardPool_TermsDiffer(uint256 durationDays, uint256 totalBps);
    error RewardPool_PlanAlreadyOpen(string planCode);
    error RewardPool_PlanNotOpen(string planCode);
    error RewardPool_PlanNotClosed(string planCode);
    error RewardPool_PlanRetired(string planCode);
    error RewardPool_WrongDuration(uint256 durationDays, uint256 planDurationDays);
    error RewardPool_AlreadyReserved(address staker);
    error RewardPool_InsufficientFree(uint256 free, uint256 needed);
    error RewardPool_PaidDiffers(uint256 paid);
    error RewardPool_NotStaker(address to);
    error RewardPool_NotVested(uint256 payableNow, uint256 amount);
    error RewardPool_NothingReserved(string planCode);
    error RewardPool_NotLapsed(uint256 lapsesAt);
    error RewardPool_OwnershipNotRenounceable();

    uint256 private constant BPS_DENOMINATOR = 10_000;
    uint256 private constant MAX_PLAN_CODE_LENGTH = 32;
    uint256 private constant MAX_DURATION_DAYS = 36_500;
    uint256 private constant DEFAULT_MAX_DAILY_BPS = 50;
    uint256 private constant DEFAULT_MIN_DURATION_DAYS = 30;
    uint256 private constant LAPSE_AFTER = 365 days;

    IERC20 private immutable _token;

    address private _operator;
    address private _staking;
    TermLimits private _termLimits;
    mapping(bytes32 planKey => Plan) private _plans;
    mapping(bytes32 planKey => mapping(address staker => Entitlement)) private _entitlements;

    modifier onlyOperator() {
        if (msg.sender != _operator) revert RewardPool_OnlyOperator(msg.sender);
        _;
    }

    /// @param token_ The token of the rewards.
    /// @param owner_ Replaces the operator, limits the terms of plans, pauses payouts, withdraws. Cold; a multisig in
    /// production. The limits begin at 0.5 % per day and 30 days.
    /// @param operator_ Opens and closes plans and pays rewards. The server's key.
    constructor(IERC20 token_, address owner_, address operator_) Ownable(owner_) {
        if (address(token_) == address(0)) revert RewardPool_ZeroAddress();
        _token = token_;
        _setOperator(operator_);
        _setTermLimits(DEFAULT_MAX_DAILY_BPS, DEFAULT_MIN_DURATION_DAYS);
    }

    /// @notice Sets the staking contract, once and permanently. It must point back to this pool.
    function bindStaking(address staking_) external onlyOwner {
        // Check:
        if (_staking != address(0)) revert RewardPool_StakingAlreadyBound(_staking);
        if (staking_.code.length == 0 || address(IStaking(staking_).rewardPool()) != address(this)) {
            revert RewardPool_StakingMismatch(staking_);
        }

        // Effect:
        _staking = staking_;
        emit StakingBound(staking_);
    }

    /// @notice Adds `amount` to the funds of a plan. Anybody may; approve `amount` to this contract first. The plan
    /// need not be open yet.
    /// @param planCode 1 to 32 characters of A-Z, 0-9 and `-`.
    /// @param amount Base units.
    function addRewardForPlan(string calldata planCode, uint256 amount) external nonReentrant {
        Plan storage plan = _plans[_validKey(planCode)];
        // Check:
        if (amount == 0) revert RewardPool_ZeroAmount();
        if (plan.state == PlanState.RETIRED) revert RewardPool_PlanRetired(planCode);

        // Effect:
        plan.funded += amount.toUint128();

        // Interaction:
        _token.pull(msg.sender, amount);
        emit PlanFunded(planCode, msg.sender, amount);
    }

    /// @notice Lets a plan be joined, within the owner's limits. Its terms are fixed by the first opening, which may
    /// come before its first funding; a closed plan is opened again under the same ones.
    /// @param planCode 1 to 32 characters of A-Z, 0-9 and `-`.
    /// @param durationDays `minDurationDays` to 36,500.
    /// @param totalBps Whole reward in basis points of the amount (7,200 is 72 %): 1 to `durationDays * maxDailyBps`.
    function openPlan(string calldata planCode, uint256 durationDays, uint256 totalBps) external onlyOperator {
        Plan storage plan = _plans[_validKey(planCode)];
        // Check:
        if (durationDays > MAX_DURATION_DAYS || totalBps == 0) {
            revert RewardPool_InvalidTerms(durationDays, totalBps);
        }
        _requireWithinLimits(durationDays, totalBps);
        if (plan.state == PlanState.RETIRED) revert RewardPool_PlanRetired(planCode);
        if (plan.state != PlanState.UNOPENED && (plan.durationDays != durationDays || plan.totalBps != totalBps)) {
            revert RewardPool_TermsDiffer(plan.durationDays, plan.totalBps);
        }
        if (plan.state == PlanState.OPEN) revert RewardPool_PlanAlreadyOpen(planCode);

        // Effect:
        plan.state = PlanState.OPEN;
        plan.durationDays = durationDays.toUint32();
        plan.totalBps = totalBps.toUint32();
        emit PlanOpened(planCode, durationDays, totalBps);
    }

    /// @notice Takes no more joins. Stakes made before are honoured to their end.
    function closePlan(string calldata planCode) external onlyOperator {
        Plan storage plan = _plans[_key(planCode)];
        // Check:
        if (plan.state != PlanState.OPEN) revert RewardPool_PlanNotOpen(planCode);

        // Effect:
        plan.state = PlanState.CLOSED;
        emit PlanClosed(planCode);
    }

    /// @inheritdoc IRewardPool
    function reserve(string calldata planCode, address staker, uint256 amount, uint256 durationDays)
        external
        returns (uint256 reward)
    {
        bytes32 key = _key(planCode);
        Plan storage plan = _plans[key];
        Entitlement storage entitlement = _entitlements[key][staker];
        // Check:
        if (msg.sender != _staking) revert RewardPool_OnlyStaking(msg.sender);
        if (plan.state != PlanState.OPEN) revert RewardPool_PlanNotOpen(planCode);
        if (durationDays != plan.durationDays) revert RewardPool_WrongDuration(durationDays, plan.durationDays);
        if (entitlement.start != 0) revert RewardPool_AlreadyReserved(staker);
        _requireWithinLimits(durationDays, plan.totalBps);
        reward = amount * plan.totalBps / BPS_DENOMINATOR;
        uint256 free = _free(plan);
        if (reward > free) revert RewardPool_InsufficientFree(free, reward);

        // Effect:
        plan.reserved += reward.toUint128();
        plan.lastStakeEnd = (block.timestamp + durationDays * 1 days).toUint40();
        entitlement.reward = reward.toUint96();
        entitlement.start = block.timestamp.toUint40();
        emit RewardReserved(planCode, staker, reward);
    }

    /// @notice Pays a staker part of the reward, if exactly `paidBefore` was paid of it until now: so the same call counts
    /// once, by whatever key and however often it is sent.
    /// @dev Reverts unless `to` received every unit; then nothing counts as paid and the same call can be sent again.
    /// @param planCode The plan of the stake.
    /// @param to The staker.
    /// @param paidBefore What was paid of this stake's reward so far, in base units.
    /// @param amount Base units; at most `payableNow(planCode, to)`.
    function payReward(string calldata planCode, address to, uint256 paidBefore, uint256 amount)
        external
        onlyOperator
        whenNotPaused
        nonReentrant
    {
        bytes32 key = _key(planCode);
        Plan storage plan = _plans[key];
        Entitlement storage entitlement = _entitlements[key][to];
        // Check:
        if (amount == 0) revert RewardPool_ZeroAmount();
        if (entitlement.start == 0) revert RewardPool_NotStaker(to);
        if (entitlement.paid != paidBefore) revert RewardPool_PaidDiffers(entitlement.paid);
        if (plan.state == PlanState.RETIRED) revert RewardPool_PlanRetired(planCode);
        uint256 due = _payableNow(plan, entitlement);
        if (amount > due) revert RewardPool_NotVested(due, amount);

        // Effect:
        entitlement.paid += amount.toUint96();
        plan.paid += amount.toUint128();
        plan.reserved -= amount.toUint128();

        // Interaction:
        _token.pushExactly(to, amount);
        emit RewardPaid(planCode, to, amount, paidBefore + amount);
    }

    /// @notice Takes out funds that no stake has reserved.
    function withdrawFree(string calldata planCode, address to, uint256 amount) external onlyOwner nonReentrant {
        Plan storage plan = _plans[_key(planCode)];
        // Check:
        if (amount == 0) revert RewardPool_ZeroAmount();
        uint256 free = _free(plan);
        if (amount > free) revert RewardPool_InsufficientFree(free, amount);

        // Effect:
        plan.withdrawn += amount.toUint128();

        // Interaction:
        _token.pushExactly(to, amount);
        emit FreeWithdrawn(planCode, to, amount);
    }

    /// @notice Takes out all that is still reserved in a closed plan, 365 days after its last stake ended, and retires
    /// the plan: it can be neither funded, opened nor paid from again.
    function withdrawLapsed(string calldata planCode, address to) external onlyOwner nonReentrant {
        Plan storage plan = _plans[_key(planCode)];
        uint256 amount = plan.reserved;
        // Check:
        if (plan.state == PlanState.RETIRED) revert RewardPool_PlanRetired(planCode);
        if (plan.state != PlanState.CLOSED) revert RewardPool_PlanNotClosed(planCode);
        if (amount == 0) revert RewardPool_NothingReserved(planCode);
        uint256 lapsesAt = plan.lastStakeEnd + LAPSE_AFTER;
        if (block.timestamp < lapsesAt) revert RewardPool_NotLapsed(lapsesAt);

        // Effect:
        plan.state = PlanState.RETIRED;
        plan.reserved = 0;
        plan.withdrawn += amount.toUint128();

        // Interaction:
        _token.pushExactly(to, amount);
        emit LapsedWithdrawn(planCode, to, amount);
    }

    /// @notice Replaces the operator with immediate effect.
    function setOperator(address newOperator) external onlyOwner {
        _setOperator(newOperator);
    }

    /// @notice Limits the terms of plans opened or joined from now on. Stakes made before
    /// keep their rewards.
    /// @param maxDailyBps The highest reward per day, in basis points of the amount: 1 to 10,000.
    /// @param minDurationDays The shortest duration: 1 to 36,500.
    function setTermLimits(uint256 maxDailyBps, uint256 minDurationDays) external onlyOwner {
        _setTermLimits(maxDailyBps, minDurationDays);
    }

    /// @notice Stops payouts. Joins and the release of capital continue.
    function pausePayouts() external onlyOwner {
        _pause();
    }

    /// @notice Allows payouts again.
    function unpausePayouts() external onlyOwner {
        _unpause();
    }

    /// @notice Not possible: a pause could then never be ended, nor a stolen operator key replaced.
    function renounceOwnership() public view override onlyOwner {
        revert RewardPool_OwnershipNotRenounceable();
    }

    /// @inheritdoc IRewardPool
    function token() external view returns (IERC20) {
        return _token;
    }

    /// @notice The key that opens and closes plans and pays.
    function operator() external view returns (address) {
        return _operator;
    }

    /// @notice The staking contract; zero until it is bound.
    function staking() external view returns (address) {
        return _staking;
    }

    /// @notice The limits on the terms of plans that are opened or joined now.
    function termLimits() external view returns (TermLimits memory) {
        return _termLimits;
    }

    /// @notice Terms and funds of a plan; all zero when nobody funded or opened it.
    function plans(string calldata planCode) external view returns (Plan memory) {
        return _plans[_key(planCode)];
    }

    /// @notice The plan's funds that no stake has reserved, in base units.
    function freeOf(string calldata planCode) external view returns (uint256) {
        return _free(_plans[_key(planCode)]);
    }

    /// @notice The reward, paid part and start of a staker's stake in a plan; all zero when there is none.
    function entitlementOf(string calldata planCode, address staker) external view returns (Entitlement memory) {
        return _entitlements[_key(planCode)][staker];
    }

    /// @notice The most that `payReward` would pay this staker in this block, in base units.
    function payableNow(string calldata planCode, address staker) external view returns (uint256) {
        bytes32 key = _key(planCode);
        Plan storage plan = _plans[key];
        if (plan.state == PlanState.RETIRED) return 0;
        return _payableNow(plan, _entitlements[key][staker]);
    }

    function _setOperator(address newOperator) private {
        if (newOperator == address(0)) revert RewardPool_ZeroAddress();
        address previousOperator = _operator;
        _operator = newOperator;
        emit OperatorChanged(previousOperator, newOperator);
    }

    function _setTermLimits(uint256 maxDailyBps, uint256 minDurationDays) private {
        if (
            maxDailyBps == 0 || maxDailyBps > BPS_DENOMINATOR || minDurationDays == 0
                || minDurationDays > MAX_DURATION_DAYS
        ) {
            revert RewardPool_InvalidLimits(maxDailyBps, minDurationDays);
        }
        _termLimits = TermLimits(maxDailyBps.toUint16(), minDurationDays.toUint16());
        emit TermLimitsChanged(maxDailyBps, minDurationDays);
    }

    function _requireWithinLimits(uint256 durationDays, uint256 totalBps) private view {
        TermLimits memory limits = _termLimits;
        if (durationDays < limits.minDurationDays || totalBps > durationDays * limits.maxDailyBps) {
            revert RewardPool_TermsBeyondLimits(durationDays, totalBps);
        }
    }

    function _free(Plan storage plan) private view returns (uint256) {
        return uint256(plan.funded) - plan.withdrawn - plan.paid - plan.reserved;
    }

    /// @dev Day n of the stake (counted from 1) makes n of N parts payable. A cycle falls due at the start of a
    /// business day, up to a day before the same number of whole days has passed since the stake's own hour; counting
    /// from 1 covers that.
    function _payableNow(Plan storage plan, Entitlement storage entitlement) private view returns (uint256) {
        uint256 reward = entitlement.reward;
        if (reward == 0) return 0;
        uint256 dayOfStake = (block.timestamp - entitlement.start) / 1 days + 1;
        uint256 duration = plan.durationDays;
        uint256 vested = dayOfStake < duration ? reward * dayOfStake / duration : reward;
        return vested - entitlement.paid;
    }

    function _key(string calldata planCode) private pure returns (bytes32) {
        return keccak256(bytes(planCode));
    }

    function _validKey(string calldata planCode) private pure returns (bytes32) {
        bytes calldata code = bytes(planCode);
        if (code.length == 0 || code.length > MAX_PLAN_CODE_LENGTH) revert RewardPool_InvalidPlanCode(planCode);
        for (uint256 i = 0; i < code.length; ++i) {
            bytes1 c = code[i];
            bool allowed = (c >= "A" && c <= "Z") || (c >= "0" && c <= "9") || c == "-";
            if (!allowed) revert RewardPool_InvalidPlanCode(planCode);
        }
        return keccak256(code);
    }
}
