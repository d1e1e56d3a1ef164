// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.29;

/// @title An account controlled by the fuzz driver
/// @notice Tests only.
contract FuzzActor {
    function perform(address target, bytes calldata data) external returns (bool succeeded, bytes memory result) {
        return target.call(data);
    }
}
