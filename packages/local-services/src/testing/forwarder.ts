import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { pipeline } from 'node:stream/promises'

/** A port of this machine whose connections are forwarded to another address, which may change. */
export type Forwarder = {
  port: number
  /** Cuts all connections. */
  cut(): void
  stop(): void
}

export type ForwarderOptions = {
  /** The target of the next connection; undefined refuses it. */
  target(): { host: string; port: number } | undefined
  /** Called with all data before it is forwarded; if it returns false, that connection is cut instead. */
  passes?(bytes: Buffer, from: 'client' | 'target'): boolean
}

/** Starts a forwarder, which the caller ends with `stop`. */
export async function startForwarder({
  target,
  passes = () => true,
}: ForwarderOptions): Promise<Forwarder> {
  const sockets = new Set<Socket>()
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    return socket
  }
  const server = createServer((client) => {
    const to = target()
    if (to === undefined) return client.destroy()
    const upstream = connect(to)
    const pass = (one: Socket, from: 'client' | 'target', other: Socket) =>
      pipeline(
        one,
        async function* (source: AsyncIterable<Buffer>) {
          for await (const bytes of source) {
            if (!passes(bytes, from)) throw new Error('cut')
            yield bytes
          }
        },
        other,
      )
    keep(client)
    keep(upstream)
    Promise.all([pass(client, 'client', upstream), pass(upstream, 'target', client)])
      // Each end notices a broken connection by its own being closed.
      .catch(() => undefined)
      .finally(() => {
        client.destroy()
        upstream.destroy()
      })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const found = server.address()
  if (found === null || typeof found === 'string') throw new Error('the forwarder has no port')
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port: found.port,
    cut,
    stop() {
      cut()
      server.close()
    },
  }
}
