// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.29;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @title The part of the reward pool that the staking contract uses
interface IRewardPool {
    /// @notice The token in which rewards are funded and paid.
    function token() external view returns (IERC20);

    /// @notice Sets the whole reward of a new stake aside, from the plan's free funds.
    /// @param planCode The plan; it must be open.
    /// @param staker Who will receive the reward.
    /// @param amount The locked amount, in base units.
    /// @param durationDays The duration the staker agreed to; it must be the plan's.
    /// @return reward floor(amount * totalBps / 10,000), in base units.
    function reserve(string calldata planCode, address staker, uint256 amount, uint256 durationDays)
        external
        returns (uint256 reward);
}
