import { stakingAbi } from '@dct/contract-abi'
import { stakingBytecode } from '@dct/contract-abi/bytecode'
import { type Address, zeroAddress } from 'viem'
import { expect, test } from 'vitest'
import { type Chain, refusalOf, useChain } from './support/chain.ts'
import {
  ALICE,
  deploySystem,
  deployToken,
  OPERATOR,
  OWNER,
  STRANGER,
  type System,
} from './support/system.ts'

let chain: Chain
let system: System

useChain(async (started) => {
  chain = started
  system = await deploySystem(chain, await deployToken(chain))
})

const build = (token: Address, pool: Address, owner: Address) => () =>
  chain.deploy(OWNER, { abi: stakingAbi, bytecode: stakingBytecode, args: [token, pool, owner] })

test('the staking contract cannot be deployed without a token, a pool of that token and an owner', async () => {
  const { token, pool } = system
  const refused = (...args: Parameters<typeof build>) => refusalOf(build(...args), stakingAbi)
  expect(await refused(zeroAddress, pool.address, OWNER)).toEqual(['Staking_ZeroAddress'])
  expect(await refused(token.address, zeroAddress, OWNER)).toEqual(['Staking_ZeroAddress'])
  const invalidOwner = ['OwnableInvalidOwner', zeroAddress]
  expect(await refused(token.address, pool.address, zeroAddress)).toEqual(invalidOwner)
  const other = await deployToken(chain)
  const mismatch = ['Staking_TokenMismatch', token.address]
  expect(await refused(other.address, pool.address, OWNER)).toEqual(mismatch)
})

test('the staking contract returns its token, pool and owner', async () => {
  const { token, pool, staking } = system
  expect(await chain.client.readContract({ ...staking, functionName: 'token' })).toBe(token.address)
  expect(await chain.client.readContract({ ...staking, functionName: 'rewardPool' })).toBe(
    pool.address,
  )
  expect(await chain.client.readContract({ ...staking, functionName: 'owner' })).toBe(OWNER)
})

test('only joins, releases, pauses and the ownership transfer write to the staking contract', () => {
  const writing = stakingAbi.flatMap((item) =>
    item.type === 'function' && item.stateMutability !== 'view' ? [item.name] : [],
  )
  expect(writing.toSorted()).toEqual([
    'acceptOwnership',
    'joinStake',
    'pauseJoins',
    'release',
    'transferOwnership',
    'unpauseJoins',
  ])
})

test('only the owner can pause joins', async () => {
  const { staking } = system
  const paused = () => chain.client.readContract({ ...staking, functionName: 'paused' })
  for (const caller of [STRANGER, OPERATOR]) {
    for (const action of ['pauseJoins', 'unpauseJoins'] as const) {
      const refusal = await refusalOf(() => chain.send(caller, staking, action, []), stakingAbi)
      expect(refusal).toEqual(['OwnableUnauthorizedAccount', caller])
    }
  }
  const act = (action: 'pauseJoins' | 'unpauseJoins') => chain.send(OWNER, staking, action, [])
  expect(await refusalOf(() => act('unpauseJoins'), stakingAbi)).toEqual(['ExpectedPause'])
  await act('pauseJoins')
  expect(await paused()).toBe(true)
  expect(await refusalOf(() => act('pauseJoins'), stakingAbi)).toEqual(['EnforcedPause'])
  await act('unpauseJoins')
  expect(await paused()).toBe(false)
})

test('ownership is transferred in two steps and cannot be renounced', async () => {
  const { staking } = system
  const owner = () => chain.client.readContract({ ...staking, functionName: 'owner' })
  const renounce = (caller: Address) => () => chain.send(caller, staking, 'renounceOwnership', [])
  const unauthorized = ['OwnableUnauthorizedAccount', STRANGER]
  expect(await refusalOf(renounce(STRANGER), stakingAbi)).toEqual(unauthorized)
  const refusal = await refusalOf(renounce(OWNER), stakingAbi)
  expect(refusal).toEqual(['Staking_OwnershipNotRenounceable'])
  await chain.send(OWNER, staking, 'transferOwnership', [ALICE])
  expect(await owner()).toBe(OWNER)
  const accept = (caller: Address) => () => chain.send(caller, staking, 'acceptOwnership', [])
  expect(await refusalOf(accept(STRANGER), stakingAbi)).toEqual(unauthorized)
  await accept(ALICE)()
  expect(await owner()).toBe(ALICE)
})
