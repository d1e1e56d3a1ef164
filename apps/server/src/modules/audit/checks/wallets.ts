import type { BlockRef, ChainReader } from '@dct/chain-clients'
import { tokenAbi } from '@dct/contract-abi'
import { sql } from 'kysely'
import { encodeFunctionData, type Hex } from 'viem'
import type { DbOrTx } from '../../../platform/database/db.ts'
import type { OwnAddresses } from '../../chain/index.ts'
import { type CheckResult, compareAll } from '../audit-check.ts'

export type WalletsDeps = {
  bsc: { reader: ChainReader; usdt: Hex; receiver: Hex; vault: Hex }
}

export const WALLET_ROLES = ['fee_receiver', 'payout_wallet'] as const
export type WalletRole = (typeof WALLET_ROLES)[number]

/** The USDT balances of our addresses at one final block. */
export type WalletState = {
  at: BlockRef
  holdings: readonly { role: WalletRole; address: Hex; amount: bigint }[]
}

/** Reads the USDT balances of the current fee receiver and of the vault. */
export async function readWallets({ bsc }: WalletsDeps) {
  const { at, holdings } = await readHoldings(
    { bsc },
    { fee_receiver: [bsc.receiver], payout_wallet: [bsc.vault] },
  )
  const [receiverHolds = 0n, vaultHolds = 0n] = holdings.map(({ amount }) => amount)
  return { at, receiverHolds, vaultHolds }
}

/** Reads the USDT balances of these addresses. */
export async function readHoldings(
  { bsc }: WalletsDeps,
  own: Pick<OwnAddresses, WalletRole>,
): Promise<WalletState> {
  const places = WALLET_ROLES.flatMap((role) => own[role].map((address) => ({ role, address })))
  const calls = places.map(({ address }) => ({ to: bsc.usdt, data: balanceCall(address) }))
  const { at, results } = await bsc.reader.finalCall(calls)
  const holdings = places.map((place, index) => ({ ...place, amount: BigInt(results[index] ?? 0) }))
  return { at, holdings }
}

export function balanceCall(owner: Hex): Hex {
  return encodeFunctionData({ abi: tokenAbi, functionName: 'balanceOf', args: [owner] })
}

/**
 * Compares each account with the balances of all its addresses, former ones included. From the opening balance on,
 * every transfer is booked, so a surplus is a difference as well as a shortfall.
 */
export async function walletBalances(db: DbOrTx, wallets: WalletState): Promise<CheckResult> {
  const { rows } = await sql<{ role: WalletRole; booked: bigint; unopened: bigint }>`
    select role,
      (select coalesce(sum(debits - credits), 0) from ledger_account_view
        where asset = 'USDT' and code = role) as booked,
      (select count(*) from own_address_view o where o.role = roles.role and not exists (
        select from wallet_opening w where w.address = o.address)) as unopened
    from unnest(${[...WALLET_ROLES]}::text[]) roles (role)`.execute(db)
  if (rows.some(({ unopened }) => unopened > 0n)) {
    return { compared: 0, differences: [], skipped: 'an opening balance is not booked yet' }
  }
  const figures = rows.map(({ role, booked }) => ({
    subject: role === 'fee_receiver' ? 'fee receivers' : 'vaults',
    expected: booked,
    found: wallets.holdings
      .filter((holding) => holding.role === role)
      .reduce((sum, { amount }) => sum + amount, 0n),
  }))
  return compareAll(figures, ({ subject }) =>
    subject === 'vaults' ? { kind: 'chain', chain: 'BSC' } : undefined,
  )
}
