// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.29;

/// @title Stands for OpenZeppelin's Strings in the proofs of the vault
/// @notice Renders a number in 32 bytes and an address in 20, each differently from every other. That is all that the
/// vault needs of the rendering: digits have one path per length, which nothing can follow for all numbers at once. The
/// digits themselves are a matter of `test/payout-vault.test.ts`.
library Strings {
    function toString(uint256 value) internal pure returns (string memory) {
        return string(abi.encodePacked(value));
    }

    function toChecksumHexString(address account) internal pure returns (string memory) {
        return string(abi.encodePacked(account));
    }
}
