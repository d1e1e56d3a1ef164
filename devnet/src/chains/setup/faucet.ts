import { devTokenAbi, devUsdtAbi, rewardPoolAbi } from '@dct/contract-abi'
import { type Asset, parseAmount } from '@dct/money'
import type { Abi, Hex } from 'viem'
import type { Deployment } from '../core/checkpoint.ts'
import type { Engine } from '../core/engine.ts'
import { createBscWallet } from './bsc-wallet.ts'
import { DEMO_ACCOUNTS, type ServiceKeys } from './keys.ts'
import { asArgument, createTronWallet, type TronWallet } from './tron-wallet.ts'

/** Amounts are decimal strings in the asset's unit. */
export type FaucetRequest = {
  tronAddress?: string
  bscAddress?: string
  dct?: string
  trx?: string
  usdt?: string
  bnb?: string
}
export type FaucetResult = { dctTransactionId?: string; usdtTransactionHash?: string }

/**
 * Gives away development funds, created on demand. Handles one request at a time, because the owner's transactions on
 * BSC need consecutive nonces.
 */
export type Faucet = {
  /** @throws RangeError for an invalid address or amount, before anything is given */
  give(request: FaucetRequest): Promise<FaucetResult>
  /** Funds a plan with newly minted DCT from the demo admin's wallet. */
  fundPlan(plan: {
    planCode: string
    amount: string
  }): Promise<{ transactionId: string; tronAddress: string }>
}

/** The chains, their public gateways and the service's keys. */
export type Setup = { engine: Engine; urls: { tron: string; bsc: string }; keys: ServiceKeys }

export function createFaucet(setup: Setup & { deployment: Deployment }): Faucet {
  const { engine, urls, keys, deployment } = setup
  const { token, rewardPool } = deployment.tron
  let tronWallet: Promise<TronWallet> | undefined
  const bscWallet = createBscWallet(urls.bsc, keys.owner)

  const mintDct = async (to: Hex, amount: bigint) => {
    tronWallet ??= createTronWallet(urls.tron, keys.owner)
    const wallet = await tronWallet
    return wallet.call({ contract: token, ...mint(devTokenAbi, to, amount) })
  }

  return {
    async give(request) {
      const { tron, bsc, dct, trx, usdt, bnb } = readRequest(request)
      const result: FaucetResult = {}
      if (tron && trx) await engine.addBalance('tron', { address: tron, amount: trx })
      if (bsc && bnb) await engine.addBalance('bsc', { address: bsc, amount: bnb })
      if (tron && dct) result.dctTransactionId = await mintDct(tron, dct)
      if (bsc && usdt) {
        const call = mint(devUsdtAbi, bsc, usdt)
        const contract = deployment.bsc.usdt
        result.usdtTransactionHash = await bscWallet.call({ contract, ...call })
      }
      return result
    },
    async fundPlan({ planCode, amount }) {
      const admin = DEMO_ACCOUNTS.find(({ role }) => role === 'admin')
      if (!admin) throw new Error('there is no demo admin')
      const units = parseAmount('DCT', amount)
      await mintDct(asArgument(admin.tronAddress), units)
      const wallet = await createTronWallet(urls.tron, admin)
      await wallet.call({
        contract: token,
        abi: devTokenAbi,
        functionName: 'approve',
        args: [asArgument(rewardPool), units],
      })
      const transactionId = await wallet.call({
        contract: rewardPool,
        abi: rewardPoolAbi,
        functionName: 'addRewardForPlan',
        args: [planCode, units],
      })
      return { transactionId, tronAddress: admin.tronAddress }
    },
  }
}

function mint(abi: Abi, to: Hex, amount: bigint) {
  return { abi, functionName: 'mint', args: [to, amount] }
}

function readRequest(request: FaucetRequest) {
  const { tronAddress, bscAddress, dct, trx, usdt, bnb } = request
  if ((dct ?? trx) !== undefined && tronAddress === undefined) {
    throw new RangeError('DCT and TRX need a Tron address')
  }
  if ((usdt ?? bnb) !== undefined && bscAddress === undefined) {
    throw new RangeError('USDT and BNB need a BSC address')
  }
  return {
    tron: tronAddress === undefined ? undefined : asArgument(tronAddress),
    bsc: bscAddress === undefined ? undefined : readBscAddress(bscAddress),
    dct: readAmount('DCT', dct),
    trx: readAmount('TRX', trx),
    usdt: readAmount('USDT', usdt),
    bnb: readAmount('BNB', bnb),
  }
}

function readAmount(asset: Asset, text: string | undefined): bigint | undefined {
  return text === undefined ? undefined : parseAmount(asset, text)
}

function readBscAddress(text: string): Hex {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) throw new RangeError(`${text} is not a BSC address`)
  return text.toLowerCase() as Hex
}
