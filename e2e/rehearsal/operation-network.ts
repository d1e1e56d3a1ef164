import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { networkInterfaces } from 'node:os'

/** Docker's own network, whose address on this machine every container can reach. */
const BRIDGE = 'docker0'

/** Makes nodes that listen for this machine only reachable by containers. @returns their addresses there */
export async function openToContainers(urls: { tron: string; bsc: string }) {
  const host = networkInterfaces()[BRIDGE]?.find(({ family }) => family === 'IPv4')?.address
  if (host === undefined) throw new Error(`There is no network ${BRIDGE}: is Docker running?`)
  const servers: Server[] = []
  const open = async (url: string) => {
    const { hostname, port } = new URL(url)
    const server = createServer((socket) => {
      const node = connect(Number(port), hostname)
      for (const end of [socket, node])
        end.on('error', () => [socket, node].map((one) => one.destroy()))
      socket.pipe(node).pipe(socket)
    })
    await new Promise<void>((resolve) => server.listen(0, host, resolve))
    servers.push(server)
    return `http://${host}:${(server.address() as AddressInfo).port}`
  }
  const [tron, bsc] = [await open(urls.tron), await open(urls.bsc)]
  return { tron, bsc, close: () => servers.map((server) => server.close()) }
}
