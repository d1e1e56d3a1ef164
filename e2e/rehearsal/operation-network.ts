import { execFileSync } from 'node:child_process'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'

/** This machine's address in Docker's own network, which every container can reach. */
function hostOfContainers(): string {
  // Node.js lists no network that is idle, and this one has no container yet.
  const shown = execFileSync('ip', ['-4', '-oneline', 'address', 'show', 'docker0'])
  const [, address] = /inet ([\d.]+)/.exec(`${shown}`) ?? []
  if (address === undefined) throw new Error(`Docker's network has no address: ${shown}`)
  return address
}

/** Makes servers that listen for this machine only reachable by containers. @returns their addresses there */
export async function openToContainers(urls: { tron: string; bsc: string; kms: string }) {
  const host = hostOfContainers()
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
  const kms = await open(urls.kms)
  return { tron, bsc, kms, close: () => servers.map((server) => server.close()) }
}
