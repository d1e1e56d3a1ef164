// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.29;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @title The development network's DCT
/// @notice Never deployed to a public network: its owner mints at will.
contract DevToken is ERC20, Ownable {
    /// @param owner_ May mint.
    constructor(address owner_) ERC20("DCT", "DCT") Ownable(owner_) {}

    /// @notice Makes `amount` base units for `to`.
    function mint(address to, uint256 amount) external onlyOwner {
        _mint(to, amount);
    }

    /// @inheritdoc ERC20
    function decimals() public pure override returns (uint8) {
        return 6;
    }
}
