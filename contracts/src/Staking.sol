// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.29;

import {Ownable, Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";
import {ReentrancyGuard} from "@openzeppelin/contracts/utils/ReentrancyGuard.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {IRewardPool} from "./IRewardPool.sol";
import {IStaking} from "./IStaking.sol";
import {TokenTransfers} from "./TokenTransfers.sol";

/// @title Locks holders' capital for the duration of an earning plan
/// @notice Capital leaves this contract in one way: to the holder who locked it, once, after the end of the stake.
/// There is no role that can move, freeze or redirect it, no upgrade, and no other function that sends tokens. The
/// owner can stop new joins and nothing else. Rewards are kept apart, in the reward pool.
/// Tokens sent here without `joinStake` belong to no stake and stay.
contract Staking is IStaking, Ownable2Step, Pausable, ReentrancyGuard {
    using SafeCast for uint256;
    using TokenTransfers for IERC20Metadata;

    /// @notice One lock. Amounts in base units, times in seconds since 1970.
    /// @param staker Who locked the capital, and the only one who can receive it.
    /// @param amount The locked capital.
    /// @param reward The whole reward reserved for this stake.
    /// @param start The time of the block of the join.
    /// @param end From this second on the stake can be released.
    /// @param released Whether the capital went back.
    /// @param planCode The plan that was joined.
    struct Stake {
        address staker;
        uint96 amount;
        uint96 reward;
        uint40 start;
        uint40 end;
        bool released;
        string planCode;
    }

    /// @notice Capital was locked. `planKey` is keccak256 of `planCode`, to filter by.
    event Staked(
        uint256 indexed stakeId,
        address indexed staker,
        bytes32 indexed planKey,
        string planCode,
        uint256 amount,
        uint256 reward,
        uint256 start,
        uint256 end
    );

    /// @notice The capital of a stake went back to its staker.
    event Released(uint256 indexed stakeId, address indexed staker, uint256 amount);

    error Staking_ZeroAddress();
    error Staking_TokenMismatch(address poolToken);
    error Staking_AmountOutOfRange(uint256 amount);
    error Staking_AlreadyStaked(uint256 stakeId);
    error Staking_UnknownStake(uint256 stakeId);
    error Staking_AlreadyReleased(uint256 stakeId);
    error Staking_NotEnded(uint256 stakeId, uint256 end);
    error Staking_OwnershipNotRenounceable();

    uint256 private constant MIN_WHOLE_TOKENS = 10;
    uint256 private constant MAX_WHOLE_TOKENS = 50;

    IERC20Metadata private immutable _token;
    IRewardPool private immutable _rewardPool;
    uint256 private immutable _minAmount;
    uint256 private immutable _maxAmount;

    mapping(uint256 stakeId => Stake) private _stakes;
    mapping(address staker => mapping(bytes32 planKey => uint256 stakeId)) private _stakeIds;
    uint256 private _stakeCount;
    uint256 private _totalLocked;

    /// @param token_ The token to lock. Its decimals are read here, once.
    /// @param rewardPool_ The pool that reserves the rewards; it must pay in the same token.
    /// @param owner_ May pause joins. Cold; a multisig in production.
    constructor(IERC20Metadata token_, IRewardPool rewardPool_, address owner_) Ownable(owner_) {
        if (address(token_) == address(0) || address(rewardPool_) == address(0)) revert Staking_ZeroAddress();
        address poolToken = address(rewardPool_.token());
        if (poolToken != address(token_)) revert Staking_TokenMismatch(poolToken);

        uint256 wholeToken = 10 ** token_.decimals();
        _token = token_;
        _rewardPool = rewardPool_;
        _minAmount = MIN_WHOLE_TOKENS * wholeToken;
        _maxAmount = MAX_WHOLE_TOKENS * wholeToken;
    }

    /// @notice Locks `amount` for `durationDays` under `planCode`. Approve `amount` to this contract first.
    /// @dev Reverts with the pool's errors when the plan is not open, the duration is not the plan's, or its free
    /// funds do not cover the whole reward.
    /// @param amount Base units, from `minAmount` to `maxAmount`.
    /// @param planCode An open plan that the caller never joined before.
    /// @param durationDays The plan's duration.
    /// @return stakeId Counts from 1.
    function joinStake(uint256 amount, string calldata planCode, uint256 durationDays)
        external
        whenNotPaused
        nonReentrant
        returns (uint256 stakeId)
    {
        bytes32 planKey = keccak256(bytes(planCode));
        // Check:
        if (amount < _minAmount || amount > _maxAmount) revert Staking_AmountOutOfRange(amount);
        stakeId = _stakeIds[msg.sender][planKey];
        if (stakeId != 0) revert Staking_AlreadyStaked(stakeId);

        // Effect: the pool is trusted and makes no external calls; it checks the plan.
        uint256 reward = _rewardPool.reserve(planCode, msg.sender, amount, durationDays);
        uint256 end = block.timestamp + durationDays * 1 days;
        stakeId = ++_stakeCount;
        _stakeIds[msg.sender][planKey] = stakeId;
        _totalLocked += amount;
        _stakes[stakeId] = Stake({
            staker: msg.sender,
            amount: amount.toUint96(),
            reward: reward.toUint96(),
            start: block.timestamp.toUint40(),
            end: end.toUint40(),
            released: false,
            planCode: planCode
        });

        // Interaction:
        _token.pull(msg.sender, amount);
        emit Staked(stakeId, msg.sender, planKey, planCode, amount, reward, block.timestamp, end);
    }

    /// @notice Sends the capital of an ended stake back to its staker. Anybody may call it; a pause does not stop it.
    /// @dev Called by others it reverts unless the staker received every unit. The staker alone may accept less: should
    /// the token one day take a fee, capital is neither trapped here nor pushed through the fee by a stranger. In every
    /// case exactly the stake's amount leaves this contract, else it reverts and can be tried again.
    function release(uint256 stakeId) external nonReentrant {
        Stake storage stake = _stakes[stakeId];
        address staker = stake.staker;
        uint256 amount = stake.amount;
        // Check:
        if (staker == address(0)) revert Staking_UnknownStake(stakeId);
        if (stake.released) revert Staking_AlreadyReleased(stakeId);
        if (block.timestamp < stake.end) revert Staking_NotEnded(stakeId, stake.end);

        // Effect:
        stake.released = true;
        _totalLocked -= amount;

        // Interaction:
        if (msg.sender == staker) _token.push(staker, amount);
        else _token.pushExactly(staker, amount);
        emit Released(stakeId, staker, amount);
    }

    /// @notice Stops new joins. Releases continue.
    function pauseJoins() external onlyOwner {
        _pause();
    }

    /// @notice Allows joins again.
    function unpauseJoins() external onlyOwner {
        _unpause();
    }

    /// @notice Not possible: a pause could then never be ended.
    function renounceOwnership() public view override onlyOwner {
        revert Staking_OwnershipNotRenounceable();
    }

    /// @notice The locked token.
    function token() external view returns (IERC20Metadata) {
        return _token;
    }

    /// @inheritdoc IStaking
    function rewardPool() external view returns (IRewardPool) {
        return _rewardPool;
    }

    /// @notice The least that can be locked, in base units: 10 tokens.
    function minAmount() external view returns (uint256) {
        return _minAmount;
    }

    /// @notice The most that can be locked, in base units: 50 tokens.
    function maxAmount() external view returns (uint256) {
        return _maxAmount;
    }

    /// @notice The stake of that id; all zero when there is none.
    function stakes(uint256 stakeId) external view returns (Stake memory) {
        return _stakes[stakeId];
    }

    /// @notice The id of the stake that `staker` has or had in the plan; 0 when there never was one.
    function stakeOf(address staker, string calldata planCode) external view returns (uint256 stakeId) {
        return _stakeIds[staker][keccak256(bytes(planCode))];
    }

    /// @notice How many stakes were ever made. Ids run from 1 to this number.
    function stakeCount() external view returns (uint256) {
        return _stakeCount;
    }

    /// @notice The capital of all stakes that are not released yet, in base units.
    function totalLocked() external view returns (uint256) {
        return _totalLocked;
    }
}
