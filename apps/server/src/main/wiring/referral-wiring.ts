import { encodeCall } from '@dct/chain-clients/senders/index'
import { tokenAbi } from '@dct/contract-abi'
import { formatEvmAddress } from '@dct/rules/addresses'
import { decodeFunctionResult, type Hex } from 'viem'
import type { PrepareReferralClaim } from '../../modules/auth/index.ts'
import { bytesOf } from '../../modules/chain/index.ts'
import type { CreditReferrals } from '../../modules/claims/index.ts'
import { moneySettings } from '../../modules/pricing/index.ts'
import {
  creditFee,
  prepareReferralClaim,
  type ReferralClaimRules,
} from '../../modules/referrals/index.ts'
import { requireConsent } from '../../modules/terms/index.ts'
import { invariant } from '../../platform/errors.ts'
import type { Context } from '../context.ts'
import { termsSettings } from './terms-wiring.ts'

/** The rules for referral claims: when they open, and which receivers are refused. */
export function referralClaimRules({
  db,
  clock,
  config,
  chains,
  own,
}: Context): ReferralClaimRules {
  const wallets = [...own.fee_receiver, ...own.payout_wallet, ...own.payout_operator]
  const { token, staking, rewardPool } = chains.tron
  const { usdt, vault } = chains.bsc
  return {
    clock,
    readNonDirectOpensAt: async () => (await moneySettings(db)).nonDirectOpensAt,
    ownBscAddresses: [usdt, vault, ...wallets, token, staking, rewardPool].map(bytesOf),
    vault: { address: formatEvmAddress(bytesOf(vault)), chainId: config.bsc.chainId },
  }
}

export const creditReferrals: CreditReferrals = async (tx, fee) =>
  creditFee(await moneySettings(tx), tx, fee)

export function referralClaimPreparation(context: Context): PrepareReferralClaim {
  const rules = referralClaimRules(context)
  const consent = { ...termsSettings(context), clock: context.clock }
  return async (tx, input) => {
    await requireConsent(consent, tx, input.userId)
    return prepareReferralClaim(rules, tx, input)
  }
}

/** The USDT balance of the vault at the newest final block. Throws if no node answers. */
export async function readPayoutWallet({
  chains,
}: Context): Promise<{ usdt: bigint; blockNumber: bigint }> {
  const { reader, usdt, vault } = chains.bsc
  const data: Hex = encodeCall(tokenAbi, 'balanceOf', [vault])
  const { at, results } = await reader.finalCall([{ to: usdt, data }])
  const [result] = results
  invariant(result !== undefined, 'a view call has a result')
  const balance = decodeFunctionResult({ abi: tokenAbi, functionName: 'balanceOf', data: result })
  return { usdt: balance, blockNumber: at.number }
}
