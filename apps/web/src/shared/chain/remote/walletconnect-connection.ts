import { SignClient } from '@walletconnect/sign-client'
import type { SessionTypes, SignClientTypes } from '@walletconnect/types'
import type { Memory } from '../../storage/memory.ts'
import type { SignedTransaction, UnsignedTransaction } from '../injected.ts'
import { WalletError } from '../wallet-error.ts'
import { followAll } from '../wallet-events.ts'
import type { RemoteConnection } from './remote-wallet.ts'

/** The methods that wallets support (docs.reown.com, Tron RPC). */
const SIGN_TRANSACTION = 'tron_signTransaction'
const SIGN_MESSAGE = 'tron_signMessage'
const ACCOUNTS_CHANGED = 'accountsChanged'
/** As long as a transaction stays valid: the chain would refuse anything approved later. */
const ANSWER_WITHIN_S = 300
const EVENTS = ['session_update', 'session_delete', 'session_expire'] as const
const ACCOUNT_KEY = 'walletConnectAccount'

export type WalletConnectSettings = {
  projectId: string
  /** The product's network, as 0x and 8 digits. */
  chainId: string
  brand: string
  origin: string
  /** Remembers which of several shared accounts is used. */
  memory: Pick<Memory, 'getItem' | 'setItem'>
}

/** A wallet on another device, through WalletConnect. The client stores the session, so that it survives a reload. */
export async function walletConnectConnection(
  settings: WalletConnectSettings,
): Promise<RemoteConnection> {
  const { projectId, brand, origin, memory } = settings
  const chain = `tron:${settings.chainId}`
  const client = await SignClient.init({
    projectId,
    telemetryEnabled: false,
    metadata: {
      name: brand,
      description: brand,
      url: origin,
      icons: [`${origin}/icons/icon-192.png`],
    },
  })
  return connectionThrough(client, { chain, memory })
}

/** The part of WalletConnect's client that a connection needs. */
type Client = Pick<InstanceType<typeof SignClient>, 'connect' | 'request' | 'on' | 'off'> & {
  session: { getAll(): SessionTypes.Struct[] }
}

/** A connection through this client. @param options the network as WalletConnect names it, and what remembers the account */
export function connectionThrough(
  client: Client,
  { chain, memory }: Pick<WalletConnectSettings, 'memory'> & { chain: string },
): RemoteConnection {
  const session = () => lastOf(client.session.getAll().filter((one) => accountsIn(one, chain)[0]))
  /** The chosen account, as long as the wallet shares it, otherwise the first one. */
  const account = () => {
    const shared = accountsIn(session(), chain)
    const chosen = memory.getItem(ACCOUNT_KEY)
    return shared.find((one) => one === chosen) ?? shared[0]
  }
  const request = <T>(method: string, params: object): Promise<T> => {
    const open = session()
    if (!open) throw new WalletError('notConnected')
    const { topic } = open
    const expiry = ANSWER_WITHIN_S
    return client.request<T>({ topic, chainId: chain, request: { method, params }, expiry })
  }

  return {
    address: account,
    async connect(guide) {
      const { uri, approval } = await client.connect({
        optionalNamespaces: {
          tron: {
            chains: [chain],
            methods: [SIGN_TRANSACTION, SIGN_MESSAGE],
            events: [ACCOUNTS_CHANGED],
          },
        },
      })
      if (uri) guide.showLink(uri)
      const approved = await Promise.race([approval(), abortOf(guide.signal)])
      const shared = accountsIn(approved, chain)
      const [first] = shared
      if (first === undefined) {
        throw new WalletError('noTronAccount', { wallet: approved.peer.metadata.name })
      }
      memory.setItem(ACCOUNT_KEY, shared.length > 1 ? await guide.pickAccount(shared) : first)
    },
    async signMessage(message) {
      const open = session()
      if (open && !methodsOf(open).includes(SIGN_MESSAGE)) {
        throw new WalletError('cannotSignMessages', { wallet: open.peer.metadata.name })
      }
      const params = { address: account(), message }
      const reply = await request<{ signature: string } | string>(SIGN_MESSAGE, params)
      return typeof reply === 'string' ? reply : reply.signature
    },
    async signTransaction(transaction) {
      const open = session()
      const address = account()
      const isFlat = open?.sessionProperties?.tron_method_version === 'v1'
      const params = { address, transaction: isFlat ? transaction : { transaction } }
      return signedIn(transaction, await request<SignReply>(SIGN_TRANSACTION, params))
    },
    follow(onChange) {
      const onEvent = ({ params }: SignClientTypes.EventArguments['session_event']) => {
        const next = accountAfter(params.event, accountsIn(session(), chain))
        if (next === undefined) return
        memory.setItem(ACCOUNT_KEY, next)
        onChange()
      }
      client.on('session_event', onEvent)
      const stop = followAll(client, EVENTS, onChange)
      return () => {
        client.off('session_event', onEvent)
        stop()
      }
    },
  }
}

type SignReply = Partial<SignedTransaction> & { result?: Partial<SignedTransaction> }

/** Some wallets return the whole transaction, some wrap it, and some omit the fields that they did not change. */
function signedIn(transaction: UnsignedTransaction, reply: SignReply): SignedTransaction {
  const { signature, ...rest } = reply.result ?? reply
  if (!Array.isArray(signature)) throw new WalletError('failed')
  return { ...transaction, ...rest, signature }
}

/** The accounts of a session on this network; accounts are written `tron:<chain>:<address>`. */
function accountsIn(session: SessionTypes.Struct | undefined, chain: string): string[] {
  const accounts = Object.values(session?.namespaces ?? {}).flatMap((space) => space.accounts)
  const own = accounts.filter((account) => account.startsWith(`${chain}:`))
  return [...new Set(own.map((account) => account.slice(chain.length + 1)))]
}

/** The account that a wallet switched to, if it shares it. Some name the chain with it, some do not. */
function accountAfter(
  { name, data }: { name: string; data: unknown },
  shared: readonly string[],
): string | undefined {
  if (name !== ACCOUNTS_CHANGED) return undefined
  const named = String(Array.isArray(data) ? data[0] : data)
  return shared.find((account) => named === account || named.endsWith(`:${account}`))
}

function lastOf<T>(list: readonly T[]): T | undefined {
  return list[list.length - 1]
}

function methodsOf({ namespaces }: SessionTypes.Struct): string[] {
  return Object.values(namespaces).flatMap(({ methods }) => methods)
}

function abortOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new WalletError('cancelled')), { once: true })
  })
}
