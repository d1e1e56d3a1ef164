import type { Generated } from 'kysely'
import { tablesOf } from '../../platform/database/db.ts'

export type LedgerAccountTable = {
  id: Generated<bigint>
  code: string
  asset: 'DCT' | 'USDT'
  shard: number
  side: 'credit' | 'debit' | 'free'
  is_sharded: boolean
  debits: Generated<bigint>
  credits: Generated<bigint>
}

export type LedgerTransferTable = {
  kind: string
  ref: string
  debit_id: bigint
  credit_id: bigint
  asset: 'DCT' | 'USDT'
  amount: bigint
  at: Date
}

export type LedgerTables = {
  ledger_account: LedgerAccountTable
  ledger_transfer: LedgerTransferTable
}

export const own = tablesOf<LedgerTables>()
