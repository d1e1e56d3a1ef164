// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.29;

import {RewardPool} from "../src/RewardPool.sol";
import {Staking} from "../src/Staking.sol";
import {DevToken} from "../src/dev/DevToken.sol";
import {FuzzActor} from "./FuzzActor.sol";

/// @title A model of the contracts' state, and the invariants that compare it with the contracts
/// @notice Tests only. The model is computed from the accepted calls alone, never read from the contracts.
abstract contract FuzzModel {
    struct PlanModel {
        RewardPool.PlanState state;
        uint256 durationDays;
        uint256 totalBps;
        uint256 funded;
        uint256 withdrawn;
        uint256 paid;
        uint256 owed; // the unpaid rewards of all its stakes; 0 once retired
        uint256 lastStakeEnd;
    }

    struct StakeModel {
        uint256 staker;
        uint256 plan;
        uint256 amount;
        uint256 reward;
        uint256 paid;
        uint256 start;
        uint256 end;
        bool released;
        uint256 maxDailyBps; // the owner's ceiling when the stake was made
    }

    uint256 internal constant HOLDERS = 12;
    uint256 internal constant OWNER = HOLDERS;
    uint256 internal constant OPERATOR_A = HOLDERS + 1;
    uint256 internal constant OPERATOR_B = HOLDERS + 2;
    uint256 internal constant CALLERS = HOLDERS + 3;
    uint256 internal constant PLANS = 3;
    uint256 internal constant DCT = 1e6;
    uint256 internal constant START_BALANCE = 2_000 * DCT;

    DevToken public immutable token = new DevToken(address(this));
    RewardPool internal _pool;
    Staking internal _staking;
    FuzzActor[CALLERS] internal _callers;

    PlanModel[PLANS] internal _plans;
    StakeModel[] internal _stakes;
    mapping(uint256 staker => mapping(uint256 plan => uint256 stakeId)) internal _stakeIds;
    uint256[CALLERS] internal _balances;
    uint256 internal _locked;
    uint256 internal _donatedToStaking;
    uint256 internal _donatedToPool;
    uint256 internal _operator = OPERATOR_A;
    bool internal _joinsPaused;
    bool internal _payoutsPaused;
    uint256 internal _maxDailyBps;
    uint256 internal _minDurationDays;

    /// @notice An invariant is violated.
    error FuzzModel_LawBroken(string law);

    function _code(uint256 plan) internal pure returns (string memory) {
        return plan == 0 ? "PLAN-A" : plan == 1 ? "PLAN-B" : "PLAN-C";
    }

    function _freeOf(uint256 plan) internal view returns (uint256) {
        PlanModel storage p = _plans[plan];
        return p.funded - p.withdrawn - p.paid - p.owed;
    }

    function _isWithinLimits(uint256 durationDays, uint256 totalBps) internal view returns (bool) {
        return durationDays >= _minDurationDays && totalBps <= durationDays * _maxDailyBps;
    }

    /// @dev The vested part of the reward: the number of days that have begun out of the plan's days.
    function _vestedOf(StakeModel storage stake) internal view returns (uint256) {
        uint256 daysBegun = (block.timestamp - stake.start + 1 days) / 1 days;
        uint256 duration = _plans[stake.plan].durationDays;
        if (daysBegun > duration) daysBegun = duration;
        return stake.reward * daysBegun / duration;
    }

    function _checkLaws() internal view {
        uint256 poolMustHold = _donatedToPool;
        for (uint256 i = 0; i < PLANS; ++i) {
            RewardPool.Plan memory plan = _pool.plans(_code(i));
            PlanModel storage model = _plans[i];
            _law(plan.funded >= uint256(plan.paid) + plan.reserved, "a plan has funded >= paid + reserved");
            _law(plan.reserved >= model.owed, "stakes have their whole unpaid reward reserved");
            _law(plan.reserved == model.owed, "nothing else is reserved");
            _law(plan.paid == model.paid, "a plan's paid is what was paid");
            _law(plan.funded == model.funded, "a plan's funded is what was put in");
            _law(plan.withdrawn == model.withdrawn, "a plan's withdrawn is what the owner took");
            _law(plan.state == model.state, "a plan is in its state");
            poolMustHold += model.funded - model.withdrawn - model.paid;
        }
        _law(token.balanceOf(address(_pool)) == poolMustHold, "the pool holds its plans' funds");
        _law(token.balanceOf(address(_staking)) == _locked + _donatedToStaking, "staking holds the live stakes' capital");
        _law(_staking.totalLocked() == _locked, "totalLocked is the live stakes' capital");
        for (uint256 i = 0; i < CALLERS; ++i) {
            bool holds = token.balanceOf(address(_callers[i])) == _balances[i];
            _law(holds, "capital and rewards reach their stakers alone");
        }
    }

    /// @dev The slower checks: every stake as stored in each contract.
    function _checkStakes() internal view {
        _law(_staking.stakeCount() == _stakes.length, "stakes are counted");
        for (uint256 i = 0; i < _stakes.length; ++i) {
            StakeModel storage model = _stakes[i];
            Staking.Stake memory stake = _staking.stakes(i + 1);
            address staker = address(_callers[model.staker]);
            _law(stake.staker == staker && stake.amount == model.amount, "a stake keeps its staker and amount");
            _law(stake.start == model.start && stake.end == model.end, "a stake keeps its times");
            _law(stake.reward == model.reward, "a stake keeps its reward");
            _law(stake.released == model.released, "a released stake is known as such");
            RewardPool.Entitlement memory due = _pool.entitlementOf(_code(model.plan), staker);
            _law(due.reward == model.reward && due.start == model.start, "the pool knows the stake");
            _law(due.paid == model.paid && due.paid <= _vestedOf(model), "no stake is paid more than vested");
            uint256 daysBegun = (block.timestamp - model.start) / 1 days + 1;
            uint256 ceiling = model.amount * model.maxDailyBps * daysBegun / 10_000;
            _law(due.paid <= ceiling, "no stake is paid more per day than the owner's ceiling");
        }
    }

    function _law(bool holds, string memory law) private pure {
        if (!holds) revert FuzzModel_LawBroken(law);
    }
}
