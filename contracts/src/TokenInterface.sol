// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.29;

import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";

/// @title The functions and events of a TRC20 or BEP20 token that the product uses
/// @notice Never deployed; the source of the minimal token ABI.
interface TokenInterface is IERC20Metadata, IERC20Errors {}
