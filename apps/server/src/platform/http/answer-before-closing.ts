import { setTimeout as pause } from 'node:timers/promises'
import type { App } from './http.ts'

/** Less than the time that a process has to stop, so that its loops can end too. */
const PATIENCE_MS = 5_000

/**
 * Makes `close` wait for the responses to requests in progress before it cuts the connections. New requests get 503
 * while it waits. Call this after adding the hooks that answer held-back requests.
 * @param patienceMs the maximum time that `close` waits
 */
export function answerBeforeClosing(app: App, patienceMs = PATIENCE_MS): void {
  const last = Promise.withResolvers<void>()
  let open = 0
  let isClosing = false
  const resolveIfLast = () => {
    if (isClosing && open === 0) last.resolve()
  }
  app.server.on('request', (_request, response) => {
    open += 1
    response.once('close', () => {
      open -= 1
      resolveIfLast()
    })
  })
  app.addHook('preClose', async () => {
    isClosing = true
    resolveIfLast()
    await Promise.race([last.promise, pause(patienceMs, undefined, { ref: false })])
  })
}
