import { isIPv4, isIPv6 } from 'node:net'

/**
 * The key for rate limits: an IPv4 address, or the /64 of an IPv6 address, which belongs to one customer. Everything
 * that is not an address shares one key.
 */
export function limiterKeyOf(ip: string): string {
  const v4 = asIPv4(ip)
  if (v4 !== undefined) return v4
  return isIPv6(ip) ? `${groupsOf(ip).slice(0, 4).join(':')}::/64` : 'unknown'
}

/** The network that a session was opened from: enough for its user to recognise, too little to trace anybody. */
export function shownNetworkOf(ip: string): string {
  const v4 = asIPv4(ip)
  if (v4 !== undefined) return `${v4.split('.').slice(0, 3).join('.')}.0/24`
  return isIPv6(ip) ? `${groupsOf(ip).slice(0, 3).join(':')}::/48` : 'unknown'
}

/** Also reads IPv4 as a dual-stack socket writes it (::ffff:192.0.2.1). */
function asIPv4(ip: string): string | undefined {
  const bare = ip.replace(/^::ffff:/i, '')
  return isIPv4(bare) ? bare : undefined
}

function groupsOf(ip: string): string[] {
  const [head = '', tail] = (ip.split('%')[0] ?? '').toLowerCase().split('::')
  const left = head.split(':').filter((group) => group !== '')
  if (tail === undefined) return left
  const right = tail.split(':').filter((group) => group !== '')
  return [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right]
}
