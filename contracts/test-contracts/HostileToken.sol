// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.29;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @title A token that misbehaves on demand
/// @notice Tests only. Anybody can mint and choose the behaviour.
contract HostileToken is ERC20 {
    /// @notice The behaviour of `transfer` and `transferFrom`. MUTE returns no data; DENIES moves the tokens but returns
    /// false, like USDT on Tron; LIES returns true but moves nothing; TAXES_RECEIVER and TAXES_SENDER charge one extra unit;
    /// STUCK reverts; REENTERS calls the armed target before moving the tokens.
    enum Behaviour {
        HONEST,
        MUTE,
        DENIES,
        LIES,
        TAXES_RECEIVER,
        TAXES_SENDER,
        STUCK,
        REENTERS
    }

    address private constant TAX_OFFICE = address(0x7a);

    uint8 private immutable _decimals;
    Behaviour private _behaviour;
    address private _target;
    bytes private _data;
    bytes private _reentryResult;
    bool private _reentrySucceeded;

    error HostileToken_Stuck();

    constructor(uint8 decimals_) ERC20("Hostile", "HST") {
        _decimals = decimals_;
    }

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function behave(Behaviour behaviour) external {
        _behaviour = behaviour;
    }

    function arm(address target, bytes calldata data) external {
        _target = target;
        _data = data;
    }

    /// @notice The outcome of the armed call.
    function reentry() external view returns (bool succeeded, bytes memory result) {
        return (_reentrySucceeded, _reentryResult);
    }

    function decimals() public view override returns (uint8) {
        return _decimals;
    }

    function transfer(address to, uint256 amount) public override returns (bool) {
        _move(msg.sender, to, amount);
        return _answer();
    }

    function transferFrom(address from, address to, uint256 amount) public override returns (bool) {
        _spendAllowance(from, msg.sender, amount);
        _move(from, to, amount);
        return _answer();
    }

    function _move(address from, address to, uint256 amount) private {
        if (_behaviour == Behaviour.STUCK) revert HostileToken_Stuck();
        if (_behaviour == Behaviour.LIES) return;
        if (_behaviour == Behaviour.REENTERS) (_reentrySucceeded, _reentryResult) = _target.call(_data);
        _transfer(from, to, amount);
        if (_behaviour == Behaviour.TAXES_RECEIVER) _transfer(to, TAX_OFFICE, 1);
        if (_behaviour == Behaviour.TAXES_SENDER) _transfer(from, TAX_OFFICE, 1);
    }

    function _answer() private view returns (bool) {
        if (_behaviour == Behaviour.MUTE) {
            assembly {
                return(0, 0)
            }
        }
        return _behaviour != Behaviour.DENIES;
    }
}
