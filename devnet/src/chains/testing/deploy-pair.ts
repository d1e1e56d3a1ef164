import { devTokenAbi } from '@dct/contract-abi'
import { devTokenBytecode } from '@dct/contract-abi/bytecode'
import { compileSolidity } from '@dct/contracts/compile'
import type { ChainHost } from '../chain-host.ts'
import { asArgument, createTronWallet } from '../setup/tron-wallet.ts'

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
  const ownerHex = asArgument(owner.tronAddress)
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
    constructorArgs: [asArgument(dct), asArgument(usdt)],
  })
  const reserves = { DCT: liquidity.dct, USDT: liquidity.usdt }
  const put = (token: string, amount: bigint) =>
    wallet.call({
      ...{ contract: token, abi: devTokenAbi, functionName: 'mint' },
      args: [asArgument(address), amount],
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
