import type { Hex } from 'viem'
import type { Tx } from '../../../platform/database/db.ts'
import { type ChainEvent, hexOf } from '../../chain/index.ts'
import { account, postTransfers } from '../../ledger/index.ts'
import type { AccountKey } from '../accounts.queries.ts'
import { type BookDeps, bookPayment } from '../book-payment.ts'
import { kindNamed } from './vault-call.ts'

export type VaultEventDeps = BookDeps & {
  /** Current and former fee receivers. Their own handlers book what moves between them and the vault. */
  feeReceivers: readonly Hex[]
}

/** The referrer and kind of bonus that the vault's ReferralPaid paid. */
export function referrerPaid({ args }: ChainEvent): AccountKey {
  return { chain: 'BSC', holder: args.account as Hex, name: kindNamed(Number(args.kind)) }
}

/** Handles an event of the vault: a payment to a referrer, or a withdrawal by the owner. */
export async function onVaultEvent(deps: VaultEventDeps, tx: Tx, event: ChainEvent): Promise<void> {
  const to = event.args.to as Hex
  const amount = BigInt(event.args.amount ?? 0)
  if (event.name === 'ReferralPaid') {
    await bookPayment(deps, tx, {
      ...placeOf(event),
      account: referrerPaid(event),
      from: hexOf(event.address),
      ...{ to, amount },
      total: BigInt(event.args.total ?? 0),
    })
  }
  const isMovedWithin = to === hexOf(event.address) || deps.feeReceivers.includes(to)
  if (event.name === 'Withdrawn' && !isMovedWithin) {
    await bookMove(tx, event, { debit: account.owner, credit: account.payoutWallet, amount })
  }
}

type OurWallets = { vaults: readonly Hex[]; feeReceivers: readonly Hex[] }

/** Whether a Transfer of USDT left the vault for good. The vault's own event of it is booked, not the transfer. */
export function hasLeftVault({ vaults, feeReceivers }: OurWallets, { args }: ChainEvent): boolean {
  const [from, to] = [args.from as Hex, args.to as Hex]
  return vaults.includes(from) && !vaults.includes(to) && !feeReceivers.includes(to)
}

/** Handles a Transfer of USDT that fills the vault up. */
export async function onVaultFilled(
  { vaults, feeReceivers }: OurWallets,
  tx: Tx,
  event: ChainEvent,
): Promise<void> {
  const [from, to] = [event.args.from as Hex, event.args.to as Hex]
  const amount = BigInt(event.args.value ?? 0)
  if (amount === 0n || !vaults.includes(to) || vaults.includes(from)) return
  const credit = feeReceivers.includes(from) ? account.feeReceiver : account.owner
  await bookMove(tx, event, { debit: account.payoutWallet, credit, amount })
}

async function bookMove(
  tx: Tx,
  event: ChainEvent,
  move: Pick<Parameters<typeof postTransfers>[1][number], 'debit' | 'credit' | 'amount'>,
): Promise<void> {
  const kind =
    move.debit === account.payoutWallet ? 'payout_wallet.topped_up' : 'payout_wallet.withdrawn'
  await postTransfers(tx, [
    {
      ...move,
      ...{ asset: 'USDT', kind, at: event.blockTime },
      ref: `${hexOf(event.txHash)}:${event.logIndex}`,
    },
  ])
}

function placeOf({ txHash, logIndex, blockNumber, blockTime }: ChainEvent) {
  return { txHash: hexOf(txHash), logIndex, blockNumber, blockTime }
}
