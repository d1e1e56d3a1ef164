// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.29;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

/// @title Token transfers that trust balances, not return values
/// @notice Incoming transfers are checked strictly, outgoing ones tolerantly. A token that returns false, or takes a
/// fee, is refused when it comes in, so it can never be locked. On the way out a wrong return value must not trap what
/// is owed: Tron's USDT, for one, answers `false` to a transfer that worked.
library TokenTransfers {
    using SafeERC20 for IERC20;

    /// @notice The token's `transfer` reverted; `reason` is what it reverted with.
    error TokenTransfers_CallFailed(bytes reason);

    /// @notice After the transfer `account` held `actual` base units where `expected` had to be.
    error TokenTransfers_BalanceMismatch(address account, uint256 expected, uint256 actual);

    /// @dev Takes exactly `amount` base units from `from`, who approved this contract. Reverts when the token reverts,
    /// returns false, or credits another amount than `amount` (a fee on transfer).
    function pull(IERC20 token, address from, uint256 amount) internal {
        uint256 expected = token.balanceOf(address(this)) + amount;
        token.safeTransferFrom(from, address(this), amount);
        _requireBalance(token, address(this), expected);
    }

    /// @dev Sends `amount` base units to `to`. The returned value is not read: the transfer counts when exactly
    /// `amount` left this contract. Any fee that the token took from the receiver is ignored.
    function push(IERC20 token, address to, uint256 amount) internal {
        uint256 held = token.balanceOf(address(this));
        (bool succeeded, bytes memory reason) = address(token).call(abi.encodeCall(IERC20.transfer, (to, amount)));
        if (!succeeded) revert TokenTransfers_CallFailed(reason);
        _requireBalance(token, address(this), held - amount);
    }

    /// @dev As `push`, and `to` must have received all of it.
    function pushExactly(IERC20 token, address to, uint256 amount) internal {
        uint256 expected = token.balanceOf(to) + amount;
        push(token, to, amount);
        _requireBalance(token, to, expected);
    }

    function _requireBalance(IERC20 token, address account, uint256 expected) private view {
        uint256 actual = token.balanceOf(account);
        if (actual != expected) revert TokenTransfers_BalanceMismatch(account, expected, actual);
    }
}
