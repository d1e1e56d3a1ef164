import { devTokenAbi } from '@dct/contract-abi'
import { type Address, type Hex, parseAbi } from 'viem'
import { type Artifact, compileContract } from '../../scripts/solidity.ts'
import type { Chain } from './chain.ts'
import { OWNER, type Token } from './system.ts'

export const hostileTokenAbi = parseAbi([
  'function behave(uint8 behaviour)',
  'function arm(address target, bytes data)',
  'function reentry() view returns (bool succeeded, bytes result)',
  'error HostileToken_Stuck()',
])

/** In the order of the contract's enum. */
const BEHAVIOURS = [
  'honest',
  'mute',
  'denies',
  'lies',
  'taxesReceiver',
  'taxesSender',
  'stuck',
  'reenters',
] as const
export type Behaviour = (typeof BEHAVIOURS)[number]

let compiled: Artifact | undefined

/** Deploys a token that behaves well until `setTokenBehaviour`; anybody can mint it. */
export async function deployHostileToken(chain: Chain, decimals = 6): Promise<Token> {
  compiled ??= compileContract('test-contracts/HostileToken.sol')
  const { abi, bytecode } = compiled
  const { address } = await chain.deploy(OWNER, { abi, bytecode, args: [decimals] })
  return { address, abi: devTokenAbi }
}

export async function setTokenBehaviour(
  chain: Chain,
  token: Token,
  behaviour: Behaviour,
): Promise<void> {
  const contract = { address: token.address, abi: hostileTokenAbi }
  await chain.send(OWNER, contract, 'behave', [BEHAVIOURS.indexOf(behaviour)])
}

/** Makes the token call `target` with `data` during every transfer. */
export async function armToken(chain: Chain, token: Token, target: Address, data: Hex) {
  const contract = { address: token.address, abi: hostileTokenAbi }
  await chain.send(OWNER, contract, 'arm', [target, data])
  await setTokenBehaviour(chain, token, 'reenters')
}

/** The outcome of the armed call. */
export async function reentryOf(
  chain: Chain,
  token: Token,
): Promise<{ succeeded: boolean; result: Hex }> {
  const [succeeded, result] = await chain.client.readContract({
    address: token.address,
    abi: hostileTokenAbi,
    functionName: 'reentry',
  })
  return { succeeded, result }
}
