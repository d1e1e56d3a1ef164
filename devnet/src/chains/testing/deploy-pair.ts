import { devTokenAbi } from '@dct/contract-abi'
import { devTokenBytecode } from '@dct/contract-abi/bytecode'
import { compileSolidity } from '@dct/contracts/compile'
import type { Hex } from 'viem'
import type { ChainHost } from '../chain-host.ts'
import { createTronWallet } from '../setup/tron-wallet.ts'
import { fromBase58, toEvm } from '../tron/address.ts'

/** A trading pair on the development chain: DCT and a test USDT with 6 decimals. */
export type TestPair = {
  address: string
  usdt: string
  /** Pays in `amount` base units of one token and takes out the other one, as any trader does. */
  trade(paid: 'DCT' | 'USDT', amount: bigint): Promise<void>
}

/** Deploys a pair and provides its liquidity, in base units. */
export async function deployPair(
  host: ChainHost,
  liquidity: { dct: bigint; usdt: bigint },
): Promise<TestPair> {
  const { owner } = host.serviceKeys
  const wallet = await createTronWallet(host.tronUrl, owner)
  const ownerHex = hexOf(owner.tronAddress)
  const usdt = await wallet.deploy({
    ...{ name: 'DevToken', abi: devTokenAbi, bytecode: devTokenBytecode },
    constructorArgs: [ownerHex],
  })
  const dct = host.deployment.tron.token
  const artifact = compileSolidity(['test-contracts/TestPair.sol']).get('TestPair')
  if (artifact === undefined) throw new Error('the pair was not compiled')
  const { abi, bytecode } = artifact
  const address = await wallet.deploy({
    ...{ name: 'TestPair', abi, bytecode },
    constructorArgs: [hexOf(dct), hexOf(usdt)],
  })
  const reserves = { DCT: liquidity.dct, USDT: liquidity.usdt }
  const put = (token: string, amount: bigint) =>
    wallet.call({
      ...{ contract: token, abi: devTokenAbi, functionName: 'mint' },
      args: [hexOf(address), amount],
    })
  await put(dct, liquidity.dct)
  await put(usdt, liquidity.usdt)
  await wallet.call({ contract: address, abi, functionName: 'sync', args: [] })
  return {
    ...{ address, usdt },
    async trade(paid, amount) {
      const taken = paid === 'DCT' ? 'USDT' : 'DCT'
      const product = reserves.DCT * reserves.USDT
      reserves[paid] += amount
      const left = product / reserves[paid] + 1n
      const out = reserves[taken] - left
      reserves[taken] = left
      await put(paid === 'DCT' ? dct : usdt, amount)
      const args = taken === 'DCT' ? [out, 0n, ownerHex] : [0n, out, ownerHex]
      await wallet.call({ contract: address, abi, functionName: 'swap', args })
    },
  }
}

function hexOf(address: string): Hex {
  const found = fromBase58(address)
  if (found === undefined) throw new RangeError(`${address} is not a Tron address`)
  return toEvm(found)
}
