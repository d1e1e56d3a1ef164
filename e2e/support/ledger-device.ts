import { createHash } from 'node:crypto'
import type { Page } from '@playwright/test'
import { concat, type Hex, hexToBytes, keccak256, stringToBytes, toHex } from 'viem'
import { sign } from 'viem/accounts'
import type { DemoAccount } from '../outside/outside-client.ts'
import { newAccount } from '../outside/outside-client.ts'

const OK = '9000'
const DENIED = '6985'
const NO_SIGN_BY_HASH = '6a8c'
const [GET_ADDRESS, SIGN, SIGN_HASH, SIGN_MESSAGE] = ['02', '04', '05', '08']
const PATH_BYTES = 21

/** What the person does with the device; may be changed at any time. */
export type LedgerPerson = { approves: boolean; allowsSignByHash: boolean }

/**
 * Simulates a Ledger device with its Tron app, from WebHID's reports to the app's commands. `account` becomes the
 * device's second account.
 */
export async function plugInLedger(page: Page, account: DemoAccount): Promise<LedgerPerson> {
  const person = { approves: true, allowsSignByHash: true }
  const accounts = [newAccount(), account, newAccount(), newAccount(), newAccount()]
  const app = tronApp(accounts, person)
  await page.exposeFunction('ledgerExchange', (apdu: string) => app(apdu))
  await page.addInitScript(installHid)
  return person
}

function tronApp(accounts: readonly DemoAccount[], person: LedgerPerson) {
  let parts = ''
  return async (apdu: string): Promise<string> => {
    const command = apdu.slice(2, 4)
    const data = apdu.slice(10)
    // Only the first part contains the path.
    const isFirst = command === GET_ADDRESS || command === SIGN_HASH || isFirstPart(apdu)
    parts = isFirst ? data : parts + data
    const account = accounts[Number.parseInt(parts.slice(18, 26), 16) - 0x8000_0000]
    if (!account) return '6a8a'
    if (command === GET_ADDRESS) return addressReply(account) + OK
    const content = parts.slice(PATH_BYTES * 2)
    const digest = digestOf(command, content)
    if (digest === undefined) return OK // more parts follow
    if (command !== SIGN && !person.allowsSignByHash) return NO_SIGN_BY_HASH
    if (!person.approves) return DENIED
    const privateKey = `0x${account.tron_private_key}` as const
    const { r, s, yParity } = await sign({ hash: digest, privateKey })
    return concat([r, s, toHex(yParity ?? 0, { size: 1 })]).slice(2) + OK
  }
}

function isFirstPart(apdu: string): boolean {
  const [command, p1] = [apdu.slice(2, 4), apdu.slice(4, 6)]
  return command === SIGN ? p1 === '00' || p1 === '10' : p1 === '00'
}

function digestOf(command: string, content: string): Hex | undefined {
  if (command === SIGN_HASH) return `0x${content}`
  if (command === SIGN)
    return `0x${createHash('sha256').update(Buffer.from(content, 'hex')).digest('hex')}`
  const size = Number.parseInt(content.slice(0, 8), 16)
  const text = content.slice(8)
  if (command !== SIGN_MESSAGE || text.length < size * 2) return undefined
  const prefix = stringToBytes(`\x19TRON Signed Message:\n${size}`)
  return keccak256(concat([prefix, hexToBytes(`0x${text}`)]))
}

function addressReply({ tron_address }: DemoAccount): string {
  const key = '00'.repeat(65)
  const address = Buffer.from(tron_address, 'ascii').toString('hex')
  return `41${key}22${address}`
}

/** Runs in the page. Installs WebHID with one device, which splits messages into 64-byte reports, as Ledger does. */
function installHid(): void {
  const REPORT = 64
  const HEAD = 5
  const exchange = Reflect.get(window, 'ledgerExchange') as (apdu: string) => Promise<string>
  const hexOf = (bytes: number[]) =>
    bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')
  const bytesOf = (hex: string) => hex.match(/../g)?.map((byte) => Number.parseInt(byte, 16)) ?? []

  class Device extends EventTarget {
    readonly vendorId = 0x2c97
    readonly productId = 0x4011
    #received: number[] = []
    async open() {}
    async close() {}
    async sendReport(_id: number, block: Uint8Array) {
      const bytes = [...block]
      this.#received.push(...bytes.slice(HEAD))
      const [high = 0, low = 0] = this.#received
      const length = high * 256 + low
      if (this.#received.length < length + 2) return
      const apdu = hexOf(this.#received.slice(2, length + 2))
      this.#received = []
      this.#reply(bytes.slice(0, 2), bytesOf(await exchange(apdu)))
    }
    #reply(channel: number[], answer: number[]) {
      const whole = [answer.length >> 8, answer.length & 255, ...answer]
      for (let part = 0; part * (REPORT - HEAD) < whole.length; part += 1) {
        const content = whole.slice(part * (REPORT - HEAD), (part + 1) * (REPORT - HEAD))
        const report = new Uint8Array(REPORT)
        report.set([...channel, 5, part >> 8, part & 255, ...content])
        const data = new DataView(report.buffer)
        this.dispatchEvent(Object.assign(new Event('inputreport'), { data }))
      }
    }
  }

  const device = new Device()
  let isGranted = false
  const hid = Object.assign(new EventTarget(), {
    getDevices: async () => (isGranted ? [device] : []),
    async requestDevice() {
      if (!navigator.userActivation.isActive) throw new DOMException('no gesture', 'SecurityError')
      isGranted = true
      return [device]
    },
  })
  Object.defineProperty(navigator, 'hid', { value: hid })
}
