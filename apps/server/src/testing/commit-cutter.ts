import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** When the connection breaks around a COMMIT. In both cases the client does not learn the outcome. */
export type Cut = 'before it reached the database' | 'after it took effect'
export type CommitCutter = { url: string; cutNext(cut: Cut): void; stop(): Promise<void> }

/** A proxy between a pool and its database that can break a connection at the next COMMIT. */
export async function startCommitCutter(databaseUrl: string): Promise<CommitCutter> {
  const target = new URL(databaseUrl)
  const open = new Set<Socket>()
  let cut: Cut | undefined
  const server = createServer((client) => {
    const database = connect(Number(target.port), target.hostname)
    const both = [client, database]
    const destroy = () => {
      for (const socket of both) socket.destroy()
    }
    for (const socket of both) {
      open.add(socket)
      socket.on('close', destroy)
      socket.on('error', destroy)
    }
    client.on('data', (bytes) => {
      if (cut === 'before it reached the database' && bytes.includes('commit')) {
        cut = undefined
        return destroy()
      }
      database.write(bytes)
    })
    database.on('data', (bytes) => {
      if (cut === 'after it took effect' && bytes.includes('COMMIT')) {
        cut = undefined
        return destroy()
      }
      client.write(bytes)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = new URL(databaseUrl)
  url.hostname = '127.0.0.1'
  url.port = `${(server.address() as AddressInfo).port}`
  return {
    url: url.href,
    cutNext(next) {
      cut = next
    },
    async stop() {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
