import { createServer } from 'node:net'
import { hasCode } from './error-code.ts'
import { ServiceError } from './service-error.ts'

/** Briefly listens on `port` of `host` (0: any free one) and returns the bound port. */
function probe(port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address()
      const bound = typeof address === 'object' && address ? address.port : port
      server.close(() => resolve(bound))
    })
  })
}

/** A port of 127.0.0.1 that is free now, for a server that starts immediately. */
export function freePort(): Promise<number> {
  return probe(0, '127.0.0.1')
}

/** @throws ServiceError naming the port if another program is listening on it or this user may not use it. */
export async function assertPortFree(port: number, host = '127.0.0.1'): Promise<void> {
  try {
    await probe(port, host)
  } catch (cause) {
    if (hasCode(cause, 'EADDRINUSE')) {
      throw new ServiceError(`Port ${port} on ${host} is already in use by another program.`, {
        cause,
      })
    }
    if (hasCode(cause, 'EACCES')) {
      throw new ServiceError(`Port ${port} on ${host} may not be used by this user.`, { cause })
    }
    throw cause
  }
}
