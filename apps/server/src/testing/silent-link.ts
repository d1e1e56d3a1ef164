import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export type SilentLink = {
  /** The address of the database, or of another service, through this link. */
  url: string
  /** Stops to forward in both directions; connections stand, and new ones are accepted. */
  silence(): void
  /** Forwards everything this many milliseconds late. */
  delay(ms: number): void
  /** Closes all connections, and every new one at once, with these bytes as the only answer. */
  close(answer?: Buffer): void
  /** On how many connections the server is at work: it has been asked, and has not begun to answer. */
  waiting(): number
  /** Forwards again, over new connections if the present ones are silent. */
  restore(): void
  /** Forwards again, but stays silent on the present connections, as a firewall does that has forgotten them. */
  forget(): void
}

/** A proxy in front of a database that can fall silent without closing anything. */
export async function startSilentLink(databaseUrl: string): Promise<SilentLink> {
  const url = new URL(databaseUrl)
  const socketFolder = url.searchParams.get('host')
  const port = Number(url.port || 5432)
  const target = () =>
    socketFolder === null
      ? connect(port, url.hostname)
      : connect(`${socketFolder}/.s.PGSQL.${port}`)
  const open = new Set<Socket>()
  const forgotten = new WeakSet<Socket>()
  let state: 'open' | 'silent' | 'closed' = 'open'
  let delayMs = 0
  let closing: Buffer | undefined
  const waiting = new Set<Socket>()
  const forward = (from: Socket, to: Socket, client: Socket) => {
    open.add(from)
    from.on('data', (data) => {
      if (forgotten.has(from)) return
      if (from !== client) waiting.delete(client)
      const pass = () => {
        if (to.destroyed || forgotten.has(from)) return
        if (from === client) waiting.add(client)
        to.write(data)
      }
      if (delayMs === 0) pass()
      else setTimeout(pass, delayMs)
    })
    from.on('error', () => undefined)
    from.on('close', () => {
      open.delete(from)
      waiting.delete(client)
      to.destroy()
    })
  }
  const forget = () => {
    for (const socket of open) forgotten.add(socket)
    waiting.clear()
  }
  const close = () => {
    for (const socket of open) socket.destroy()
  }
  const server = createServer((client) => {
    if (state === 'closed') {
      client.on('error', () => undefined)
      const answer = closing
      if (answer === undefined) return client.destroy()
      return client.once('data', () => client.end(answer))
    }
    const upstream = target()
    forward(client, upstream, client)
    forward(upstream, client, client)
    if (state === 'silent') forget()
    return undefined
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    close()
    server.close()
  })
  url.searchParams.delete('host')
  url.hostname = '127.0.0.1'
  url.port = `${(server.address() as AddressInfo).port}`
  return {
    url: url.href,
    silence() {
      state = 'silent'
      forget()
    },
    delay(ms) {
      delayMs = ms
    },
    close(answer) {
      state = 'closed'
      closing = answer
      close()
    },
    waiting: () => waiting.size,
    restore() {
      state = 'open'
      delayMs = 0
    },
    forget,
  }
}
