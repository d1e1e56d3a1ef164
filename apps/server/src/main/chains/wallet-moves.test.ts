import { encodeCall } from '@dct/chain-clients/senders/index'
import { payoutVaultAbi } from '@dct/contract-abi'
import { useChainHost } from '@dct/devnet/chains/testing/test-host'
import type { Hex } from 'viem'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { exitCodeOf, runAudit } from '../../modules/audit/index.ts'
import { bytesOf, type ChainEvent } from '../../modules/chain/index.ts'
import { account, balanceOf, postTransfers } from '../../modules/ledger/index.ts'
import { realClock } from '../../platform/clock.ts'
import { inTransaction } from '../../platform/database/db.ts'
import { everything } from '../../testing/all-tables.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { settingsOf } from '../../testing/host-settings.ts'
import { callBsc, emptyAccount, mintUsdt, sendUsdt, usdtOf } from '../../testing/sender-chains.ts'
import { readConfig } from '../config.ts'
import { type Context, createContext } from '../context.ts'
import { watcherLoops } from '../loops/loops.ts'
import { watchedChains } from './streams.ts'

const host = useChainHost()
const [receiver, middleReceiver] = [emptyAccount(), emptyAccount()]
const [nextReceiver, owner] = [emptyAccount(), emptyAccount()]
let database: TestDatabase
let startBlock = 0
/** The initial balance of a devnet's vault. */
let fromTheStart = 0n
let contexts: Context[] = []

/** Creates balances from before the first watched block: 50 more in the vault, and 20 at the receiver. */
beforeAll(async () => {
  database = await createTestDatabase()
  const { payoutVault } = host().deployment.bsc
  fromTheStart = await usdtOf(host(), payoutVault)
  await mintUsdt(host(), payoutVault, 50n)
  await mintUsdt(host(), receiver.address, 20n)
  await host().control.faucet({ bscAddress: receiver.address as Hex, bnb: '1' })
  await host().control.finalize()
  const { bsc } = await host().control.info()
  startBlock = bsc.final.number + 1
})
afterEach(async () => {
  for (const context of contexts) await context.close()
  contexts = []
})
afterAll(() => database?.drop())

async function start(changes: Record<string, string> = {}): Promise<Context> {
  const settings = { ...settingsOf(host(), database.settings), LOG_LEVEL: 'silent' }
  const at = { BSC_START_BLOCK: `${startBlock}`, BSC_RECEIVER: receiver.address }
  const context = await createContext(readConfig({ ...settings, ...at, ...changes }))
  contexts.push(context)
  return context
}

const held = async (name: 'feeReceiver' | 'payoutWallet') => {
  const booked = await balanceOf(database.db, { asset: 'USDT', account: account[name] })
  return name === 'payoutWallet' ? booked - fromTheStart : booked
}

/** Reads everything final and runs an audit; returns the names of the checks that found differences. */
async function audit(context: Context) {
  await host().control.pauseMining()
  try {
    await host().control.finalize()
    const watchers = watcherLoops(context).filter(({ name }) => name.startsWith('watcher'))
    for (const watcher of watchers) while (!(await watcher.step()));
    const report = await runAudit({ ...context, ...context.chains }, { full: true })
    const differing = report.outcomes.filter(({ differences }) => differences.length > 0)
    return { exitCode: exitCodeOf(report), differing: differing.map(({ name }) => name) }
  } finally {
    await host().control.resumeMining()
  }
}

const GREEN = { exitCode: 0, differing: [] }

/** Calls the vault as its owner. */
async function withdraw(to: Hex, amount: bigint) {
  const { owner: key } = host().serviceKeys
  const data = encodeCall(payoutVaultAbi, 'withdraw', [to, amount])
  await callBsc(host(), key.bscPrivateKey, { to: host().deployment.bsc.payoutVault, data })
}

test('balances from before the first block are booked as the owner’s, and payouts may spend them', async () => {
  const context = await start()
  expect(await audit(context)).toEqual(GREEN)
  expect([await held('payoutWallet'), await held('feeReceiver')]).toEqual([50n, 20n])
  await withdraw(owner.address, 30n)
  expect(await audit(context)).toEqual(GREEN)
  expect(await held('payoutWallet')).toBe(20n)
})

test('top-ups, withdrawals and a change of the receiver are booked, and former receivers remain watched', async () => {
  const before = await start()
  const { payoutVault } = host().deployment.bsc
  await mintUsdt(host(), payoutVault, 5n)
  await sendUsdt(host(), receiver.privateKey, { to: owner.address, amount: 7n })
  expect(await audit(before)).toEqual(GREEN)
  expect([await held('payoutWallet'), await held('feeReceiver')]).toEqual([25n, 13n])

  await mintUsdt(host(), nextReceiver.address, 2n)
  // The watcher skipped this transfer, because it did not watch the address yet.
  expect(await audit(before)).toEqual(GREEN)
  const after = await start({ BSC_RECEIVER: nextReceiver.address })
  expect(await audit(after)).toEqual(GREEN)
  expect([await held('payoutWallet'), await held('feeReceiver')]).toEqual([25n, 15n])

  // What moves between the vault and a receiver is nobody else's.
  await withdraw(nextReceiver.address, 3n)
  await sendUsdt(host(), receiver.privateKey, { to: payoutVault as Hex, amount: 6n })
  await sendUsdt(host(), receiver.privateKey, { to: owner.address, amount: 7n })
  await mintUsdt(host(), receiver.address, 1n)
  expect(await audit(after)).toEqual(GREEN)
  expect([await held('payoutWallet'), await held('feeReceiver')]).toEqual([28n, 6n])
  // Even a process started before the change sees the new address.
  await mintUsdt(host(), nextReceiver.address, 4n)
  expect(await audit(before)).toEqual(GREEN)
  expect(await held('feeReceiver')).toBe(10n)
})

test('what reached a receiver that the books do not know is booked once the settings name it as a former one', async () => {
  const before = await start({ BSC_RECEIVER: nextReceiver.address })
  expect(await audit(before)).toEqual(GREEN)
  const known = await held('feeReceiver')
  await mintUsdt(host(), middleReceiver.address, 2n)
  expect(await audit(before)).toEqual(GREEN)
  expect(await held('feeReceiver')).toBe(known)
  const former = [middleReceiver.address, receiver.address]
  const after = await start({ BSC_RECEIVER: [nextReceiver.address, ...former].join(', ') })
  expect(await audit(after)).toEqual(GREEN)
  await mintUsdt(host(), middleReceiver.address, 1n)
  expect(await audit(after)).toEqual(GREEN)
  expect(await held('feeReceiver')).toBe(known + 3n)
})

test('a transfer that the opening balance already includes is deducted from it when found', async () => {
  const context = await start()
  const usdt = watchedChains(context).find(({ chain }) => chain === 'BSC')?.streams[0]
  const before = await held('feeReceiver')
  const event: ChainEvent = {
    chain: 'BSC',
    txHash: Buffer.alloc(32, 9),
    logIndex: 0,
    blockNumber: BigInt(startBlock),
    blockHash: Buffer.alloc(32, 9),
    blockTime: realClock.now(),
    address: bytesOf(context.chains.bsc.usdt),
    name: 'Transfer',
    args: { from: owner.address, to: receiver.address, value: '4' },
  }
  await inTransaction(database.db, async (tx) => usdt?.handle(tx, event))
  expect(await held('feeReceiver')).toBe(before)
  const receipt = everything(database.db)
    .selectFrom('usdt_receipt')
    .select(['amount', 'state'])
    .where('tx_hash', '=', event.txHash)
  expect(await receipt.execute()).toEqual([{ amount: 4n, state: 'dust' }])
  expect(await audit(context)).toEqual(GREEN)
})

test('an address never changes its role: otherwise fees would be paid out again unnoticed', async () => {
  const { payoutVault } = host().deployment.bsc
  await expect(start({ BSC_RECEIVER: payoutVault })).rejects.toThrow(
    'BSC_PAYOUT_VAULT is not valid: it must differ from BSC_RECEIVER',
  )
})

test('an unexplained difference in either direction raises an alarm and holds the vault’s payouts', async () => {
  const context = await start({ BSC_RECEIVER: nextReceiver.address })
  const move = (name: 'feeReceiver' | 'payoutWallet', ref: string, isMore: boolean) =>
    inTransaction(database.db, (tx) =>
      postTransfers(tx, [
        {
          debit: isMore ? account[name] : account.owner,
          credit: isMore ? account.owner : account[name],
          asset: 'USDT',
          amount: 1n,
          kind: 'test.wrong',
          ref,
          at: realClock.now(),
        },
      ]),
    )
  const check = 'USDT wallets match the books'
  const halts = () => database.db.selectFrom('payout_halt').select(['kind', 'scope']).execute()
  await move('payoutWallet', '1', true)
  expect(await audit(context)).toEqual({ exitCode: 1, differing: [check] })
  expect(await halts()).toEqual([{ kind: 'chain', scope: 'BSC' }])
  await move('payoutWallet', '2', false)
  await move('payoutWallet', '3', false)
  expect(await audit(context)).toEqual({ exitCode: 1, differing: [check] })
  await move('payoutWallet', '4', true)
  expect(await audit(context)).toEqual(GREEN)
  expect(await halts()).toEqual([])
})
