// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.29;

import {RewardPool} from "../src/RewardPool.sol";
import {Staking} from "../src/Staking.sol";
import {FuzzActor} from "./FuzzActor.sol";
import {FuzzModel} from "./FuzzModel.sol";

/// @title Makes random calls from random accounts and predicts which of them must be accepted
/// @notice Tests only. Checks all invariants after every call. All random numbers derive from the seed, so the same
/// seed and the same block times repeat the same calls.
contract FuzzDriver is FuzzModel {
    enum Action {
        JOIN,
        RELEASE,
        FUND,
        PAY,
        OPEN,
        CLOSE,
        WITHDRAW_FREE,
        WITHDRAW_LAPSED,
        PAUSE,
        REPLACE_OPERATOR,
        LIMIT_TERMS,
        DONATE,
        FORBIDDEN
    }

    uint256 private constant ACTIONS = 13;
    /// @dev The relative frequency of each action, in the order of the enum.
    uint8[ACTIONS] private _weights = [20, 16, 8, 26, 6, 4, 4, 4, 4, 2, 2, 2, 4];

    uint256 private _seed;
    uint256 private _drawn;
    Action private _action;
    uint256[ACTIONS] private _accepted;
    uint256[ACTIONS] private _refused;

    /// @notice A call's outcome contradicts the rules; `answer` is the data that it returned or reverted with.
    error FuzzDriver_WrongAnswer(Action action, bool accepted, bytes answer);

    constructor() {
        for (uint256 i = 0; i < CALLERS; ++i) _callers[i] = new FuzzActor();
    }

    function ownerAndOperator() external view returns (address owner, address operator) {
        return (address(_callers[OWNER]), address(_callers[OPERATOR_A]));
    }

    /// @notice Binds the contracts to each other and mints tokens for all actors.
    function begin(RewardPool pool, Staking staking) external {
        _pool = pool;
        _staking = staking;
        _callers[OWNER].perform(address(pool), abi.encodeCall(RewardPool.bindStaking, (address(staking))));
        _maxDailyBps = 1_000;
        _minDurationDays = 1;
        _callers[OWNER].perform(
            address(pool), abi.encodeCall(RewardPool.setTermLimits, (_maxDailyBps, _minDurationDays))
        );
        for (uint256 i = 0; i < CALLERS; ++i) {
            token.mint(address(_callers[i]), START_BALANCE);
            _balances[i] = START_BALANCE;
            _callers[i].perform(address(token), abi.encodeCall(token.approve, (address(pool), type(uint256).max)));
            _callers[i].perform(address(token), abi.encodeCall(token.approve, (address(staking), type(uint256).max)));
        }
    }

    /// @notice Makes `calls` random calls. Reverts if an outcome is wrong or an invariant is violated.
    function run(uint256 seed, uint256 calls) external {
        _seed = seed;
        _drawn = 0;
        for (uint256 i = 0; i < calls; ++i) {
            _act(_drawAction());
            _checkLaws();
        }
        _checkStakes();
    }

    /// @notice The numbers of accepted and refused calls of each action, in the order of the enum.
    function tally() external view returns (uint256[ACTIONS] memory accepted, uint256[ACTIONS] memory refused) {
        return (_accepted, _refused);
    }

    function _act(Action action) private {
        _action = action;
        if (action == Action.JOIN) _join();
        else if (action == Action.RELEASE) _release();
        else if (action == Action.FUND) _fund();
        else if (action == Action.PAY) _pay();
        else if (action == Action.OPEN) _open();
        else if (action == Action.CLOSE) _close();
        else if (action == Action.WITHDRAW_FREE) _withdrawFree();
        else if (action == Action.WITHDRAW_LAPSED) _withdrawLapsed();
        else if (action == Action.PAUSE) _pause();
        else if (action == Action.REPLACE_OPERATOR) _replaceOperator();
        else if (action == Action.LIMIT_TERMS) _limitTerms();
        else if (action == Action.DONATE) _donate();
        else _forbidden();
    }

    function _join() private {
        uint256 caller = _draw(CALLERS);
        uint256 plan = _draw(PLANS);
        PlanModel storage p = _plans[plan];
        uint256 amount = _pick(10 * DCT, 50 * DCT, 10 * DCT + _draw(40 * DCT), 10 * DCT - 1, 50 * DCT + 1);
        uint256 durationDays = _chance(10) ? _draw(60) : p.durationDays;
        uint256 reward = amount * p.totalBps / 10_000;
        bool allowed = !_joinsPaused && amount >= 10 * DCT && amount <= 50 * DCT && _stakeIds[caller][plan] == 0
            && p.state == RewardPool.PlanState.OPEN && durationDays == p.durationDays && reward <= _freeOf(plan)
            && amount <= _balances[caller] && _isWithinLimits(durationDays, p.totalBps);
        bytes memory data = abi.encodeCall(Staking.joinStake, (amount, _code(plan), durationDays));
        if (!_attempt(caller, address(_staking), data, allowed)) return;
        uint256 end = block.timestamp + durationDays * 1 days;
        _stakes.push(StakeModel(caller, plan, amount, reward, 0, block.timestamp, end, false, _maxDailyBps));
        _stakeIds[caller][plan] = _stakes.length;
        _balances[caller] -= amount;
        _locked += amount;
        p.owed += reward;
        p.lastStakeEnd = end;
    }

    function _release() private {
        uint256 stakeId = _draw(_stakes.length + 2);
        bool exists = stakeId > 0 && stakeId <= _stakes.length;
        bool allowed = exists && !_stakes[stakeId - 1].released && block.timestamp >= _stakes[stakeId - 1].end;
        bytes memory data = abi.encodeCall(Staking.release, (stakeId));
        if (!_attempt(_draw(CALLERS), address(_staking), data, allowed)) return;
        StakeModel storage stake = _stakes[stakeId - 1];
        stake.released = true;
        _balances[stake.staker] += stake.amount;
        _locked -= stake.amount;
    }

    function _fund() private {
        uint256 caller = _draw(CALLERS);
        uint256 plan = _draw(PLANS);
        uint256 missing = _distance(_freeOf(plan), _edgeOf(plan));
        uint256 amount = _pick(0, missing, _draw(40 * DCT), _draw(200 * DCT), _draw(2_000 * DCT));
        bool allowed = amount > 0 && _plans[plan].state != RewardPool.PlanState.RETIRED && amount <= _balances[caller];
        bytes memory data = abi.encodeCall(RewardPool.addRewardForPlan, (_code(plan), amount));
        if (!_attempt(caller, address(_pool), data, allowed)) return;
        _balances[caller] -= amount;
        _plans[plan].funded += amount;
    }

    function _pay() private {
        uint256 caller = _mostly(_operator);
        uint256 to = _draw(CALLERS);
        uint256 plan = _draw(PLANS);
        // Usually picks an account with a stake, because otherwise nearly all payouts would be attempted to strangers.
        if (_stakes.length > 0 && !_chance(15)) {
            StakeModel storage some = _stakes[_draw(_stakes.length)];
            (to, plan) = (some.staker, some.plan);
        }
        uint256 stakeId = _stakeIds[to][plan];
        uint256 vested = stakeId == 0 ? 0 : _vestedOf(_stakes[stakeId - 1]);
        uint256 paid = stakeId == 0 ? 0 : _stakes[stakeId - 1].paid;
        uint256 due = vested - paid;
        uint256 paidBefore = _chance(75) ? paid : _pick(0, paid + 1, _draw(paid + 1), vested, type(uint256).max);
        uint256 amount = _pick(due, due + 1, _draw(due + 1), vested, _draw(100 * DCT));
        bool allowed = caller == _operator && !_payoutsPaused && amount > 0 && paidBefore == paid
            && _plans[plan].state != RewardPool.PlanState.RETIRED && amount <= due;
        bytes memory data =
            abi.encodeCall(RewardPool.payReward, (_code(plan), address(_callers[to]), paidBefore, amount));
        if (!_attempt(caller, address(_pool), data, allowed)) return;
        _stakes[stakeId - 1].paid += amount;
        _plans[plan].paid += amount;
        _plans[plan].owed -= amount;
        _balances[to] += amount;
    }

    function _open() private {
        uint256 caller = _mostly(_operator);
        uint256 plan = _draw(PLANS);
        PlanModel storage p = _plans[plan];
        bool unopened = p.state == RewardPool.PlanState.UNOPENED;
        bool newTerms = unopened || _chance(20);
        uint256 durationDays = newTerms ? _draw(41) : p.durationDays;
        uint256 totalBps = p.totalBps;
        if (newTerms) totalBps = _chance(50) ? _draw(30_001) : durationDays * _maxDailyBps + _draw(2);
        bool sameTerms = durationDays == p.durationDays && totalBps == p.totalBps;
        bool allowed = caller == _operator && totalBps > 0 && _isWithinLimits(durationDays, totalBps)
            && (unopened || (p.state == RewardPool.PlanState.CLOSED && sameTerms));
        bytes memory data = abi.encodeCall(RewardPool.openPlan, (_code(plan), durationDays, totalBps));
        if (!_attempt(caller, address(_pool), data, allowed)) return;
        p.state = RewardPool.PlanState.OPEN;
        p.durationDays = durationDays;
        p.totalBps = totalBps;
    }

    function _close() private {
        uint256 caller = _mostly(_operator);
        uint256 plan = _draw(PLANS);
        bool allowed = caller == _operator && _plans[plan].state == RewardPool.PlanState.OPEN;
        bytes memory data = abi.encodeCall(RewardPool.closePlan, (_code(plan)));
        if (!_attempt(caller, address(_pool), data, allowed)) return;
        _plans[plan].state = RewardPool.PlanState.CLOSED;
    }

    function _withdrawFree() private {
        uint256 caller = _mostly(OWNER);
        uint256 plan = _draw(PLANS);
        uint256 to = _draw(CALLERS);
        uint256 free = _freeOf(plan);
        uint256 surplus = _distance(_edgeOf(plan), free);
        uint256 amount = _pick(0, free + 1, _draw(free + 1), surplus, free + _plans[plan].owed);
        bool allowed = caller == OWNER && amount > 0 && amount <= free;
        bytes memory data = abi.encodeCall(RewardPool.withdrawFree, (_code(plan), address(_callers[to]), amount));
        if (!_attempt(caller, address(_pool), data, allowed)) return;
        _plans[plan].withdrawn += amount;
        _balances[to] += amount;
    }

    function _withdrawLapsed() private {
        uint256 caller = _mostly(OWNER);
        uint256 plan = _draw(PLANS);
        uint256 to = _draw(CALLERS);
        PlanModel storage p = _plans[plan];
        uint256 amount = p.owed;
        bool allowed = caller == OWNER && p.state == RewardPool.PlanState.CLOSED && amount > 0
            && block.timestamp >= p.lastStakeEnd + 365 days;
        bytes memory data = abi.encodeCall(RewardPool.withdrawLapsed, (_code(plan), address(_callers[to])));
        if (!_attempt(caller, address(_pool), data, allowed)) return;
        p.state = RewardPool.PlanState.RETIRED;
        p.owed = 0;
        p.withdrawn += amount;
        _balances[to] += amount;
    }

    function _pause() private {
        uint256 caller = _mostly(OWNER);
        bool ofJoins = _chance(50);
        // Usually unpauses, so that pauses do not last.
        bool pause = _chance(20);
        bool paused = ofJoins ? _joinsPaused : _payoutsPaused;
        bytes memory data = ofJoins
            ? (pause ? abi.encodeCall(Staking.pauseJoins, ()) : abi.encodeCall(Staking.unpauseJoins, ()))
            : (pause ? abi.encodeCall(RewardPool.pausePayouts, ()) : abi.encodeCall(RewardPool.unpausePayouts, ()));
        address target = ofJoins ? address(_staking) : address(_pool);
        if (!_attempt(caller, target, data, caller == OWNER && pause != paused)) return;
        if (ofJoins) _joinsPaused = pause;
        else _payoutsPaused = pause;
    }

    function _replaceOperator() private {
        uint256 caller = _mostly(OWNER);
        uint256 next = _chance(50) ? OPERATOR_A : OPERATOR_B;
        bytes memory data = abi.encodeCall(RewardPool.setOperator, (address(_callers[next])));
        if (_attempt(caller, address(_pool), data, caller == OWNER)) _operator = next;
    }

    function _limitTerms() private {
        uint256 caller = _mostly(OWNER);
        uint256 maxDailyBps = _pick(0, 10_001, 1_000, _draw(1_500), _draw(200));
        uint256 minDurationDays = _pick(0, 36_501, 1, 1, _draw(10));
        bool allowed = caller == OWNER && maxDailyBps > 0 && maxDailyBps <= 10_000 && minDurationDays > 0
            && minDurationDays <= 36_500;
        bytes memory data = abi.encodeCall(RewardPool.setTermLimits, (maxDailyBps, minDurationDays));
        if (!_attempt(caller, address(_pool), data, allowed)) return;
        _maxDailyBps = maxDailyBps;
        _minDurationDays = minDurationDays;
    }

    function _donate() private {
        uint256 caller = _draw(CALLERS);
        uint256 amount = _draw(DCT);
        bool toStaking = _chance(50);
        address to = toStaking ? address(_staking) : address(_pool);
        bytes memory data = abi.encodeCall(token.transfer, (to, amount));
        if (!_attempt(caller, address(token), data, amount <= _balances[caller])) return;
        _balances[caller] -= amount;
        if (toStaking) _donatedToStaking += amount;
        else _donatedToPool += amount;
    }

    /// @dev Calls that must be refused in every state and for every caller.
    function _forbidden() private {
        uint256 caller = _draw(CALLERS);
        address me = address(_callers[caller]);
        uint256 plan = _draw(PLANS);
        uint256 kind = _draw(6);
        address target = address(kind < 3 ? address(_pool) : kind < 5 ? address(_staking) : address(token));
        bytes memory data;
        if (kind == 0) data = abi.encodeCall(RewardPool.reserve, (_code(plan), me, DCT, _plans[plan].durationDays));
        else if (kind == 1) data = abi.encodeCall(RewardPool.bindStaking, (address(_staking)));
        else if (kind == 2 || kind == 3) data = abi.encodeWithSignature("renounceOwnership()");
        else if (kind == 4) data = abi.encodeWithSignature("acceptOwnership()");
        else data = abi.encodeCall(token.transferFrom, (address(_staking), me, 1));
        _attempt(caller, target, data, false);
    }

    /// @dev Makes a call that must be accepted if and only if `allowed`.
    function _attempt(uint256 caller, address target, bytes memory data, bool allowed) private returns (bool) {
        (bool accepted, bytes memory answer) = _callers[caller].perform(target, data);
        if (accepted != allowed) revert FuzzDriver_WrongAnswer(_action, accepted, answer);
        ++(accepted ? _accepted : _refused)[uint256(_action)];
        return accepted;
    }

    /// @dev An amount of free funds that barely covers, or barely fails to cover, the reward of the largest stake.
    function _edgeOf(uint256 plan) private returns (uint256) {
        if (_plans[plan].totalBps == 0) return 0;
        return (50 * DCT * _plans[plan].totalBps / 10_000 + 2) - _draw(4);
    }

    function _distance(uint256 from, uint256 to) private pure returns (uint256) {
        return to > from ? to - from : 0;
    }

    function _drawAction() private returns (Action) {
        uint256 total = 0;
        for (uint256 i = 0; i < ACTIONS; ++i) total += _weights[i];
        uint256 drawn = _draw(total);
        for (uint256 i = 0; i < ACTIONS; ++i) {
            if (drawn < _weights[i]) return Action(i);
            drawn -= _weights[i];
        }
        return Action.FORBIDDEN;
    }

    function _draw(uint256 below) private returns (uint256) {
        return uint256(keccak256(abi.encode(_seed, ++_drawn))) % below;
    }

    function _chance(uint256 percent) private returns (bool) {
        return _draw(100) < percent;
    }

    function _mostly(uint256 caller) private returns (uint256) {
        return _chance(20) ? _draw(CALLERS) : caller;
    }

    function _pick(uint256 a, uint256 b, uint256 c, uint256 d, uint256 e) private returns (uint256) {
        uint256 which = _draw(5);
        return which == 0 ? a : which == 1 ? b : which == 2 ? c : which == 3 ? d : e;
    }
}
