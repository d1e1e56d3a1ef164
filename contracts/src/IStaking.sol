// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {IRewardPool} from "./IRewardPool.sol";

/// @title What the reward pool needs of the staking contract
interface IStaking {
    /// @notice The pool in which this staking contract reserves rewards.
    function rewardPool() external view returns (IRewardPool);
}
