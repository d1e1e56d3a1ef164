import { createECDH, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page, Worker } from '@playwright/test'

/** A push service on this machine, in place of the browser maker's, which a test cannot reach. */
export type PushService = {
  url: string
  received: { path: string; headers: IncomingHttpHeaders }[]
  stop(): Promise<void>
}

export async function startPushService(): Promise<PushService> {
  const received: PushService['received'] = []
  const server = createServer((request, response) => {
    request.resume()
    request.on('end', () => {
      received.push({ path: request.url ?? '', headers: request.headers })
      response.writeHead(201).end()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Lets the page subscribe at this endpoint, with real keys; the rest of the browser stays as it is. */
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
      // A browser without a window answers 'denied' to the page, whatever was granted.
      Object.defineProperty(Notification, 'permission', { get: () => 'granted' })
      Notification.requestPermission = async () => 'granted'
      PushManager.prototype.subscribe = async (options) => {
        if (options?.userVisibleOnly !== true || !options.applicationServerKey)
          throw new TypeError('not a subscription that browsers grant')
        localStorage.setItem('subscribed', 'yes')
        return subscription as never
      }
      PushManager.prototype.getSubscription = async () =>
        localStorage.getItem('subscribed') === null ? null : (subscription as never)
    },
    { endpoint, keys },
  )
}

/** Gives a message to the page's service worker as if the push service had delivered it. */
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
 * Keeps what the service worker asks the browser to show in a list of its own: a browser without a window shows nothing.
 * @returns a function that reads what is shown
 */
export async function keepShown(page: Page): Promise<() => Promise<object[]>> {
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

/** Tells the page's service worker that the browser has replaced its subscription by one at this endpoint. */
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
