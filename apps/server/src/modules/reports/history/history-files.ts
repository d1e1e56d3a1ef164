import { type HistoryFormat, HistoryItem } from '@dct/api-contract/history'
import { type TProperties, Type } from 'typebox'

type Row = Readonly<Record<string, string>>
/** A kind of file: its columns, its rows, and whether it is meant for spreadsheets or for a tax program. */
type HistoryFile = {
  row: { properties: TProperties }
  /** Tax programs read payments only: what the holder's wallets received and sent. */
  isOfPayments: boolean
  describe(item: HistoryItem, brand: string): Readonly<Record<string, unknown>>
}

const columnsOf = (...names: string[]) =>
  Type.Object(Object.fromEntries(names.map((name) => [name, Type.String()])))

/** Koinly does not know DCT: the holder maps this placeholder to the token once. */
const KOINLY_CURRENCY = { DCT: 'NULL1', USDT: 'USDT' } as const

/** How each payment is labelled: locked capital still belongs to the holder, and is neither income nor a sale. */
const LABELS: Readonly<Record<string, { koinly: string; coinTracking: string; text: string }>> = {
  capital_locked: { koinly: 'add to pool', coinTracking: 'Withdrawal', text: 'DCT locked' },
  capital_returned: { koinly: 'remove from pool', coinTracking: 'Deposit', text: 'DCT returned' },
  reward_sent: { koinly: 'reward', coinTracking: 'Staking', text: 'Reward' },
  fee_paid: { koinly: 'cost', coinTracking: 'Other Fee', text: 'Fee of a claim' },
  referral_claim_paid: {
    koinly: 'reward',
    coinTracking: 'Reward / Bonus',
    text: 'Referral reward',
  },
}

/** The fields of a payment that both programs receive. */
function paymentOf(item: HistoryItem) {
  const label = LABELS[item.kind]
  if (label === undefined || item.asset === null || item.amount === null) {
    throw new Error(`${item.kind} is not a payment`)
  }
  const details = [item.earning_plan_code, item.code_claim].filter((one) => one !== null)
  return {
    label,
    asset: item.asset,
    amount: item.amount,
    isReceived: item.direction === 'in',
    /** "2026-01-31 17:00:00", in UTC. */
    time: item.at.slice(0, 19).replace('T', ' '),
    text: [label.text, ...details].join(' '),
    txHash: item.tx_hash ?? '',
  }
}

function koinlyRow(item: HistoryItem): Row {
  const { label, asset, amount, isReceived, time, text, txHash } = paymentOf(item)
  const side = isReceived ? 'Received' : 'Sent'
  return {
    Date: `${time} UTC`,
    [`${side} Amount`]: amount,
    [`${side} Currency`]: KOINLY_CURRENCY[asset],
    Label: label.koinly,
    Description: text,
    TxHash: txHash,
  }
}

function coinTrackingRow(item: HistoryItem, brand: string): Row {
  const { label, asset, amount, isReceived, time, text, txHash } = paymentOf(item)
  const side = isReceived ? 'Buy' : 'Sell'
  return {
    Type: label.coinTracking,
    [`${side} Amount`]: amount,
    [`${side} Currency`]: asset,
    Exchange: brand,
    Comment: text,
    Date: time,
    'Tx-ID': txHash,
  }
}

/** The formats in which a history can be downloaded. The programs require exactly these headers. */
export const HISTORY_FILES: Readonly<Record<HistoryFormat, HistoryFile>> = {
  csv: { row: HistoryItem, isOfPayments: false, describe: (item) => item },
  koinly: {
    isOfPayments: true,
    row: columnsOf(
      ...['Date', 'Sent Amount', 'Sent Currency', 'Received Amount', 'Received Currency'],
      ...['Fee Amount', 'Fee Currency', 'Net Worth Amount', 'Net Worth Currency'],
      ...['Label', 'Description', 'TxHash'],
    ),
    describe: koinlyRow,
  },
  cointracking: {
    isOfPayments: true,
    row: columnsOf(
      ...['Type', 'Buy Amount', 'Buy Currency', 'Sell Amount', 'Sell Currency', 'Fee'],
      ...['Fee Currency', 'Exchange', 'Trade-Group', 'Comment', 'Date', 'Tx-ID'],
      ...['Buy Value in Account Currency', 'Sell Value in Account Currency', 'Liquidity pool'],
    ),
    describe: coinTrackingRow,
  },
}
