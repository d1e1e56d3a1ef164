import { SignClient } from '@walletconnect/sign-client'
import type { SessionTypes } from '@walletconnect/types'
import type { SignedTransaction, UnsignedTransaction } from '../injected.ts'
import { WalletError } from '../wallet-error.ts'
import { followAll } from '../wallet-events.ts'
import type { RemoteConnection } from './remote-wallet.ts'

/** The methods that wallets support (docs.reown.com, Tron RPC). */
const SIGN_TRANSACTION = 'tron_signTransaction'
const SIGN_MESSAGE = 'tron_signMessage'
/** As long as a transaction stays valid: the chain would refuse anything approved later. */
const ANSWER_WITHIN_S = 300
const EVENTS = ['session_update', 'session_delete', 'session_expire'] as const

export type WalletConnectSettings = {
  projectId: string
  /** The product's network, as 0x and 8 digits. */
  chainId: string
  brand: string
  origin: string
}

/** A wallet on another device, through WalletConnect. The client stores the session, so that it survives a reload. */
export async function walletConnectConnection(
  settings: WalletConnectSettings,
): Promise<RemoteConnection> {
  const { projectId, brand, origin } = settings
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
  const session = () => client.session.getAll().findLast((one) => addressIn(one, chain))
  const request = <T>(method: string, params: object): Promise<T> => {
    const open = session()
    if (!open) throw new WalletError('notConnected')
    const { topic } = open
    const expiry = ANSWER_WITHIN_S
    return client.request<T>({ topic, chainId: chain, request: { method, params }, expiry })
  }

  return {
    address: () => addressIn(session(), chain),
    async connect(guide) {
      const { uri, approval } = await client.connect({
        optionalNamespaces: {
          tron: { chains: [chain], methods: [SIGN_TRANSACTION, SIGN_MESSAGE], events: [] },
        },
      })
      if (uri) guide.showLink(uri)
      const approved = await Promise.race([approval(), abortOf(guide.signal)])
      if (!addressIn(approved, chain)) {
        throw new WalletError('noTronAccount', { wallet: approved.peer.metadata.name })
      }
    },
    async signMessage(message) {
      const open = session()
      if (open && !methodsOf(open).includes(SIGN_MESSAGE)) {
        throw new WalletError('cannotSignMessages', { wallet: open.peer.metadata.name })
      }
      const params = { address: addressIn(open, chain), message }
      const reply = await request<{ signature: string } | string>(SIGN_MESSAGE, params)
      return typeof reply === 'string' ? reply : reply.signature
    },
    async signTransaction(transaction) {
      const open = session()
      const address = addressIn(open, chain)
      const isFlat = open?.sessionProperties?.tron_method_version === 'v1'
      const params = { address, transaction: isFlat ? transaction : { transaction } }
      return signedIn(transaction, await request<SignReply>(SIGN_TRANSACTION, params))
    },
    follow: (onChange) => followAll(client, EVENTS, onChange),
  }
}

type SignReply = Partial<SignedTransaction> & { result?: Partial<SignedTransaction> }

/** Some wallets return the whole transaction, some wrap it, and some omit the fields that they did not change. */
function signedIn(transaction: UnsignedTransaction, reply: SignReply): SignedTransaction {
  const { signature, ...rest } = reply.result ?? reply
  if (!Array.isArray(signature)) throw new WalletError('failed')
  return { ...transaction, ...rest, signature }
}

/** The account of a session on this network; accounts are written `tron:<chain>:<address>`. */
function addressIn(session: SessionTypes.Struct | undefined, chain: string): string | undefined {
  const accounts = Object.values(session?.namespaces ?? {}).flatMap((space) => space.accounts)
  return accounts.find((account) => account.startsWith(`${chain}:`))?.split(':')[2]
}

function methodsOf({ namespaces }: SessionTypes.Struct): string[] {
  return Object.values(namespaces).flatMap(({ methods }) => methods)
}

function abortOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new WalletError('rejected')), { once: true })
  })
}
