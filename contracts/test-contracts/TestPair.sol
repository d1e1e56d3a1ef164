// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.29;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @title A constant-product pair, as exchanges of the second version have them
/// @notice Tests only: no shares, anybody may add liquidity by a transfer and `sync`.
contract TestPair {
    address public immutable token0;
    address public immutable token1;

    uint112 private _reserve0;
    uint112 private _reserve1;
    uint32 private _updatedAt;

    error TestPair_ConstantProduct();

    constructor(address token0_, address token1_) {
        token0 = token0_;
        token1 = token1_;
    }

    /// @notice Gives out what the caller asks for, if it has paid enough in.
    function swap(uint256 amount0Out, uint256 amount1Out, address to) external {
        uint256 product = uint256(_reserve0) * _reserve1;
        if (amount0Out > 0) IERC20(token0).transfer(to, amount0Out);
        if (amount1Out > 0) IERC20(token1).transfer(to, amount1Out);
        sync();
        if (uint256(_reserve0) * _reserve1 < product) revert TestPair_ConstantProduct();
    }

    /// @notice Takes the balances for the reserves.
    function sync() public {
        _reserve0 = uint112(IERC20(token0).balanceOf(address(this)));
        _reserve1 = uint112(IERC20(token1).balanceOf(address(this)));
        _updatedAt = uint32(block.timestamp);
    }

    function getReserves() external view returns (uint112, uint112, uint32) {
        return (_reserve0, _reserve1, _updatedAt);
    }
}
