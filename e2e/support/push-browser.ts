import { createECDH, randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Page, Worker } from '@playwright/test'
import { type LocalServer, startLocalServer } from './local-server.ts'

/** A local push service in place of the browser vendor's, which a test cannot reach. */
export type PushService = LocalServer & {
  received: { path: string; headers: IncomingHttpHeaders }[]
}

export async function startPushService(): Promise<PushService> {
  const received: PushService['received'] = []
  const server = await startLocalServer((request, response) => {
    request.resume()
    request.on('end', () => {
      received.push({ path: request.url ?? '', headers: request.headers })
      response.writeHead(201).end()
    })
  })
  return { ...server, received }
}

/** Makes the page's push subscription use this endpoint, with real keys. */
export async function subscribesAt(page: Page, endpoint: string): Promise<void> {
  const pair = createECDH('prime256v1')
  const keys = {
    p256dh: pair.generateKeys().toString('base64url'),
    auth: randomBytes(16).toString('base64url'),
  }
  await page.addInitScript(
    (json) => {
      const subscription = {
        ...json,
        toJSON: () => json,
        async unsubscribe() {
          localStorage.removeItem('subscribed')
          return true
        },
      }
      // A headless browser always reports 'denied' to the page, even if the permission was granted.
      Object.defineProperty(Notification, 'permission', { get: () => 'granted' })
      Notification.requestPermission = async () => 'granted'
      PushManager.prototype.subscribe = async (options) => {
        if (options?.userVisibleOnly !== true || !options.applicationServerKey)
          throw new TypeError('no browser grants such a subscription')
        localStorage.setItem('subscribed', 'yes')
        return subscription as never
      }
      PushManager.prototype.getSubscription = async () =>
        localStorage.getItem('subscribed') === null ? null : (subscription as never)
    },
    { endpoint, keys },
  )
}

/** Delivers a message to the page's service worker as if it came from the push service. */
export async function deliverPush(page: Page, message: object): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  const registration = new Promise<string>((resolve) =>
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const own = registrations.find(({ isDeleted }) => !isDeleted)
      if (own) resolve(own.registrationId)
    }),
  )
  await devtools.send('ServiceWorker.enable')
  await devtools.send('ServiceWorker.deliverPushMessage', {
    origin: new URL(page.url()).origin,
    registrationId: await registration,
    data: JSON.stringify(message),
  })
  await devtools.detach()
}

/**
 * Records the notifications that the service worker shows, because a headless browser shows none.
 * @returns a function that reads the notifications that are currently shown
 */
export async function recordShown(page: Page): Promise<() => Promise<object[]>> {
  await page.evaluate(async () => void (await navigator.serviceWorker.ready))
  const [worker] = page.context().serviceWorkers() as Worker[]
  if (!worker) throw new Error('The page has no service worker')
  await worker.evaluate(() => {
    const shelf = new Map<string, object>()
    const { registration } = self as unknown as { registration: ServiceWorkerRegistration }
    Object.assign(self, { shelf })
    Object.assign(registration, {
      async showNotification(title: string, options: NotificationOptions) {
        const { body, tag = '', data, silent } = options
        shelf.set(tag, { title, body, tag, data, silent, close: () => shelf.delete(tag) })
      },
      getNotifications: async ({ tag = '' }) => [shelf.get(tag)].filter(Boolean),
    })
  })
  return () =>
    worker.evaluate(() => {
      const { shelf } = self as unknown as { shelf: Map<string, object> }
      return [...shelf.values()].map((one) => JSON.parse(JSON.stringify(one)))
    })
}

/** Notifies the page's service worker that the browser has replaced its subscription with one at this endpoint. */
export async function replacePush(page: Page, endpoint: string): Promise<void> {
  const former = await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready
    return (await registration.pushManager.getSubscription())?.toJSON()
  })
  const [worker] = page.context().serviceWorkers()
  if (!worker || !former) throw new Error('The page has no subscription')
  await worker.evaluate(
    async ([before, after]) => {
      const as = (json: object | undefined) => ({ ...json, toJSON: () => json })
      const event = Object.assign(new Event('pushsubscriptionchange'), {
        oldSubscription: as(before),
        newSubscription: as(after),
        waitUntil: (work: Promise<unknown>) => Object.assign(event, { work }),
        work: Promise.resolve<unknown>(undefined),
      })
      self.dispatchEvent(event)
      await event.work
    },
    [former, { ...former, endpoint }],
  )
}
