/**
 * The calls of the API that the simulation makes. The others are left out when a process of the service starts: opening
 * all of them is most of what a start costs.
 */
import { subscribe } from 'node:diagnostics_channel'

const CALLED = [
  ...['/config', '/auth/challenge', '/auth/login', '/auth/me', '/auth/register'],
  ...['/user/claim', '/user/cancel-claim', '/user/pay-claim-fee', '/user/pending-claim-fees'],
  ...['/user/earnings', '/user/user-earning-history', '/user/user-claim-history'],
  ...['/user/earning-plans/:code/reserve', '/user/referral-summary'],
  ...['/user/messages', '/user/messages/email', '/user/messages/push', '/user/messages/test'],
  ...['/messages/confirm-email', '/admin/unmatched-payments'],
  ...['/user/save-referral-claim-pool', '/admin/referral-claim-:decision'],
  ...['/admin/update-referral-reward', '/admin/earning-plans', '/admin/money-settings'],
  ...['/admin/price', '/admin/user-earnings', '/admin/user-earning-history'],
  ...['/admin/payouts', '/admin/payouts/retry', '/admin/operator-calls'],
  ...['/admin/operator-calls/retry', '/admin/alarms', '/admin/alarms/acknowledge'],
  ...['/admin/chain-halt', '/admin/chain-halt/end', '/admin/ledger-audits'],
].map((path) => new RegExp(`^/api${path.replace(/:\w+/, '[^/]+')}$`))

const known = new Map<string, boolean>()
export function isCalled(url: string): boolean {
  const isOne = known.get(url) ?? CALLED.some((path) => path.test(url))
  known.set(url, isOne)
  return isOne
}

type Add = (this: Routes, url: string, ...rest: unknown[]) => Routes
type Routes = Record<(typeof METHODS)[number], Add> & { prefix: string; hasRoute(): boolean }

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const

/** From here on, apps have the routes of those calls only. */
export function openFewRoutes(): void {
  subscribe('fastify.initialization', (message) => {
    const { fastify: app } = message as { fastify: Routes }
    for (const method of METHODS) {
      const add = app[method]
      app[method] = function (url, ...rest) {
        const whole = `${this.prefix}${url}`
        return whole.startsWith('/api/') && !isCalled(whole) ? this : add.call(this, url, ...rest)
      }
    }
    // The service makes sure of some by their names.
    app.hasRoute = () => true
  })
}
