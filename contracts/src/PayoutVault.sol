// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.29;

import {Ownable, Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";
import {ReentrancyGuard} from "@openzeppelin/contracts/utils/ReentrancyGuard.sol";
import {Strings} from "@openzeppelin/contracts/utils/Strings.sol";
import {TokenTransfers} from "./TokenTransfers.sol";

/// @title Holds the USDT for referral payouts, and pays it only where a referrer's own wallet asked for it
/// @notice Deployed on BSC. An account is a referrer and a kind of bonus; the referrer is named by the 20 bytes of a
/// Tron address. A payment states what the account was paid before and adds to that, so it can be made once only, by
/// whatever key and however often it is sent. It needs the referrer's signature of a claim: a readable text, signed with
/// a Tron wallet, that names the address to pay to and the most that may ever be paid for the account.
/// A stolen operator key can pay referrers what they asked for, and an accomplice who signs claims for himself the
/// limit of one day, each day until the owner pauses. USDT is added by a plain transfer.
contract PayoutVault is Ownable2Step, Pausable, ReentrancyGuard {
    using Strings for address;
    using Strings for uint256;
    using TokenTransfers for IERC20Metadata;

    /// @notice The kinds of referral bonus, each with an account of its own.
    enum Kind {
        DIRECT,
        NON_DIRECT
    }

    /// @notice What a referrer signed. Amounts in millionths of a USDT.
    /// @param account The referrer: the 20 bytes of the Tron address.
    /// @param kind See `Kind`.
    /// @param to Where to pay.
    /// @param claimed What this claim added; stated for the reader.
    /// @param total The most that may ever be paid for this account under this claim, earlier payments included.
    /// @param opening The text above the statement (who asks for the signature), without the empty line between them.
    /// @param closing The text below the statement (nonce, times), without the empty line between them.
    /// @param signature By the account's Tron wallet (`signMessageV2`): r, s, and v as 27 or 28.
    struct Claim {
        address account;
        Kind kind;
        address to;
        uint256 claimed;
        uint256 total;
        string opening;
        string closing;
        bytes signature;
    }

    /// @notice What the service said that it owes to all referrers together at the end of a business day (UTC+7).
    /// @param root The root of the Merkle sum tree over what each of them is owed.
    /// @param sum All of it, in base units.
    /// @param times How often this day was published; beyond 1 it was corrected, and the former roots stand in events.
    struct OwedList {
        bytes32 root;
        uint128 sum;
        uint128 times;
    }

    /// @notice `amount` base units were paid to `to`; `total` were paid for this account so far.
    event ReferralPaid(
        address indexed account, Kind indexed kind, address indexed to, uint256 amount, uint256 total
    );
    /// @notice The service says what it owes to all referrers together; for the `times`-th time of that day.
    event OwedPublished(uint256 indexed day, bytes32 root, uint256 sum, uint256 times);
    /// @notice The owner took `amount` base units.
    event Withdrawn(address indexed to, uint256 amount);
    /// @notice Another key pays from now on.
    event OperatorChanged(address indexed previousOperator, address indexed newOperator);
    /// @notice From now on at most this many base units leave per day.
    event DailyLimitChanged(uint256 previousLimit, uint256 newLimit);

    error PayoutVault_ZeroAddress();
    error PayoutVault_ZeroAmount();
    error PayoutVault_TooFewDecimals(uint8 decimals);
    error PayoutVault_OnlyOperator(address caller);
    error PayoutVault_PaidDiffers(uint256 paid);
    error PayoutVault_BeyondClaim(uint256 total, uint256 paidAfter);
    error PayoutVault_BeyondDailyLimit(uint256 leftToday, uint256 amount);
    error PayoutVault_NotSignedBy(address account);
    error PayoutVault_InvalidReceiver(address to);
    error PayoutVault_OwnershipNotRenounceable();

    uint256 private constant CLAIM_DECIMALS = 6;
    uint256 private constant CLAIM_UNITS = 10 ** CLAIM_DECIMALS;

    IERC20Metadata private immutable _token;
    /// @dev Base units of the token in a millionth.
    uint256 private immutable _baseUnits;

    address private _operator;
    uint48 private _today; // days since 1970, UTC; in one slot with `_operator`, which `pay` reads anyway
    uint128 private _dailyLimit;
    uint128 private _paidToday;
    mapping(address account => mapping(Kind kind => uint256 paid)) private _paid;
    mapping(uint256 day => OwedList) private _owedLists;

    /// @param token_ USDT.
    /// @param owner_ Replaces the operator, sets the daily limit, pauses, withdraws. Cold; a multisig in production.
    /// @param operator_ Pays. The server's key.
    /// @param dailyLimit_ The most that leaves per day, in base units.
    constructor(IERC20Metadata token_, address owner_, address operator_, uint128 dailyLimit_) Ownable(owner_) {
        if (address(token_) == address(0)) revert PayoutVault_ZeroAddress();
        uint8 decimals = token_.decimals();
        if (decimals < CLAIM_DECIMALS) revert PayoutVault_TooFewDecimals(decimals);
        _token = token_;
        _baseUnits = 10 ** (decimals - CLAIM_DECIMALS);
        _setOperator(operator_);
        _setDailyLimit(dailyLimit_);
    }

    /// @notice Pays `amount` base units for an account, if it was paid exactly `paidBefore` base units until now.
    /// @dev Reverts unless `claim.to` received every unit; then nothing counts as paid and the same call can be sent again.
    function pay(Claim calldata claim, uint256 paidBefore, uint256 amount) external whenNotPaused nonReentrant {
        uint256 paid = _paid[claim.account][claim.kind];
        // Check:
        if (msg.sender != _operator) revert PayoutVault_OnlyOperator(msg.sender);
        if (amount == 0) revert PayoutVault_ZeroAmount();
        if (paid != paidBefore) revert PayoutVault_PaidDiffers(paid);
        if (claim.to == address(0) || claim.to == address(this) || claim.to == address(_token)) {
            revert PayoutVault_InvalidReceiver(claim.to);
        }
        uint256 paidAfter = paid + amount;
        uint256 most = claim.total * _baseUnits;
        if (paidAfter > most) revert PayoutVault_BeyondClaim(most, paidAfter);
        uint256 left = _leftToday();
        if (amount > left) revert PayoutVault_BeyondDailyLimit(left, amount);
        _requireSigned(claim);

        // Effect:
        uint48 today = _day();
        _paidToday = uint128(today == _today ? _paidToday + amount : amount); // at most `_dailyLimit`
        _today = today;
        _paid[claim.account][claim.kind] = paidAfter;

        // Interaction:
        _token.pushExactly(claim.to, amount);
        emit ReferralPaid(claim.account, claim.kind, claim.to, amount, paidAfter);
    }

    /// @notice States what the service owes to all referrers together. Neither limits payments nor is needed for them: it
    /// keeps the service from showing one list to one holder and another to the next, or another one later.
    /// @param day The business day (UTC+7) at whose end it was owed, as YYYYMMDD.
    /// @param root The root of the Merkle sum tree.
    /// @param sum Base units.
    function publishOwed(uint256 day, bytes32 root, uint128 sum) external {
        OwedList storage list = _owedLists[day];
        // Check:
        if (msg.sender != _operator) revert PayoutVault_OnlyOperator(msg.sender);

        // Effect:
        uint128 times = list.times + 1;
        list.root = root;
        list.sum = sum;
        list.times = times;
        emit OwedPublished(day, root, sum, times);
    }

    /// @notice Takes `amount` base units out, whoever they are owed to: what is owed to referrers is kept in the
    /// service's books, and this contract only bounds what a stolen operator key can do.
    function withdraw(address to, uint256 amount) external onlyOwner nonReentrant {
        // Check:
        if (amount == 0) revert PayoutVault_ZeroAmount();

        // Interaction:
        _token.pushExactly(to, amount);
        emit Withdrawn(to, amount);
    }

    /// @notice Replaces the key that pays, at once.
    function setOperator(address newOperator) external onlyOwner {
        _setOperator(newOperator);
    }

    /// @notice Sets the most that leaves per day (UTC), in base units; what left today counts. 0 stops payments.
    function setDailyLimit(uint128 newLimit) external onlyOwner {
        _setDailyLimit(newLimit);
    }

    /// @notice Stops payments. Withdrawals by the owner go on.
    function pausePayouts() external onlyOwner {
        _pause();
    }

    /// @notice Allows payments again.
    function unpausePayouts() external onlyOwner {
        _unpause();
    }

    /// @notice Not possible: the vault's money could then never be taken out, nor a stolen operator key replaced.
    function renounceOwnership() public view override onlyOwner {
        revert PayoutVault_OwnershipNotRenounceable();
    }

    /// @notice The token that is paid.
    function token() external view returns (IERC20Metadata) {
        return _token;
    }

    /// @notice The key that pays.
    function operator() external view returns (address) {
        return _operator;
    }

    /// @notice The most that leaves per day, in base units.
    function dailyLimit() external view returns (uint256) {
        return _dailyLimit;
    }

    /// @notice How many base units may still leave in the day of this block.
    function leftToday() external view returns (uint256) {
        return _leftToday();
    }

    /// @notice How many base units were ever paid for an account.
    function paidOf(address account, Kind kind) external view returns (uint256) {
        return _paid[account][kind];
    }

    /// @notice What was published of a day (YYYYMMDD) last; all zero when nothing was.
    function owedOn(uint256 day) external view returns (OwedList memory) {
        return _owedLists[day];
    }

    /// @notice The text that the account's wallet has to sign for this claim; its `signature` is not read.
    function claimText(Claim calldata claim) external view returns (string memory) {
        return _claimText(claim);
    }

    function _setOperator(address newOperator) private {
        if (newOperator == address(0)) revert PayoutVault_ZeroAddress();
        emit OperatorChanged(_operator, newOperator);
        _operator = newOperator;
    }

    function _setDailyLimit(uint128 newLimit) private {
        emit DailyLimitChanged(_dailyLimit, newLimit);
        _dailyLimit = newLimit;
    }

    function _day() private view returns (uint48) {
        return uint48(block.timestamp / 1 days);
    }

    function _leftToday() private view returns (uint256) {
        uint256 paidToday = _day() == _today ? _paidToday : 0;
        return paidToday < _dailyLimit ? _dailyLimit - paidToday : 0;
    }

    /// @dev The prefix is Tron's, so that a text signed for another chain's wallets is never accepted.
    function _requireSigned(Claim calldata claim) private view {
        bytes memory text = bytes(_claimText(claim));
        bytes32 digest =
            keccak256(abi.encodePacked("\x19TRON Signed Message:\n", text.length.toString(), text));
        (address signer, ECDSA.RecoverError problem,) = ECDSA.tryRecover(digest, claim.signature);
        if (problem != ECDSA.RecoverError.NoError || signer != claim.account) {
            revert PayoutVault_NotSignedBy(claim.account);
        }
    }

    /// @dev Everything that decides about money stands in a paragraph of its own, between empty lines. No other text
    /// that the service asks a wallet to sign contains such a paragraph, whatever stands around it.
    function _claimText(Claim calldata claim) private view returns (string memory) {
        return string.concat(claim.opening, "\n\n", _statement(claim), "\n\n", claim.closing);
    }

    function _statement(Claim calldata claim) private view returns (string memory) {
        string memory amounts = string.concat(
            "Claim ", _decimal(claim.claimed), " USDT of my referral reward (", _name(claim.kind), "), ",
            _decimal(claim.total), " USDT with all earlier claims, "
        );
        string memory places = string.concat(
            "to the BSC (BEP20) address ", claim.to.toChecksumHexString(),
            ", from the vault ", address(this).toChecksumHexString(),
            " on chain ", block.chainid.toString(), "."
        );
        return string.concat(amounts, places);
    }

    function _name(Kind kind) private pure returns (string memory) {
        return kind == Kind.DIRECT ? "direct" : "non-direct";
    }

    /// @dev Millionths as a decimal number with six places.
    function _decimal(uint256 millionths) private pure returns (string memory) {
        // One digit more than there are places, whose 1 is the seventh: so the zeros after the point are kept.
        bytes memory digits = bytes((CLAIM_UNITS + millionths % CLAIM_UNITS).toString());
        digits[0] = ".";
        return string.concat((millionths / CLAIM_UNITS).toString(), string(digits));
    }
}
