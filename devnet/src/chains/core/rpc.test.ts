import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { connectRpc } from './rpc.ts'

const PATIENCE_MS = 500
/** What a server appends to the client's key to show that it speaks WebSocket. */
const WEBSOCKET_GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'

/** Starts a server that answers no request, but accepts WebSockets if told to. */
async function startHangingServer(options: { acceptsSockets: boolean }): Promise<string> {
  const server = createServer(() => {})
  server.on('upgrade', ({ headers }, socket) => {
    onTestFinished(() => void socket.destroy())
    if (!options.acceptsSockets) return
    const proof = createHash('sha1').update(`${headers['sec-websocket-key']}${WEBSOCKET_GUID}`)
    socket.write(
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
        `Sec-WebSocket-Accept: ${proof.digest('base64')}\r\n\r\n`,
    )
  })
  server.listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('a chain process that hangs is reported, for short and for long requests', async () => {
  const url = await startHangingServer({ acceptsSockets: true })
  const rpc = await connectRpc(url, PATIENCE_MS)
  await expect(rpc('evm_mine')).rejects.toThrow(`${url} did not answer evm_mine within 0.5 s`)
  await expect(rpc('anvil_loadState', '00'.repeat(1_000_000))).rejects.toThrow(
    `${url} did not answer anvil_loadState within 0.5 s`,
  )
})

test('a chain process that accepts no connection is reported', async () => {
  const url = await startHangingServer({ acceptsSockets: false })
  await expect(connectRpc(url, PATIENCE_MS)).rejects.toThrow(
    `${url} did not accept a connection within 0.5 s`,
  )
})
