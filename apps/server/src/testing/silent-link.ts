import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export type SilentLink = {
  /** The address of the database through this link. */
  url: string
  /** Stops to forward in both directions; connections stand, and new ones are accepted. */
  silence(): void
  /** Forwards again, over new connections: the present ones stay silent. */
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
  const pairs = new Set<[Socket, Socket]>()
  let isSilent = false
  const server = createServer((client) => {
    const upstream = target()
    const pair: [Socket, Socket] = [client, upstream]
    pairs.add(pair)
    for (const socket of pair) {
      socket.on('error', () => undefined)
      socket.on('close', () => {
        pairs.delete(pair)
        client.destroy()
        upstream.destroy()
      })
    }
    if (isSilent) return
    client.pipe(upstream)
    upstream.pipe(client)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = () => {
    for (const [client, upstream] of pairs) {
      client.unpipe(upstream)
      upstream.unpipe(client)
      // Whatever arrives is read and dropped.
      client.resume()
      upstream.resume()
    }
  }
  onTestFinished(() => {
    for (const [client] of pairs) client.destroy()
    server.close()
  })
  url.searchParams.delete('host')
  url.hostname = '127.0.0.1'
  url.port = `${(server.address() as AddressInfo).port}`
  return {
    url: url.href,
    silence() {
      isSilent = true
      cut()
    },
    restore() {
      isSilent = false
    },
    forget: cut,
  }
}
