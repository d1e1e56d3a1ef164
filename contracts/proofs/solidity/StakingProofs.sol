// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.29;

import {RewardPool} from "src/RewardPool.sol";
import {TronSystem} from "proofs/TronSystem.sol";

contract StakingProofs is TronSystem {
    uint256 private constant STAKES_SLOT = 2;

    /// A stake without its plan code, which nothing here depends on.
    struct Lock {
        address staker;
        uint256 amount;
        uint256 reward;
        uint256 start;
        uint256 end;
        bool released;
    }

    struct Money {
        uint256 held;
        uint256 heldByParty;
        uint256 heldByWatched;
        uint256 locked;
    }

    address private _watched;

    function check_release_pays_the_staker_exactly() public {
        uint256 id = unknown.createUint256("id");
        uint256 other = unknown.createUint256("other");
        address caller = unknown.createAddress("caller");
        _anyStateWatched();
        Lock memory a = _lock(id);
        Lock memory o = _lock(other);
        vm.assume(a.staker != address(staking) && _watched != a.staker);
        Money memory m = _money(a.staker);
        bool released = _call(caller, address(staking), abi.encodeCall(staking.release, (id)));
        Lock memory b = _lock(id);
        Money memory n = _money(a.staker);
        assert(n.heldByWatched == m.heldByWatched);
        assert(other == id || _sameLock(o, _lock(other)));
        if (!released) {
            assert(_sameLock(a, b) && n.held == m.held && n.heldByParty == m.heldByParty && n.locked == m.locked);
            return;
        }
        assert(a.staker != address(0) && !a.released && block.timestamp >= a.end);
        assert(b.released);
        b.released = false;
        assert(_sameLock(a, b));
        assert(n.heldByParty == m.heldByParty + a.amount);
        assert(n.held == m.held - a.amount && n.locked == m.locked - a.amount);
    }

    function check_release_happens_once() public {
        uint256 id = unknown.createUint256("id");
        _anyStateWatched();
        _lock(id);
        bytes memory release = abi.encodeCall(staking.release, (id));
        vm.assume(_call(unknown.createAddress("caller"), address(staking), release));
        _passTime("later");
        assert(!_call(unknown.createAddress("second"), address(staking), release));
    }

    /// Whatever is paused: joins, payouts, or both.
    function check_release_is_always_possible() public {
        uint256 id = unknown.createUint256("id");
        address caller = unknown.createAddress("caller");
        bool isPaused = unknown.createBool("isPaused");
        _anyStateWatched();
        Lock memory a = _lock(id);
        vm.assume(a.staker != address(0) && a.staker != address(staking) && !a.released && block.timestamp >= a.end);
        Money memory m = _money(a.staker);
        vm.assume(m.held >= a.amount && m.locked >= a.amount);
        if (isPaused) {
            _call(OWNER, address(staking), abi.encodeCall(staking.pauseJoins, ()));
            _call(OWNER, address(pool), abi.encodeCall(pool.pausePayouts, ()));
        }
        assert(_call(caller, address(staking), abi.encodeCall(staking.release, (id))));
    }

    function check_roles_change_no_stake() public {
        uint256 id = unknown.createUint256("id");
        uint256 which = unknown.createUint256("which");
        address caller = unknown.createAddress("caller");
        address to = unknown.createAddress("to");
        _anyStateWatched();
        Lock memory a = _lock(id);
        Money memory m = _money(to);
        _call(caller, address(staking), _roleOfStaking(which, to));
        Money memory n = _money(to);
        assert(_sameLock(a, _lock(id)) && n.held == m.held && n.locked == m.locked && n.heldByParty == m.heldByParty);
    }

    function check_pool_touches_no_capital() public {
        uint256 which = unknown.createUint256("which");
        Args memory args = _anyArgs();
        _anyStateWatched();
        _anyPlan(PLAN);
        vm.assume(which <= LAST_ROLE && args.caller != address(staking) && args.to != address(staking));
        Money memory m = _money(args.to);
        _poolCall(which, args);
        assert(_money(args.to).held == m.held);
    }

    function check_join_locks_exactly() public {
        Args memory args = _anyArgs();
        uint256 other = unknown.createUint256("other");
        _anyStateWatched();
        RewardPool.Plan memory plan = _anyPlan(PLAN);
        vm.assume(args.caller != address(staking) && args.caller != address(pool) && _watched != args.caller);
        uint256 count = staking.stakeCount();
        vm.assume(count < 2 ** 64 && other != count + 1 && args.amount < 2 ** 96);
        vm.store(address(staking), bytes32(_slotOf(count + 1) + 2), 0); // the plan code of a stake that does not exist yet
        Lock memory o = _lock(other);
        Money memory m = _money(args.caller);
        vm.assume(m.locked < 2 ** 128);
        bool joined = _call(args.caller, address(staking), abi.encodeCall(staking.joinStake, (args.amount, PLAN, args.number)));
        Money memory n = _money(args.caller);
        assert(n.heldByWatched == m.heldByWatched && _sameLock(o, _lock(other)));
        if (!joined) return;
        assert(staking.stakeCount() == count + 1);
        _assertJoined(args, plan, count + 1);
        assert(n.held == m.held + args.amount && n.heldByParty == m.heldByParty - args.amount);
        assert(n.locked == m.locked + args.amount);
    }

    function _assertJoined(Args memory args, RewardPool.Plan memory plan, uint256 id) private view {
        Lock memory b = _lock(id);
        assert(b.staker == args.caller && b.amount == args.amount && b.start == block.timestamp && !b.released);
        assert(b.end == block.timestamp + args.number * 1 days && args.number == plan.durationDays);
        assert(args.amount >= 10e6 && args.amount <= 50e6 && plan.state == RewardPool.PlanState.OPEN);
        RewardPool.Entitlement memory entitlement = pool.entitlementOf(PLAN, args.caller);
        assert(entitlement.start == b.start && entitlement.reward == b.reward);
        assert(staking.stakeOf(args.caller, PLAN) == id);
    }

    function check_join_once_per_plan() public {
        Args memory args = _anyArgs();
        _anyStateWatched();
        _anyPlan(PLAN);
        vm.assume(staking.stakeOf(args.caller, PLAN) != 0);
        bytes memory join = abi.encodeCall(staking.joinStake, (args.amount, PLAN, args.number));
        assert(!_call(args.caller, address(staking), join));
    }

    function _anyStateWatched() private {
        _anyState();
        _watched = unknown.createAddress("watched");
        vm.assume(_watched != address(staking));
    }

    function _roleOfStaking(uint256 which, address to) private view returns (bytes memory) {
        if (which == 0) return abi.encodeCall(staking.pauseJoins, ());
        if (which == 1) return abi.encodeCall(staking.unpauseJoins, ());
        if (which == 2) return abi.encodeCall(staking.transferOwnership, (to));
        if (which == 3) return abi.encodeCall(staking.acceptOwnership, ());
        return abi.encodeCall(staking.renounceOwnership, ());
    }

    function _slotOf(uint256 id) private pure returns (uint256) {
        return uint256(keccak256(abi.encode(id, STAKES_SLOT)));
    }

    function _lock(uint256 id) private view returns (Lock memory lock) {
        uint256 first = uint256(vm.load(address(staking), bytes32(_slotOf(id))));
        uint256 second = uint256(vm.load(address(staking), bytes32(_slotOf(id) + 1)));
        lock.staker = address(uint160(first));
        lock.amount = uint96(first >> 160);
        lock.reward = uint96(second);
        lock.start = uint40(second >> 96);
        lock.end = uint40(second >> 136);
        lock.released = uint8(second >> 176) != 0;
    }

    function _sameLock(Lock memory a, Lock memory b) private pure returns (bool) {
        return a.staker == b.staker && a.amount == b.amount && a.reward == b.reward && a.start == b.start
            && a.end == b.end && a.released == b.released;
    }

    /// @dev Balances stay below any supply whose sums could overflow.
    function _money(address party) private view returns (Money memory money) {
        money.held = token.balanceOf(address(staking));
        money.heldByParty = token.balanceOf(party);
        money.heldByWatched = token.balanceOf(_watched);
        money.locked = staking.totalLocked();
        vm.assume(money.held < 2 ** 200 && money.heldByParty < 2 ** 200);
    }
}
