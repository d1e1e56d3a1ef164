// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.29;

import {RewardPool} from "../src/RewardPool.sol";
import {Staking} from "../src/Staking.sol";
import {DevToken} from "../src/dev/DevToken.sol";
import {FuzzActor} from "./FuzzActor.sol";

/// @title A stolen operator key that takes as much as it can
/// @notice Tests only. It has unlimited capital and accounts, makes random calls with the most generous terms, and pays
/// its own stakes whatever the pool allows, as early as possible. Its loot is measured by token balances, not by what the
/// contracts report.
contract HostileOperator {
    struct Loot {
        uint256 plan;
        uint256 start;
        FuzzActor account;
    }

    uint256 private constant DCT = 1e6;
    uint256 private constant PLANS = 6;
    /// @dev Per plan. The shortest plan at the highest rate pays out all of it to ten stakes of 50 tokens.
    uint256 private constant FUNDS = 75 * DCT;

    DevToken public immutable token = new DevToken(address(this));
    RewardPool private _pool;
    Staking private _staking;
    Loot[] private _loot;
    mapping(uint256 plan => uint256 start) private _firstStart;
    uint256 private _seed;
    uint256 private _drawn;

    /// @notice The maximum paid to one stake per day of its life, in base units.
    uint256 public mostPerStakeAndDay;
    /// @notice The maximum paid from one plan per day since its first stake, in base units.
    uint256 public mostPerPlanAndDay;

    /// @notice Funds the plans without opening any.
    function begin(RewardPool pool, Staking staking) external returns (uint256 funds) {
        _pool = pool;
        _staking = staking;
        token.mint(address(this), PLANS * FUNDS);
        token.approve(address(pool), PLANS * FUNDS);
        for (uint256 plan = 0; plan < PLANS; ++plan) pool.addRewardForPlan(_code(plan), FUNDS);
        return FUNDS;
    }

    /// @notice Makes `moves` random moves, pays its own stakes, and measures the loot.
    function act(uint256 seed, uint256 moves) external {
        (_seed, _drawn) = (seed, 0);
        for (uint256 i = 0; i < moves; ++i) {
            uint256 move = _draw(10);
            if (move < 2) _open(_draw(PLANS));
            else if (move < 8) _join(_draw(PLANS));
            else if (move == 8) _try(address(_pool), abi.encodeCall(RewardPool.closePlan, (_code(_draw(PLANS)))));
            else _overreach(_code(_draw(PLANS)));
        }
        for (uint256 i = 0; i < _loot.length; ++i) _payItself(_loot[i]);
        _measure();
    }

    function _open(uint256 plan) private {
        RewardPool.TermLimits memory limits = _pool.termLimits();
        uint256 shortest = limits.minDurationDays;
        uint256 which = _draw(6);
        uint256 durationDays = which == 0 ? 1 : which == 1 ? shortest - 1 : which == 2 ? 36_500 : shortest;
        if (which == 3) durationDays += _draw(700);
        uint256 highest = durationDays * limits.maxDailyBps;
        which = _draw(4);
        uint256 totalBps = which == 0 ? 1_000_000 : which == 1 ? highest + 1 : highest;
        _try(address(_pool), abi.encodeCall(RewardPool.openPlan, (_code(plan), durationDays, totalBps)));
    }

    function _join(uint256 plan) private {
        string memory code = _code(plan);
        RewardPool.Plan memory terms = _pool.plans(code);
        if (terms.state != RewardPool.PlanState.OPEN) return;
        uint256 amount = _draw(8) == 0 ? 10 * DCT + _draw(40 * DCT) : 50 * DCT;
        // The last stake uses up the remaining funds.
        uint256 covered = _pool.freeOf(code) * 10_000 / terms.totalBps;
        if (covered < amount) amount = covered;
        FuzzActor account = new FuzzActor();
        token.mint(address(account), amount);
        account.perform(address(token), abi.encodeCall(token.approve, (address(_staking), amount)));
        (bool joined,) =
            account.perform(address(_staking), abi.encodeCall(Staking.joinStake, (amount, code, terms.durationDays)));
        if (!joined) return;
        _loot.push(Loot(plan, block.timestamp, account));
        if (_firstStart[plan] == 0) _firstStart[plan] = block.timestamp;
    }

    /// @dev Tries to take more than is due, then exactly what is due.
    function _payItself(Loot storage loot) private {
        string memory code = _code(loot.plan);
        address to = address(loot.account);
        uint256 due = _pool.payableNow(code, to);
        for (uint256 more = 2; more > 0; --more) {
            uint256 paid = _pool.entitlementOf(code, to).paid;
            // Also as if less had been paid.
            _try(address(_pool), abi.encodeCall(RewardPool.payReward, (code, to, paid / 2, due + more - 1)));
            _try(address(_pool), abi.encodeCall(RewardPool.payReward, (code, to, paid, due + more - 1)));
        }
    }

    /// @dev Makes calls that the operator must not be allowed to make.
    function _overreach(string memory code) private {
        uint256 which = _draw(6);
        bytes memory data;
        if (which == 0) data = abi.encodeCall(RewardPool.setTermLimits, (10_000, 1));
        else if (which == 1) data = abi.encodeCall(RewardPool.withdrawFree, (code, address(this), 1));
        else if (which == 2) data = abi.encodeCall(RewardPool.withdrawLapsed, (code, address(this)));
        else if (which == 3) data = abi.encodeCall(RewardPool.bindStaking, (address(this)));
        else if (which == 4) data = abi.encodeCall(RewardPool.reserve, (code, address(this), DCT, 30));
        else data = abi.encodeCall(RewardPool.payReward, (code, address(this), 0, 1));
        _try(address(_pool), data);
    }

    function _measure() private {
        uint256[PLANS] memory taken;
        for (uint256 i = 0; i < _loot.length; ++i) {
            Loot storage loot = _loot[i];
            // The account's capital is locked, so its whole balance was paid to it.
            uint256 paid = token.balanceOf(address(loot.account));
            taken[loot.plan] += paid;
            uint256 perDay = paid / _daysBegunSince(loot.start);
            if (perDay > mostPerStakeAndDay) mostPerStakeAndDay = perDay;
        }
        for (uint256 plan = 0; plan < PLANS; ++plan) {
            if (taken[plan] == 0) continue;
            uint256 perDay = taken[plan] / _daysBegunSince(_firstStart[plan]);
            if (perDay > mostPerPlanAndDay) mostPerPlanAndDay = perDay;
        }
        require(token.balanceOf(address(this)) == 0, "the operator itself received tokens");
    }

    function _daysBegunSince(uint256 start) private view returns (uint256) {
        return (block.timestamp - start) / 1 days + 1;
    }

    function _try(address target, bytes memory data) private {
        (bool succeeded,) = target.call(data);
        succeeded; // the outcome does not matter; only received tokens count
    }

    function _code(uint256 plan) private pure returns (string memory) {
        return string.concat("PLAN-", string(abi.encodePacked(bytes1(uint8(65 + plan)))));
    }

    function _draw(uint256 below) private returns (uint256) {
        return uint256(keccak256(abi.encode(_seed, ++_drawn))) % below;
    }
}
