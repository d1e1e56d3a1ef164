import './global-buffer.ts'
import TrxModule from '@ledgerhq/hw-app-trx'
import HidModule from '@ledgerhq/hw-transport-webhid'
import { Listeners } from '../../lib/listeners.ts'
import type { Memory } from '../../lib/stored-list.ts'
import type { DeviceAccount } from '../found-wallet.ts'
import { WalletError, type WalletProblem } from '../wallet-error.ts'
import type { RemoteConnection } from './remote-wallet.ts'

/** The packages' types describe CommonJS, but the build uses their ES modules, whose default export is the class. */
const Trx = TrxModule as unknown as typeof TrxModule.default
type Trx = InstanceType<typeof Trx>
const TransportWebHid = HidModule as unknown as typeof HidModule.default

const ACCOUNT_KEY = 'ledgerAccount'
const ACCOUNTS_AT_ONCE = 5

/** The library's error for a field that exceeds one message to the device, as in calls with string arguments. */
const TOO_LONG = /Too many bytes/
/** Status words of the device and of its Tron app (its errors.h). */
const PROBLEMS: Readonly<Record<number, WalletProblem>> = {
  27013: 'rejected', // 0x6985
  21781: 'deviceClosed', // 0x5515, locked
  25873: 'deviceClosed', // 0x6511, no app is open
  27904: 'deviceClosed', // 0x6d00, another app
  28160: 'deviceClosed', // 0x6e00, another app
  27275: 'deviceSettings', // 0x6a8b
  27276: 'deviceSettings', // 0x6a8c
  27277: 'deviceSettings', // 0x6a8d
}

/** A Ledger device on USB. The chosen account is remembered, so that the device is needed only for signing. */
export function ledgerConnection(memory: Memory): RemoteConnection {
  const listeners = new Listeners()
  let account = rememberedAccount(memory)
  const withDevice = oneByOne()

  const signing = (sign: (app: Trx, path: string) => Promise<string>): Promise<string> =>
    withDevice(async (app) => {
      if (!account) throw new WalletError('notConnected')
      const path = pathOf(account.index)
      const { address } = await app.getAddress(path)
      if (address !== account.address) throw new WalletError('otherDevice')
      return sign(app, path)
    })

  return {
    address: () => account?.address,
    async connect(guide) {
      account = await guide.chooseAccount((from) => withDevice((app) => readAccounts(app, from)))
      memory.setItem(ACCOUNT_KEY, JSON.stringify(account))
      listeners.call()
    },
    signMessage(text) {
      const hex = Buffer.from(text).toString('hex')
      return signing((app, path) => app.signPersonalMessage(path, hex))
    },
    async signTransaction(transaction) {
      const signature = await signing(async (app, path) => {
        try {
          return await app.signTransaction(path, transaction.raw_data_hex, [])
        } catch (error) {
          if (!(error instanceof Error) || !TOO_LONG.test(error.message)) throw error
          return app.signTransactionHash(path, transaction.txID)
        }
      })
      return { ...transaction, signature: [signature] }
    },
    follow: listeners.subscribe,
  }
}

async function readAccounts(app: Trx, from: number): Promise<DeviceAccount[]> {
  const accounts: DeviceAccount[] = []
  for (let index = from; index < from + ACCOUNTS_AT_ONCE; index += 1) {
    const { address } = await app.getAddress(pathOf(index))
    accounts.push({ index, address })
  }
  return accounts
}

/** The derivation path used by Ledger's own application and the other Tron wallets. */
function pathOf(index: number): string {
  return `44'/195'/${index}'/0/0`
}

/** Runs one request on the device at a time; further requests wait for their turn. @throws WalletError */
function oneByOne() {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(act: (app: Trx) => Promise<T>): Promise<T> => {
    const turn = last.then(() => onDevice(act))
    const end = () => undefined // the caller handles the failure
    last = turn.then(end, end)
    return turn
  }
}

async function onDevice<T>(act: (app: Trx) => Promise<T>): Promise<T> {
  try {
    const transport = await TransportWebHid.create()
    try {
      return await act(new Trx(transport))
    } finally {
      await transport.close()
    }
  } catch (thrown) {
    throw deviceError(thrown)
  }
}

function deviceError(thrown: unknown): WalletError {
  if (thrown instanceof WalletError) return thrown
  const { name, statusCode } = (thrown ?? {}) as { name?: unknown; statusCode?: unknown }
  const problem = typeof statusCode === 'number' ? PROBLEMS[statusCode] : undefined
  if (problem) return new WalletError(problem, { cause: thrown })
  const isUnplugged = name === 'TransportOpenUserCancelled' || /^Disconnected/.test(String(name))
  return new WalletError(isUnplugged ? 'deviceMissing' : 'failed', { cause: thrown })
}

function rememberedAccount(memory: Memory): DeviceAccount | undefined {
  try {
    const { index, address } = JSON.parse(memory.getItem(ACCOUNT_KEY) ?? '{}')
    const isAccount = Number.isSafeInteger(index) && typeof address === 'string'
    return isAccount ? { index, address } : undefined
  } catch {
    return undefined // unreadable: the account is chosen again
  }
}
