// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.29;

import {IRewardPool} from "../src/IRewardPool.sol";
import {IStaking} from "../src/IStaking.sol";

/// @title A staking contract without rules, for testing the pool's own rules
/// @notice Tests only. Anybody can reserve anything.
contract LooseStaking is IStaking {
    IRewardPool public immutable rewardPool;

    constructor(IRewardPool pool) {
        rewardPool = pool;
    }

    function reserve(string calldata planCode, address staker, uint256 amount, uint256 durationDays) external {
        rewardPool.reserve(planCode, staker, amount, durationDays);
    }
}
