/**
 * Where messages to holders arrive: a mail server, and a push service that all browsers use. Each may be silent, refuse
 * for now, answer too late although it has the message, or refuse an address for good.
 */
import { createDecipheriv, createECDH, type ECDH, hkdfSync } from 'node:crypto'
import { type NetworkReply, sound } from '../chains/node-faults.ts'

export const MAIL_SERVER = { host: '127.0.0.1', port: 2525 } as const
export const PUSH_SERVICE = 'push.sim'
/** What goes wrong with all of a service. `refuses us`: the sender is not accepted, whoever the receiver is. */
export const MAIL_FAULTS = ['silent', 'refuses us', 'late'] as const
export const PUSH_FAULTS = ['silent', 'busy', 'refuses us', 'late'] as const
export type MailFault = (typeof MAIL_FAULTS)[number]
export type PushFault = (typeof PUSH_FAULTS)[number]

export type Channel = 'email' | 'push'
/** A message that arrived. */
export type Arrived = {
  channel: Channel
  to: string
  /** The same for every copy of one message. */
  id: string
  text: string
  /** Whether the sender was told that it has arrived. */
  isAnswered: boolean
}

export class Inboxes {
  mailFault: MailFault | undefined
  pushFault: PushFault | undefined
  /** Addresses and browsers that do not exist any more, each with how often that was said. */
  readonly gone = new Map<string, number>()
  readonly arrived: Arrived[] = []
  readonly #browsers = new Map<string, { keys: ECDH; secret: Buffer }>()

  /** A browser's subscription, as `PushSubscription.toJSON()` gives it. */
  subscribe(name: string) {
    const endpoint = `https://${PUSH_SERVICE}/${name.replaceAll(' ', '-')}`
    const known = this.#browsers.get(endpoint)
    const keys = known?.keys ?? createECDH('prime256v1')
    if (known === undefined) keys.generateKeys()
    const secret = known?.secret ?? Buffer.alloc(16, 7)
    this.#browsers.set(endpoint, { keys, secret })
    return {
      endpoint,
      keys: { p256dh: keys.getPublicKey('base64url'), auth: secret.toString('base64url') },
    }
  }

  /** @returns whether this receiver has gone, which the sender is told then */
  isGone(to: string): boolean {
    const times = this.gone.get(to)
    if (times === undefined) return false
    this.gone.set(to, times + 1)
    return true
  }

  receiveMail(to: string, source: string, isAnswered: boolean): void {
    const [head = '', ...body] = source.split('\r\n\r\n')
    const id = /^message-id: *<(.*)>/im.exec(head)?.[1] ?? ''
    this.arrived.push({ channel: 'email', to, id, text: readable(body.join('\n\n')), isAnswered })
  }

  /** What the push service answers. @throws what a lost connection or a time limit throws */
  receivePush(endpoint: string, body: string): NetworkReply {
    const { pushFault } = this
    if (pushFault === 'silent') throw new TypeError('fetch failed', { cause: REFUSED })
    if (pushFault === 'busy') return { ...sound(''), status: 503 }
    if (pushFault === 'refuses us') return { ...sound(''), status: 403 }
    const browser = this.#browsers.get(endpoint)
    if (browser === undefined || this.isGone(endpoint)) return { ...sound(''), status: 410 }
    const { id, title, body: text } = JSON.parse(decrypt(Buffer.from(body, 'latin1'), browser))
    const isAnswered = pushFault !== 'late'
    this.arrived.push({ channel: 'push', to: endpoint, id, text: `${title}\n${text}`, isAnswered })
    if (!isAnswered) throw new DOMException('The operation was aborted', 'TimeoutError')
    return { ...sound(''), status: 201 }
  }
}

const REFUSED = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })

/** Of a text in quoted-printable. */
function readable(body: string): string {
  return body
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([\dA-F]{2})/g, (_, digits) => String.fromCharCode(Number.parseInt(digits, 16)))
    .replaceAll('\r\n', '\n')
}

/** By RFC 8291. */
function decrypt(body: Buffer, { keys, secret }: { keys: ECDH; secret: Buffer }): string {
  const salt = body.subarray(0, 16)
  const length = body.readUInt8(20)
  const senderKey = body.subarray(21, 21 + length)
  const sealed = body.subarray(21 + length)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), keys.getPublicKey(), senderKey])
  const material = hkdfSync('sha256', keys.computeSecret(senderKey), secret, info, 32)
  const derive = (name: string, size: number) =>
    Buffer.from(
      hkdfSync('sha256', Buffer.from(material), salt, `Content-Encoding: ${name}\0`, size),
    )
  const cipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12))
  cipher.setAuthTag(sealed.subarray(-16))
  const plain = Buffer.concat([cipher.update(sealed.subarray(0, -16)), cipher.final()])
  return plain.subarray(0, plain.lastIndexOf(2)).toString()
}
