import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** An address whose connections are passed on to a port of this machine that may change. */
export type Forwarder = {
  port: number
  /** Cuts all connections. */
  cut(): void
  stop(): void
}

/** @param target the port for the next connection */
export async function startForwarder(target: () => number): Promise<Forwarder> {
  const sockets = new Set<Socket>()
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    return socket
  }
  const server = createServer((client) => {
    const upstream = keep(connect(target(), '127.0.0.1'))
    keep(client).pipe(upstream).pipe(client)
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.on('error', () => other.destroy()).on('close', () => other.destroy())
    }
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
