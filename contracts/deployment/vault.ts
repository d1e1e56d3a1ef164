import { createEvmClient, type EvmNode } from '@dct/chain-clients'
import { encodeCall, evmSigner } from '@dct/chain-clients/senders/index'
import type { DigestSigner } from '@dct/chain-clients/signers/index'
import { payoutVaultAbi } from '@dct/contract-abi'
import { isCodeOf, payoutVaultBytecode, payoutVaultRuntime } from '@dct/contract-abi/bytecode'
import {
  decodeFunctionResult,
  encodeAbiParameters,
  getContractAddress,
  type Hex,
  hexToBytes,
} from 'viem'
import { StepFailed } from './run-deployment.ts'

/** The inputs of a vault's deployment on BSC. They never change; addresses are 20 bytes as lower-case hex. */
export type VaultInputs = {
  chainId: number
  /** Pays for the deployment; worthless afterwards. */
  deployer: Hex
  usdt: Hex
  /** The cold wallet that replaces the operator, sets the limit, pauses and withdraws. */
  owner: Hex
  /** The server's key on BSC. */
  operator: Hex
  /** Base units of USDT, as a decimal number. */
  dailyLimit: string
}

/** A signed creation of the vault; it is stored before it is sent. */
export type VaultAttempt = {
  hash: Hex
  raw: Hex
  nonce: number
  address: Hex
  /** `replaced`: another transaction of the deployer took its nonce, so it can never be included. */
  outcome?: 'replaced' | { block: number; feeWei: string; failure: string | null }
}
export type VaultState = { version: 1; inputs: VaultInputs; attempts: VaultAttempt[] }

export type VaultDeps = {
  node: EvmNode
  signer: DigestSigner
  /** Stores the state. When it returns, the state must survive a power failure. */
  save(state: VaultState): void
  /** Waits until it makes sense to query the node again. */
  wait(): Promise<void>
  report(line: string): void
}

export type DeployedVault = { vault: Hex; startBlock: number }

/** What the creation may use. Measured: 1,773,000; unused gas is not paid for. */
export const VAULT_GAS = 2_300_000n

export function connectBscNode(options: { url: string; timeoutMs: number }): EvmNode {
  return createEvmClient(options)
}

/**
 * Deploys the vault that referral payouts leave from, from any point of an earlier run: one transaction, stored before
 * it is sent and followed to its end, then the code and every value of the constructor are compared.
 * @throws StepFailed when the transaction failed; the next run signs a new one
 */
export async function deployVault(deps: VaultDeps, state: VaultState): Promise<DeployedVault> {
  for (;;) {
    const attempt = await openAttempt(deps, state)
    const receipt = await deps.node.receipt(attempt.hash)
    if (receipt.kind === 'final') {
      const { blockNumber, fee, failure } = receipt
      attempt.outcome = { block: Number(blockNumber), feeWei: `${fee}`, failure }
      deps.save(state)
      if (failure !== null) throw new StepFailed(`The creation of the vault failed: ${failure}.`)
      await requireVault(deps.node, state.inputs, attempt.address)
      return { vault: attempt.address, startBlock: Number(blockNumber) }
    }
    if (receipt.kind === 'unknown') await sendAgain(deps, state, attempt)
    await deps.wait()
  }
}

/** The address that a state's vault was deployed to. @throws Error if it is not deployed yet */
export function vaultOf({ attempts }: VaultState): Hex {
  const last = attempts.at(-1)
  if (last === undefined || !isDone(last)) throw new Error('The vault is not deployed yet.')
  return last.address
}

/**
 * Compares a deployed vault with what this repository builds and with its inputs.
 * @throws Error that states the first difference
 */
export async function requireVault(node: EvmNode, inputs: VaultInputs, vault: Hex): Promise<void> {
  if (!isCodeOf(await node.code(vault), payoutVaultRuntime)) {
    throw new Error(`The code at ${vault} is not PayoutVault as this repository builds it.`)
  }
  const expected = [
    ['token', inputs.usdt],
    ['owner', inputs.owner],
    ['operator', inputs.operator],
    ['dailyLimit', inputs.dailyLimit],
  ] as const
  const calls = expected.map(([view]) => ({
    to: vault,
    data: encodeCall(payoutVaultAbi, view, []),
  }))
  const { results } = await node.finalCall(calls)
  expected.forEach(([view, wanted], at) => {
    const data = results[at] ?? '0x'
    const value = decodeFunctionResult({ abi: payoutVaultAbi, functionName: view, data })
    const found = `${value}`.toLowerCase()
    if (found !== wanted) throw new Error(`${view}() of ${vault} is ${found}, not ${wanted}.`)
  })
}

/** The constructor's arguments, ABI-encoded, as explorers ask for them. */
export function vaultArguments({ usdt, owner, operator, dailyLimit }: VaultInputs): Hex {
  const inputs = payoutVaultAbi.find((item) => item.type === 'constructor')?.inputs ?? []
  return encodeAbiParameters(inputs, [usdt, owner, operator, BigInt(dailyLimit)])
}

/** The attempt to follow: the last one, or a new one where there is none or it can no longer succeed. */
async function openAttempt(deps: VaultDeps, state: VaultState): Promise<VaultAttempt> {
  const last = state.attempts.at(-1)
  if (last !== undefined && (last.outcome === undefined || isDone(last))) return last
  const { node, signer } = deps
  const { deployer, chainId } = state.inputs
  const nonce = await node.nonceOf(deployer, 'latest')
  const data: Hex = `${payoutVaultBytecode}${vaultArguments(state.inputs).slice(2)}`
  const gasPrice = await node.gasPrice()
  const signed = await evmSigner(signer, chainId).sign({ data, gas: VAULT_GAS, gasPrice, nonce })
  const address = getContractAddress({ from: deployer, nonce: BigInt(nonce) }).toLowerCase() as Hex
  const raw: Hex = `0x${Buffer.from(signed.raw).toString('hex')}`
  const attempt: VaultAttempt = { hash: signed.hash, raw, nonce, address }
  state.attempts.push(attempt)
  deps.save(state)
  deps.report(`deploy PayoutVault: ${signed.hash}`)
  return attempt
}

function isDone({ outcome }: VaultAttempt): boolean {
  return typeof outcome === 'object' && outcome.failure === null
}

/** Sends the stored bytes, unless the final chain proves that they can never be included. */
async function sendAgain(deps: VaultDeps, state: VaultState, attempt: VaultAttempt): Promise<void> {
  const { node, save, report } = deps
  const isTaken = (await node.nonceOf(state.inputs.deployer, 'final')) > attempt.nonce
  // Whoever took the nonce is final now; asked again, so that it is not the attempt itself.
  if (isTaken && (await node.receipt(attempt.hash)).kind === 'unknown') {
    attempt.outcome = 'replaced'
    return save(state)
  }
  const answer = await node.broadcast(hexToBytes(attempt.raw))
  if (!answer.isAccepted) report(`not accepted yet: ${answer.detail}`)
}
