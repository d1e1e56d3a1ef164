// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.29;

import {RewardPool} from "src/RewardPool.sol";
import {TronSystem} from "proofs/TronSystem.sol";

contract RewardPoolProofs is TronSystem {
    // A payment states a total

    function check_payment_keeps_the_books() public {
        Args memory args = _anyArgs();
        address watched = unknown.createAddress("watched");
        _anyState();
        RewardPool.Plan memory p = _anyPlan(PLAN);
        vm.assume(p.durationDays >= 1 && !_isPart(args.to) && watched != args.to && watched != address(pool));
        RewardPool.Entitlement memory e = pool.entitlementOf(PLAN, args.to);
        RewardPool.Entitlement memory o = pool.entitlementOf(PLAN, watched);
        vm.assume(e.start <= block.timestamp);
        uint256 heldByWatched = token.balanceOf(watched);
        bool isPaused = pool.paused();
        bool paid = _poolCall(PAY, args);
        RewardPool.Entitlement memory f = pool.entitlementOf(PLAN, args.to);
        assert(f.reward == e.reward && f.start == e.start);
        assert(_sameEntitlement(o, pool.entitlementOf(PLAN, watched)) && token.balanceOf(watched) == heldByWatched);
        if (!paid) {
            assert(f.paid == e.paid);
            return;
        }
        assert(args.caller == OPERATOR && !isPaused && args.amount != 0 && e.start != 0);
        assert(e.paid == args.paidBefore && f.paid == args.paidBefore + args.amount);
        assert(f.paid <= _vested(e, p));
        RewardPool.Plan memory q = pool.plans(PLAN);
        assert(q.durationDays == p.durationDays && q.totalBps == p.totalBps && q.state == p.state);
        assert(q.paid == uint256(p.paid) + args.amount && q.reserved == uint256(p.reserved) - args.amount);
    }

    function check_payment_is_made_once() public {
        Args memory args = _anyArgs();
        _anyState();
        _anyPlan(PLAN);
        vm.assume(_poolCall(PAY, args));
        _passTime("later");
        args.caller = unknown.createAddress("second");
        assert(!_poolCall(PAY, args));
    }

    function check_vested_payment_can_be_made() public {
        Args memory args = _anyArgs();
        _anyState();
        RewardPool.Plan memory p = _anyPlan(PLAN);
        vm.assume(!_isPart(args.to) && !_isMachinery(args.to) && !pool.paused() && args.amount != 0);
        vm.assume(p.state != RewardPool.PlanState.RETIRED && p.durationDays >= 1);
        RewardPool.Entitlement memory e = pool.entitlementOf(PLAN, args.to);
        vm.assume(e.start != 0 && e.start <= block.timestamp && e.paid <= e.reward && e.paid == args.paidBefore);
        vm.assume(_dayOf(e) >= p.durationDays && args.amount <= e.reward - e.paid); // after its end all is vested
        vm.assume(p.reserved >= args.amount && uint256(p.paid) + args.amount < 2 ** 128);
        vm.assume(token.balanceOf(address(pool)) >= args.amount && token.balanceOf(args.to) < 2 ** 128);
        args.caller = OPERATOR;
        assert(_poolCall(PAY, args));
    }

    // Any call keeps funded >= paid + reserved + withdrawn, moves the tokens that its books say, and no other plan

    function check_books_balance_funding() public { _keepsBooks(FUND); }
    function check_books_balance_opening() public { _keepsBooks(OPEN); }
    function check_books_balance_closing() public { _keepsBooks(CLOSE); }
    function check_books_balance_reserving() public { _keepsBooks(RESERVE); }
    function check_books_balance_paying() public { _keepsBooks(PAY); }
    function check_books_balance_lapsing() public { _keepsBooks(WITHDRAW_LAPSED); }
    function check_books_balance_roles() public { _keepsBooks(_anyRole()); }

    function _keepsBooks(uint256 which) private {
        Args memory args = _anyArgs();
        _anyState();
        if (which == RESERVE) args.caller = address(staking);
        vm.assume(args.caller != address(pool));
        RewardPool.Plan memory p = _anyPlan(PLAN);
        RewardPool.Plan memory o = _anyPlan(OTHER_PLAN);
        RewardPool.Entitlement memory e = pool.entitlementOf(OTHER_PLAN, args.to);
        vm.assume(_isSound(p));
        uint256 held = token.balanceOf(address(pool));
        vm.assume(held < 2 ** 128 && token.balanceOf(args.to) < 2 ** 128 && token.balanceOf(args.caller) < 2 ** 128);
        bool succeeded = _poolCall(which, args);
        RewardPool.Plan memory q = pool.plans(PLAN);
        assert(_isSound(q));
        unchecked {
            assert(token.balanceOf(address(pool)) - held == _held(q) - _held(p));
        }
        assert(_samePlan(o, pool.plans(OTHER_PLAN)));
        assert(_sameEntitlement(e, pool.entitlementOf(OTHER_PLAN, args.to)));
        if (!succeeded) assert(_samePlan(p, q));
    }

    // What was promised stays

    function check_promise_stays_funding() public { _keepsPromise(FUND); }
    function check_promise_stays_opening() public { _keepsPromise(OPEN); }
    function check_promise_stays_closing() public { _keepsPromise(CLOSE); }
    function check_promise_stays_reserving() public { _keepsPromise(RESERVE); }
    function check_promise_stays_paying() public { _keepsPromise(PAY); }
    function check_promise_stays_withdrawing() public { _keepsPromise(WITHDRAW_FREE); }
    function check_promise_stays_lapsing() public { _keepsPromise(WITHDRAW_LAPSED); }
    function check_promise_stays_roles() public { _keepsPromise(_anyRole()); }

    /// A stake's reward and start, and the terms of a plan, never change; what was paid only grows, by payments alone.
    function _keepsPromise(uint256 which) private {
        Args memory args = _anyArgs();
        address staker = unknown.createAddress("staker");
        _anyState();
        if (which == RESERVE) args.caller = address(staking);
        RewardPool.Plan memory p = _anyPlan(PLAN);
        RewardPool.Entitlement memory e = pool.entitlementOf(PLAN, staker);
        _poolCall(which, args);
        RewardPool.Plan memory q = pool.plans(PLAN);
        RewardPool.Entitlement memory f = pool.entitlementOf(PLAN, staker);
        if (e.start != 0) assert(f.reward == e.reward && f.start == e.start && f.paid >= e.paid);
        assert(which == PAY || f.paid == e.paid);
        if (p.state != RewardPool.PlanState.UNOPENED) {
            assert(q.durationDays == p.durationDays && q.totalBps == p.totalBps);
            assert(q.state != RewardPool.PlanState.UNOPENED);
        }
        if (p.state == RewardPool.PlanState.RETIRED) assert(q.state == p.state && q.paid == p.paid);
        assert(which == RESERVE || q.lastStakeEnd == p.lastStakeEnd);
        assert(which == RESERVE || which == PAY || which == WITHDRAW_LAPSED || q.reserved == p.reserved);
        assert(q.funded >= p.funded && q.paid >= p.paid && q.withdrawn >= p.withdrawn);
    }

    // The owner's ceiling

    function check_reward_is_within_the_ceiling() public {
        Args memory args = _anyArgs();
        _anyState();
        RewardPool.Plan memory p = _anyPlan(PLAN);
        RewardPool.TermLimits memory limits = pool.termLimits();
        vm.assume(args.amount < 2 ** 96);
        vm.assume(_poolCall(RESERVE, args));
        RewardPool.Entitlement memory e = pool.entitlementOf(PLAN, args.to);
        assert(args.caller == address(staking) && p.state == RewardPool.PlanState.OPEN);
        assert(args.number == p.durationDays && args.number >= limits.minDurationDays);
        assert(p.totalBps <= args.number * limits.maxDailyBps);
        assert(e.reward == args.amount * p.totalBps / 10_000 && e.start == block.timestamp);
        RewardPool.Plan memory q = pool.plans(PLAN);
        assert(q.reserved == p.reserved + e.reward && q.lastStakeEnd == block.timestamp + args.number * 1 days);
    }

    // Withdrawals

    function check_free_is_promised_to_nobody() public {
        _anyState();
        RewardPool.Plan memory p = _anyPlan(PLAN);
        vm.assume(_isSound(p));
        assert(pool.freeOf(PLAN) == _held(p) - p.reserved);
    }

    function check_withdrawal_books() public {
        Args memory args = _anyArgs();
        _anyState();
        RewardPool.Plan memory p = _anyPlan(PLAN);
        (bool isReadable, bytes memory free) = address(pool).staticcall(abi.encodeCall(pool.freeOf, (PLAN)));
        vm.assume(!_isPart(args.to));
        if (!_poolCall(WITHDRAW_FREE, args)) {
            assert(_samePlan(p, pool.plans(PLAN)));
            return;
        }
        assert(args.caller == OWNER && args.amount != 0 && isReadable && args.amount <= abi.decode(free, (uint256)));
        RewardPool.Plan memory q = pool.plans(PLAN);
        assert(q.reserved == p.reserved && q.paid == p.paid && q.funded == p.funded && q.state == p.state);
        assert(q.withdrawn == p.withdrawn + args.amount);
    }

    function check_withdrawal_moves_what_it_says() public {
        Args memory args = _anyArgs();
        _anyState();
        _anyPlan(PLAN);
        vm.assume(!_isPart(args.to));
        uint256 held = token.balanceOf(address(pool));
        uint256 heldByReceiver = token.balanceOf(args.to);
        uint256 moved = _poolCall(WITHDRAW_FREE, args) ? args.amount : 0;
        unchecked {
            assert(token.balanceOf(address(pool)) == held - moved);
            assert(token.balanceOf(args.to) == heldByReceiver + moved);
        }
    }

    function check_lapse_only_a_year_after_the_end() public {
        Args memory args = _anyArgs();
        _anyState();
        RewardPool.Plan memory p = _anyPlan(PLAN);
        vm.assume(args.to != address(pool));
        uint256 heldByReceiver = token.balanceOf(args.to);
        bool lapsed = _poolCall(WITHDRAW_LAPSED, args);
        RewardPool.Plan memory q = pool.plans(PLAN);
        if (!lapsed) {
            assert(_samePlan(p, q));
            return;
        }
        assert(args.caller == OWNER && p.state == RewardPool.PlanState.CLOSED);
        assert(block.timestamp >= uint256(p.lastStakeEnd) + 365 days);
        assert(q.state == RewardPool.PlanState.RETIRED && q.reserved == 0);
        unchecked {
            assert(token.balanceOf(args.to) - heldByReceiver == p.reserved);
        }
    }

    function _anyRole() private view returns (uint256 which) {
        which = unknown.createUint256("which");
        vm.assume(which >= FIRST_ROLE && which <= LAST_ROLE);
    }

    function _dayOf(RewardPool.Entitlement memory e) private view returns (uint256) {
        return (block.timestamp - e.start) / 1 days + 1;
    }

    function _vested(RewardPool.Entitlement memory e, RewardPool.Plan memory p) private view returns (uint256) {
        uint256 day = _dayOf(e);
        return day < p.durationDays ? uint256(e.reward) * day / p.durationDays : e.reward;
    }
}
