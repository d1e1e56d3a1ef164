// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.29;

import {RewardPool} from "src/RewardPool.sol";
import {Staking} from "src/Staking.sol";
import {DevToken} from "src/dev/DevToken.sol";
import {Symbolic} from "proofs/Symbolic.sol";

/// @title The staking contract and the reward pool in a state of which nothing is known
/// @notice Owner, operator and the binding of the two have names; every stake, plan, entitlement, counter, balance,
/// pause and limit can be anything, so whatever is reachable is among it.
abstract contract TronSystem is Symbolic {
    /// The functions of the pool that change something, for `_poolCall`.
    uint256 internal constant FUND = 0;
    uint256 internal constant OPEN = 1;
    uint256 internal constant CLOSE = 2;
    uint256 internal constant RESERVE = 3;
    uint256 internal constant PAY = 4;
    uint256 internal constant WITHDRAW_FREE = 5;
    uint256 internal constant WITHDRAW_LAPSED = 6;
    uint256 internal constant FIRST_ROLE = 7;
    uint256 internal constant LAST_ROLE = 14;

    string internal constant PLAN = "PLAN-A";
    string internal constant OTHER_PLAN = "PLAN-B";

    /// The arguments of a call; each function takes those that it has.
    struct Args {
        address caller;
        address to;
        uint256 amount;
        uint256 paidBefore;
        uint256 number;
    }

    DevToken internal token;
    RewardPool internal pool;
    Staking internal staking;

    function setUp() public {
        token = new DevToken(address(this));
        pool = new RewardPool(token, OWNER, OPERATOR);
        staking = new Staking(token, pool, OWNER);
        vm.prank(OWNER);
        pool.bindStaking(address(staking));
    }

    function _anyArgs() internal view returns (Args memory args) {
        args.caller = unknown.createAddress("caller");
        args.to = unknown.createAddress("to");
        args.amount = unknown.createUint256("amount");
        args.paidBefore = unknown.createUint256("paidBefore");
        args.number = unknown.createUint256("number");
    }

    function _anyState() internal {
        uint256 maxDailyBps = unknown.createUint256("maxDailyBps");
        uint256 minDurationDays = unknown.createUint256("minDurationDays");
        vm.assume(maxDailyBps >= 1 && maxDailyBps <= 10_000 && minDurationDays >= 1 && minDurationDays <= 36_500);
        vm.prank(OWNER);
        pool.setTermLimits(maxDailyBps, minDurationDays);
        unknown.enableSymbolicStorage(address(pool));
        unknown.enableSymbolicStorage(address(staking));
        unknown.enableSymbolicStorage(address(token));
        _passTime("now");
    }

    /// @dev A plan that the code can have written: with terms once it was opened. Reading it fails, and ends the path,
    /// where the bits of its state name none.
    function _anyPlan(string memory code) internal view returns (RewardPool.Plan memory plan) {
        plan = pool.plans(code);
        vm.assume(plan.durationDays <= 36_500);
        vm.assume(plan.state == RewardPool.PlanState.UNOPENED || plan.durationDays >= 1);
    }

    function _isPart(address account) internal view returns (bool) {
        return account == address(pool) || account == address(staking) || account == address(token);
    }

    /// @dev The law of a plan's books.
    function _isSound(RewardPool.Plan memory plan) internal pure returns (bool) {
        return uint256(plan.funded) >= uint256(plan.withdrawn) + plan.paid + plan.reserved;
    }

    /// @dev What the pool holds for the plan, by its books.
    function _held(RewardPool.Plan memory plan) internal pure returns (uint256) {
        unchecked {
            return uint256(plan.funded) - plan.withdrawn - plan.paid;
        }
    }

    function _samePlan(RewardPool.Plan memory a, RewardPool.Plan memory b) internal pure returns (bool) {
        return a.state == b.state && a.durationDays == b.durationDays && a.totalBps == b.totalBps
            && a.lastStakeEnd == b.lastStakeEnd && a.funded == b.funded && a.withdrawn == b.withdrawn
            && a.reserved == b.reserved && a.paid == b.paid;
    }

    function _sameEntitlement(RewardPool.Entitlement memory a, RewardPool.Entitlement memory b)
        internal
        pure
        returns (bool)
    {
        return a.reward == b.reward && a.paid == b.paid && a.start == b.start;
    }

    function _poolCall(uint256 which, Args memory args) internal returns (bool succeeded) {
        return _call(args.caller, address(pool), which < FIRST_ROLE ? _fundsCall(which, args) : _roleCall(which, args));
    }

    function _fundsCall(uint256 which, Args memory args) private view returns (bytes memory) {
        if (which == FUND) return abi.encodeCall(pool.addRewardForPlan, (PLAN, args.amount));
        if (which == OPEN) return abi.encodeCall(pool.openPlan, (PLAN, args.number, args.amount));
        if (which == CLOSE) return abi.encodeCall(pool.closePlan, (PLAN));
        if (which == RESERVE) return abi.encodeCall(pool.reserve, (PLAN, args.to, args.amount, args.number));
        if (which == PAY) return _payCall(args);
        if (which == WITHDRAW_FREE) return abi.encodeCall(pool.withdrawFree, (PLAN, args.to, args.amount));
        return abi.encodeCall(pool.withdrawLapsed, (PLAN, args.to));
    }

    function _payCall(Args memory args) internal view returns (bytes memory) {
        return abi.encodeCall(pool.payReward, (PLAN, args.to, args.paidBefore, args.amount));
    }

    function _roleCall(uint256 which, Args memory args) private view returns (bytes memory) {
        if (which == FIRST_ROLE) return abi.encodeCall(pool.setOperator, (args.to));
        if (which == 8) return abi.encodeCall(pool.setTermLimits, (args.number, args.amount));
        if (which == 9) return abi.encodeCall(pool.pausePayouts, ());
        if (which == 10) return abi.encodeCall(pool.unpausePayouts, ());
        if (which == 11) return abi.encodeCall(pool.transferOwnership, (args.to));
        if (which == 12) return abi.encodeCall(pool.acceptOwnership, ());
        if (which == 13) return abi.encodeCall(pool.bindStaking, (args.to));
        return abi.encodeCall(pool.renounceOwnership, ());
    }
}
