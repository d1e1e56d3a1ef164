import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'

/**
 * Brings what proxies say about the caller into one form: `X-Forwarded-For` with bare addresses. Proxies also write
 * ports and brackets, and some write only `Forwarded` (RFC 7239), which counts if the other is missing.
 */
export function tidyForwarded(headers: IncomingHttpHeaders): void {
  const named = headers['x-forwarded-for'] ?? forwardedFor(headers.forwarded)
  if (named === undefined) return
  headers['x-forwarded-for'] = `${named}`.split(',').map(addressIn).join(', ')
}

/** The addresses in a `Forwarded` header, in the order of the proxies. */
function forwardedFor(header: string | undefined): string | undefined {
  const hops = header
    ?.split(',')
    .map((hop) => /(?:^|;)\s*for\s*=\s*("[^"]*"|[^;\s]+)/i.exec(hop)?.[1])
  return hops?.map((address) => address ?? 'unknown').join(',')
}

function addressIn(text: string): string {
  const bare = text
    .trim()
    .replace(/^"(.*)"$/, '$1')
    .trim()
  const [, inBrackets] = /^\[([^\]]*)\](?::\d+)?$/.exec(bare) ?? []
  const [, beforePort] = /^([^:]+):\d+$/.exec(bare) ?? []
  const address = inBrackets ?? beforePort ?? bare
  return isIP(address) === 0 ? 'unknown' : address
}
