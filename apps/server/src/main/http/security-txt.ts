import { DAY_MS, realClock } from '../../platform/clock.ts'
import type { App } from '../../platform/http/http.ts'
import type { Config } from '../config.ts'

const PATH = '/.well-known/security.txt'
/** RFC 9116 recommends less than a year, so that nobody trusts an abandoned file. */
const VALID_FOR_DAYS = 90

/** GET /.well-known/security.txt (RFC 9116): where to report a vulnerability. */
export function serveSecurityTxt(
  app: App,
  { origin, supportEmail }: Pick<Config, 'origin' | 'supportEmail'>,
): void {
  app.get(PATH, { schema: { hide: true } }, (_request, reply) => {
    const day = Math.floor(realClock.now().getTime() / DAY_MS)
    const lines = [
      `Contact: mailto:${encodeURI(supportEmail)}`,
      `Expires: ${new Date((day + VALID_FOR_DAYS) * DAY_MS).toISOString()}`,
      'Preferred-Languages: id, en',
      `Canonical: ${origin}${PATH}`,
      `Policy: ${origin}/security`,
    ]
    return reply
      .header('cache-control', 'no-cache')
      .type('text/plain; charset=utf-8')
      .send(`${lines.join('\n')}\n`)
  })
}
