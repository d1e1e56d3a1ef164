// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.29;

import {PayoutVault} from "src/PayoutVault.sol";
import {DevUsdt} from "src/dev/DevUsdt.sol";
import {Strings} from "proofs/Rendering.sol";
import {Symbolic} from "proofs/Symbolic.sol";

contract PayoutVaultProofs is Symbolic {
    using Strings for uint256;

    uint256 private constant ROLES_SLOT = 1; // _pendingOwner, _paused
    uint256 private constant OPERATOR_SLOT = 2; // _operator, _today
    uint256 private constant LIMIT_SLOT = 3; // _dailyLimit, _paidToday
    uint256 private constant TEXT_LENGTH = 3;
    uint256 private constant BASE_UNITS = 10 ** 12;

    struct Books {
        address owner;
        address operator;
        bool paused;
        uint256 limit;
        uint256 day;
        uint256 paidToday;
        uint256 paid;
        uint256 paidToWatched;
        uint256 held;
        uint256 heldByReceiver;
        uint256 heldByWatched;
    }

    DevUsdt private _usdt;
    PayoutVault private _vault;
    /// Any account, kind and holder of tokens besides those of the call.
    address private _watched;
    PayoutVault.Kind private _watchedKind;

    function setUp() public {
        _usdt = new DevUsdt(address(this));
        _vault = new PayoutVault(_usdt, OWNER, OPERATOR, 1);
    }

    // A payment

    function check_payment_keeps_the_books() public {
        (PayoutVault.Claim memory claim, address caller, uint256 paidBefore, uint256 amount) = _anyPayment();
        Books memory a = _books(claim.account, claim.kind, claim.to);
        uint256 left = _vault.leftToday();
        bool paid = _call(caller, address(_vault), abi.encodeCall(_vault.pay, (claim, paidBefore, amount)));
        Books memory b = _books(claim.account, claim.kind, claim.to);
        assert(_sameRoles(a, b) && b.limit == a.limit);
        if (!paid) {
            assert(_sameMoney(a, b) && b.day == a.day && b.paidToday == a.paidToday);
            return;
        }
        assert(caller == OPERATOR && !a.paused && amount != 0);
        assert(a.paid == paidBefore && b.paid == paidBefore + amount);
        assert(b.paid <= claim.total * BASE_UNITS);
        if (_watched != claim.account || _watchedKind != claim.kind) assert(b.paidToWatched == a.paidToWatched);
        assert(b.held == a.held - amount && b.heldByReceiver == a.heldByReceiver + amount);
        if (_watched != claim.to && _watched != address(_vault)) assert(b.heldByWatched == a.heldByWatched);
        assert(amount <= left && _vault.leftToday() == left - amount);
    }

    function check_payment_stays_within_the_day() public {
        (PayoutVault.Claim memory claim, address caller, uint256 paidBefore, uint256 amount) = _anyPayment();
        Books memory a = _books(claim.account, claim.kind, claim.to);
        vm.assume(_call(caller, address(_vault), abi.encodeCall(_vault.pay, (claim, paidBefore, amount))));
        Books memory b = _books(claim.account, claim.kind, claim.to);
        uint256 today = block.timestamp / 1 days;
        assert(b.day == today && b.paidToday <= b.limit);
        assert(b.paidToday == (a.day == today ? a.paidToday + amount : amount));
    }

    function check_payment_is_made_once() public {
        (PayoutVault.Claim memory claim, address caller, uint256 paidBefore, uint256 amount) = _anyPayment();
        bytes memory payment = abi.encodeCall(_vault.pay, (claim, paidBefore, amount));
        vm.assume(_call(caller, address(_vault), payment));
        _passTime("later");
        assert(!_call(unknown.createAddress("second"), address(_vault), payment));
    }

    /// Every part that decides about money has its place in the text that a payment needs the wallet's signature of. So a
    /// signature of one text is good for one receiver, kind, total, vault and chain.
    function check_text_states_what_is_paid() public {
        (PayoutVault.Claim memory claim,,,) = _anyPayment();
        bytes memory amounts = abi.encodePacked(
            "Claim ", _decimal(claim.claimed), " USDT of my referral reward (",
            claim.kind == PayoutVault.Kind.DIRECT ? "direct" : "non-direct", "), ", _decimal(claim.total)
        );
        bytes memory places = abi.encodePacked(
            " USDT with all earlier claims, to the BSC (BEP20) address ", claim.to,
            ", from the vault ", address(_vault), " on chain ", block.chainid, "."
        );
        bytes memory text = abi.encodePacked(claim.opening, "\n\n", amounts, places, "\n\n", claim.closing);
        assert(keccak256(bytes(_vault.claimText(claim))) == keccak256(text));
    }

    /// @dev The whole number in 32 bytes, a point, and 1,000,000 plus the fraction in 31: both determine the number.
    function _decimal(uint256 millionths) private pure returns (bytes memory) {
        return abi.encodePacked(millionths / 1e6, ".", uint248(1e6 + millionths % 1e6));
    }

    function check_unsigned_payment_is_refused() public {
        (PayoutVault.Claim memory claim, address caller, uint256 paidBefore, uint256 amount) = _anyPayment();
        vm.assume(_signerOf(claim) != claim.account);
        assert(!_call(caller, address(_vault), abi.encodeCall(_vault.pay, (claim, paidBefore, amount))));
    }

    function check_signed_payment_can_be_made() public {
        (PayoutVault.Claim memory claim,, uint256 paidBefore, uint256 amount) = _anyPayment();
        Books memory a = _books(claim.account, claim.kind, claim.to);
        vm.assume(!a.paused && a.paid == paidBefore && amount != 0 && amount <= _vault.leftToday());
        vm.assume(claim.total < 2 ** 120 && a.paid < 2 ** 160 && paidBefore + amount <= claim.total * BASE_UNITS);
        vm.assume(a.held >= amount && a.heldByReceiver < 2 ** 200);
        vm.assume(claim.to != address(_vault) && claim.to != address(_usdt) && claim.to != address(0));
        vm.assume(uint256(_part(claim.signature, 32)) < 2 ** 254 && _signerOf(claim) == claim.account);
        vm.assume(claim.account != address(0));
        assert(_call(OPERATOR, address(_vault), abi.encodeCall(_vault.pay, (claim, paidBefore, amount))));
    }

    // Every other call

    function check_withdrawal_is_the_owners() public {
        address to = unknown.createAddress("to");
        uint256 amount = unknown.createUint256("amount");
        address caller = unknown.createAddress("caller");
        _anyState();
        Books memory a = _books(_watched, _watchedKind, to);
        vm.assume(to != address(_vault));
        bool withdrawn = _call(caller, address(_vault), abi.encodeCall(_vault.withdraw, (to, amount)));
        Books memory b = _books(_watched, _watchedKind, to);
        assert(_sameRoles(a, b) && _sameDay(a, b) && b.paid == a.paid);
        if (!withdrawn) {
            assert(_sameMoney(a, b));
            return;
        }
        assert(caller == OWNER && amount != 0);
        assert(b.held == a.held - amount && b.heldByReceiver == a.heldByReceiver + amount);
    }

    function check_roles_move_no_money() public {
        uint256 which = unknown.createUint256("which");
        address to = unknown.createAddress("to");
        uint256 value = unknown.createUint(128, "value");
        address caller = unknown.createAddress("caller");
        _anyState();
        Books memory a = _books(_watched, _watchedKind, to);
        address pending = _vault.pendingOwner();
        _call(caller, address(_vault), _roleCall(which, to, uint128(value)));
        Books memory b = _books(_watched, _watchedKind, to);
        assert(_sameMoney(a, b) && b.paidToday == a.paidToday && b.day == a.day);
        assert(b.owner == a.owner || (caller == pending && b.owner == pending));
        if (caller != OWNER) assert(b.operator == a.operator && b.paused == a.paused && b.limit == a.limit);
        if (caller != OWNER && caller != pending) assert(_vault.pendingOwner() == pending);
        assert(b.owner != address(0) && b.operator != address(0));
    }

    function check_publication_moves_no_money() public {
        uint256 day = unknown.createUint256("day");
        uint256 otherDay = unknown.createUint256("otherDay");
        bytes32 root = bytes32(unknown.createUint256("root"));
        uint128 sum = uint128(unknown.createUint(128, "sum"));
        address caller = unknown.createAddress("caller");
        _anyState();
        Books memory a = _books(_watched, _watchedKind, caller);
        PayoutVault.OwedList memory before = _vault.owedOn(day);
        PayoutVault.OwedList memory other = _vault.owedOn(otherDay);
        bool published = _call(caller, address(_vault), abi.encodeCall(_vault.publishOwed, (day, root, sum)));
        Books memory b = _books(_watched, _watchedKind, caller);
        assert(_sameRoles(a, b) && _sameDay(a, b) && _sameMoney(a, b));
        assert(day == otherDay || _sameList(other, _vault.owedOn(otherDay)));
        PayoutVault.OwedList memory list = _vault.owedOn(day);
        if (!published) {
            assert(_sameList(before, list));
            return;
        }
        assert(caller == OPERATOR && list.root == root && list.sum == sum && list.times == uint256(before.times) + 1);
    }

    function _roleCall(uint256 which, address to, uint128 value) private view returns (bytes memory) {
        if (which == 0) return abi.encodeCall(_vault.setOperator, (to));
        if (which == 1) return abi.encodeCall(_vault.setDailyLimit, (value));
        if (which == 2) return abi.encodeCall(_vault.pausePayouts, ());
        if (which == 3) return abi.encodeCall(_vault.unpausePayouts, ());
        if (which == 4) return abi.encodeCall(_vault.transferOwnership, (to));
        if (which == 5) return abi.encodeCall(_vault.acceptOwnership, ());
        return abi.encodeCall(_vault.renounceOwnership, ());
    }

    // States and inputs

    /// @dev Owner and operator have names; all else can be anything.
    function _anyState() private {
        unknown.enableSymbolicStorage(address(_vault));
        unknown.enableSymbolicStorage(address(_usdt));
        uint256 pending = uint160(unknown.createAddress("pending"));
        uint256 paused = unknown.createBool("paused") ? 1 : 0;
        vm.assume(pending != uint160(address(0)));
        _store(ROLES_SLOT, pending | (paused << 160));
        _store(OPERATOR_SLOT, uint160(OPERATOR) | (unknown.createUint(48, "day") << 160));
        _store(LIMIT_SLOT, unknown.createUint256("limits"));
        _watched = unknown.createAddress("watched");
        _watchedKind = unknown.createBool("watchedKind") ? PayoutVault.Kind.DIRECT : PayoutVault.Kind.NON_DIRECT;
        _passTime("now");
    }

    function _store(uint256 slot, uint256 value) private {
        vm.store(address(_vault), bytes32(slot), bytes32(value));
    }

    function _anyPayment()
        private
        returns (PayoutVault.Claim memory claim, address caller, uint256 paidBefore, uint256 amount)
    {
        _anyState();
        claim = _anyClaim("claim");
        caller = unknown.createAddress("caller");
        paidBefore = unknown.createUint256("paidBefore");
        amount = unknown.createUint256("amount");
    }

    function _anyClaim(string memory name) private view returns (PayoutVault.Claim memory claim) {
        claim.account = unknown.createAddress(string.concat(name, ".account"));
        claim.kind = unknown.createBool(string.concat(name, ".kind")) ? PayoutVault.Kind.DIRECT : PayoutVault.Kind.NON_DIRECT;
        claim.to = unknown.createAddress(string.concat(name, ".to"));
        claim.claimed = unknown.createUint(128, string.concat(name, ".claimed"));
        claim.total = unknown.createUint(128, string.concat(name, ".total"));
        claim.opening = string(unknown.createBytes(TEXT_LENGTH, string.concat(name, ".opening")));
        claim.closing = string(unknown.createBytes(TEXT_LENGTH, string.concat(name, ".closing")));
        claim.signature = unknown.createBytes(65, string.concat(name, ".signature"));
    }

    function _digest(PayoutVault.Claim memory claim) private view returns (bytes32) {
        bytes memory text = bytes(_vault.claimText(claim));
        return keccak256(abi.encodePacked("\x19TRON Signed Message:\n", text.length.toString(), text));
    }

    function _signerOf(PayoutVault.Claim memory claim) private view returns (address) {
        bytes memory signature = claim.signature;
        return ecrecover(_digest(claim), uint8(signature[64]), _part(signature, 0), _part(signature, 32));
    }

    function _part(bytes memory signature, uint256 offset) private pure returns (bytes32 part) {
        assembly ("memory-safe") {
            part := mload(add(add(signature, 32), offset))
        }
    }

    // What is compared

    function _books(address account, PayoutVault.Kind kind, address receiver) private view returns (Books memory books) {
        books.owner = _vault.owner();
        books.operator = _vault.operator();
        books.paused = _vault.paused();
        books.limit = _vault.dailyLimit();
        books.day = uint48(uint256(vm.load(address(_vault), bytes32(OPERATOR_SLOT))) >> 160);
        books.paidToday = uint256(vm.load(address(_vault), bytes32(LIMIT_SLOT))) >> 128;
        books.paid = _vault.paidOf(account, kind);
        books.paidToWatched = _vault.paidOf(_watched, _watchedKind);
        books.held = _usdt.balanceOf(address(_vault));
        books.heldByReceiver = _usdt.balanceOf(receiver);
        books.heldByWatched = _usdt.balanceOf(_watched);
    }

    function _sameRoles(Books memory a, Books memory b) private pure returns (bool) {
        return a.owner == b.owner && a.operator == b.operator && a.paused == b.paused;
    }

    function _sameDay(Books memory a, Books memory b) private pure returns (bool) {
        return a.limit == b.limit && a.day == b.day && a.paidToday == b.paidToday;
    }

    function _sameMoney(Books memory a, Books memory b) private pure returns (bool) {
        return a.paid == b.paid && a.paidToWatched == b.paidToWatched && a.held == b.held
            && a.heldByReceiver == b.heldByReceiver && a.heldByWatched == b.heldByWatched;
    }

    function _sameList(PayoutVault.OwedList memory a, PayoutVault.OwedList memory b) private pure returns (bool) {
        return a.root == b.root && a.sum == b.sum && a.times == b.times;
    }
}
