import { execFileSync } from 'node:child_process'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'

/** This machine's address in Docker's own network, which every container can reach. */
export function hostOfContainers(): string {
  // Node.js lists no network that is idle, and this one has no container yet.
  const shown = execFileSync('ip', ['-4', '-oneline', 'address', 'show', 'docker0'])
  const [, address] = /inet ([\d.]+)/.exec(`${shown}`) ?? []
  if (address === undefined) throw new Error(`Docker's network has no address: ${shown}`)
  return address
}

/** Makes servers that listen for this machine only reachable by containers. */
export function openToContainers() {
  const host = hostOfContainers()
  const servers: Server[] = []
  return {
    /** @returns the server's address there */
    async open(url: string): Promise<string> {
      const { protocol, hostname, port } = new URL(url)
      const server = createServer((socket) => {
        const target = connect(Number(port), hostname)
        for (const end of [socket, target])
          end.on('error', () => [socket, target].map((one) => one.destroy()))
        socket.pipe(target).pipe(socket)
      })
      await new Promise<void>((resolve) => server.listen(0, host, resolve))
      servers.push(server)
      return `${protocol}//${host}:${(server.address() as AddressInfo).port}`
    },
    close: () => servers.map((server) => server.close()),
  }
}
