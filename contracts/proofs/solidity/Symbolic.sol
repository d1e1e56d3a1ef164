// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.29;

/// @title The part of the test virtual machine that the proofs use
interface Vm {
    function assume(bool condition) external pure;
    function prank(address caller) external;
    function warp(uint256 time) external;
    function load(address account, bytes32 slot) external view returns (bytes32);
    function store(address account, bytes32 slot, bytes32 value) external;
}

/// @title Makes values of which nothing is known
interface Unknowns {
    function createUint256(string memory name) external view returns (uint256);
    function createUint(uint256 bits, string memory name) external view returns (uint256);
    function createAddress(string memory name) external view returns (address);
    function createBool(string memory name) external view returns (bool);
    function createBytes(uint256 length, string memory name) external view returns (bytes memory);
    function enableSymbolicStorage(address account) external;
}

/// @title What every proof starts from
/// @notice A proof begins in a state of which nothing is known but what it assumes, makes one call of which nothing is
/// known either, and asserts what must hold afterwards. Whatever holds after every such call holds for ever.
abstract contract Symbolic {
    Vm internal constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));
    Unknowns internal constant unknown = Unknowns(0xF3993A62377BCd56AE39D773740A5390411E8BC9);
    address internal constant OWNER = address(0xA11CE);
    address internal constant OPERATOR = address(0x0B0B);

    /// @dev A moment not before the present one, and before the year 19391.
    function _passTime(string memory name) internal returns (uint256 time) {
        time = unknown.createUint256(name);
        vm.assume(time >= block.timestamp && time < 2 ** 39);
        vm.warp(time);
    }

    function _isMachinery(address account) internal view returns (bool) {
        return account == address(vm) || account == address(unknown) || account == address(this) || account == address(0);
    }

    /// @dev Makes the call as `caller`; whether it succeeded.
    function _call(address caller, address target, bytes memory data) internal returns (bool succeeded) {
        vm.prank(caller);
        (succeeded,) = target.call(data);
    }
}
