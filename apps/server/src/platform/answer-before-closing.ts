import { setTimeout as pause } from 'node:timers/promises'
import type { App } from './http.ts'

/** Less than a process may take to stop, so that its loops have time to end as well. */
const PATIENCE_MS = 5_000

/**
 * Has the server answer what it has begun before `close` cuts its connections. New requests are refused with 503 from
 * then on. Call it after the hooks that answer requests which are held back.
 * @param patienceMs how long `close` waits at most
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
