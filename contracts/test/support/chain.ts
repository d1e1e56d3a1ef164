import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startAnvil } from '@dct/local-services'
import {
  type Abi,
  type Address,
  type ContractFunctionArgs,
  type ContractFunctionName,
  createTestClient,
  decodeErrorResult,
  encodeDeployData,
  encodeFunctionData,
  formatTransactionReceipt,
  getAddress,
  type Hex,
  http,
  isAddressEqual,
  keccak256,
  type Log,
  publicActions,
  type RpcTransactionReceipt,
  toHex,
} from 'viem'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { EVM_VERSION } from '../../scripts/solidity.ts'

/** More than any test's call needs, and less than the block gas limit. */
const GAS = 2_000_000_000n

export type Contract<A extends Abi = Abi> = { readonly address: Address; readonly abi: A }
export type Chain = Awaited<ReturnType<typeof startChain>>

/** Thrown for a transaction that was mined but reverted. */
export class Reverted extends Error {
  override name = 'Reverted'
  readonly data: Hex
  constructor(data: Hex) {
    super(`reverted with ${data}`)
    this.data = data
  }
}

/** Starts a separate chain on the hardfork that the contracts target: free gas, any sender, no keys. */
export async function startChain() {
  const dir = mkdtempSync(join(tmpdir(), 'dct-contracts-'))
  const flags = `--hardfork ${EVM_VERSION} --base-fee 0 --gas-price 0 --auto-impersonate --prune-history 64`
  const limits = `--gas-limit ${4n * GAS} --accounts 1`
  const anvil = await startAnvil({ chainId: 31337, dir, args: `${flags} ${limits}`.split(' ') })
  const client = createTestClient({ mode: 'anvil', transport: http(anvil.url) }).extend(
    publicActions,
  )
  const request = (method: string, params: unknown[]): Promise<unknown> =>
    client.request({ method, params } as never)

  async function execute(transaction: { from: Address; to?: Address; data: Hex }) {
    // Anvil returns the receipt once the transaction is mined.
    const mined = (await request('eth_sendTransactionSync', [
      { ...transaction, gas: toHex(GAS), gasPrice: '0x0' },
    ])) as RpcTransactionReceipt
    const receipt = formatTransactionReceipt(mined)
    if (receipt.status === 'success') return receipt
    const trace = (await request('debug_traceTransaction', [
      receipt.transactionHash,
      { tracer: 'callTracer' },
    ])) as {
      output?: Hex
    }
    throw new Reverted(trace.output ?? '0x')
  }

  return {
    client,
    /** Deploys a contract from `from`. */
    async deploy<const A extends Abi>(
      from: Address,
      contract: { abi: A; bytecode: Hex; args: readonly unknown[] },
    ) {
      const data = encodeDeployData(contract as never)
      const { contractAddress } = await execute({ from, data })
      if (!contractAddress) throw new Error('nothing was deployed')
      return { address: getAddress(contractAddress), abi: contract.abi } as Contract<A>
    },
    /** Mines one call from `from`. @throws Reverted */
    async send<const A extends Abi, N extends ContractFunctionName<A, 'nonpayable' | 'view'>>(
      from: Address,
      contract: Contract<A>,
      functionName: N,
      args: ContractFunctionArgs<A, 'nonpayable' | 'view', N>,
    ) {
      const data = encodeFunctionData({ abi: contract.abi, functionName, args } as never)
      return execute({ from, to: contract.address, data })
    },
    /** Mines a call with manually encoded data. */
    sendRaw: (from: Address, to: Address, data: Hex) => execute({ from, to, data }),
    /** The timestamp of the newest block, in seconds. */
    async now() {
      return (await client.getBlock()).timestamp
    },
    /** Sets the timestamp of the next block, in seconds. */
    async at(timestamp: bigint) {
      await client.setNextBlockTimestamp({ timestamp })
    },
    snapshot: () => client.snapshot(),
    revertTo: (id: Hex) => client.revert({ id }),
    async stop() {
      await anvil.stop()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

/** Starts a chain before the tests of a file and prepares it once. Each test begins in the prepared state. */
export function useChain(prepare: (chain: Chain) => Promise<void>): void {
  let chain: Chain
  let prepared: Hex
  beforeAll(async () => {
    chain = await startChain()
    await prepare(chain)
    prepared = await chain.snapshot()
  })
  beforeEach(async () => {
    await chain.revertTo(prepared)
    prepared = await chain.snapshot()
  })
  afterAll(() => chain?.stop())
}

/** Returns the error of a refused call as `[name, ...args]`. Throws if the call succeeds. */
export async function refusalOf(call: () => Promise<unknown>, abi: Abi): Promise<unknown[]> {
  try {
    await call()
  } catch (error) {
    if (!(error instanceof Reverted)) throw error
    const decoded = decodeErrorResult({ abi, data: error.data })
    return [decoded.errorName, ...((decoded.args ?? []) as unknown[])]
  }
  throw new Error('the call succeeded')
}

/** Derives a fixed address from a name. */
export function addressOf(name: string): Address {
  return getAddress(`0x${keccak256(toHex(name)).slice(-40)}`)
}

/** The logs that one contract emitted in a transaction. */
export function logsOf(receipt: { logs: Log[] }, contract: Contract): Log[] {
  return receipt.logs.filter((log) => isAddressEqual(log.address, contract.address))
}
