// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.29;

import {IRewardPool} from "./IRewardPool.sol";

/// @title The part of the staking contract that the reward pool uses
interface IStaking {
    /// @notice The pool in which this staking contract reserves rewards.
    function rewardPool() external view returns (IRewardPool);
}
