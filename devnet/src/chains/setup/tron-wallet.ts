import type { TronWeb } from 'tronweb'
import type { Abi, Hex } from 'viem'
import { encodeAbiParameters, encodeFunctionData } from 'viem'
import { fromBase58, toBase58 } from '../tron/address.ts'
import type { KeyPair } from './keys.ts'

/** Sends transactions as any client of the gateway would. */
export type TronWallet = {
  /** @returns the contract's address, `T…` */
  deploy(contract: {
    name: string
    abi: Abi
    bytecode: Hex
    constructorArgs: readonly unknown[]
  }): Promise<string>
  /** @returns the transaction's id */
  call(call: {
    contract: string
    abi: Abi
    functionName: string
    args: readonly unknown[]
  }): Promise<string>
}

type CreateOptions = Parameters<TronWeb['transactionBuilder']['createSmartContract']>[0]
type Signed = Parameters<TronWeb['trx']['sendRawTransaction']>[0]
type Unsigned = Omit<Signed, 'signature'>

const FEE_LIMIT_SUN = 5_000_000_000

/** @param url the gateway's full host */
export async function createTronWallet(url: string, key: KeyPair): Promise<TronWallet> {
  // Loaded on demand: the package is large, and only needed for sending.
  const { TronWeb: Client } = await import('tronweb')
  const client: TronWeb = new Client({ fullHost: url, privateKey: key.tronPrivateKey })

  const include = async (unsigned: Unsigned): Promise<string> => {
    const signed = (await client.trx.sign(unsigned)) as Signed
    const reply = await client.trx.sendRawTransaction(signed)
    if (!reply.result) {
      throw new Error(`Tron refused a transaction: ${reply.code} ${client.toUtf8(reply.message)}`)
    }
    const { txID } = signed
    const info = await client.trx.getUnconfirmedTransactionInfo(txID)
    if (info.receipt?.result !== 'SUCCESS') {
      throw new Error(`transaction ${txID} ended with ${info.receipt?.result ?? 'nothing'}`)
    }
    return txID
  }

  return {
    async deploy({ name, abi, bytecode, constructorArgs }) {
      const inputs = abi.find((item) => item.type === 'constructor')?.inputs ?? []
      // TronWeb's types accept neither an ABI as text nor encoded parameters.
      const options = {
        name,
        abi: JSON.stringify(abi),
        bytecode: bytecode.slice(2),
        feeLimit: FEE_LIMIT_SUN,
        rawParameter: encodeAbiParameters(inputs, constructorArgs),
      } as unknown as CreateOptions
      const unsigned = await client.transactionBuilder.createSmartContract(options)
      await include(unsigned)
      return toBase58(unsigned.contract_address)
    },
    async call({ contract, abi, functionName, args }) {
      const data = encodeFunctionData({ abi, functionName, args })
      const { transaction } = await client.transactionBuilder.triggerSmartContract(contract, '', {
        feeLimit: FEE_LIMIT_SUN,
        input: data.slice(2),
      })
      return include(transaction)
    },
  }
}

/** Encodes a `T…` address as a contract argument: 20 bytes as hex. */
export function asArgument(address: string): Hex {
  const hex = fromBase58(address)
  if (!hex) throw new RangeError(`${address} is not a Tron address`)
  return `0x${hex.slice(2)}`
}
