/**
 * Lets the app open offline, caches the code of open pages until they are closed, and shows push messages. It responds
 * only to requests for pages and the app's own files: API requests go straight to the service and are never cached,
 * repeated or queued.
 */
declare const self: ServiceWorkerGlobalScope

/** Injected by the build: the app's files, the entry script among them, and a digest that changes with any of them. */
declare const KEPT_FILES: readonly string[]
declare const ENTRY: string
declare const VERSION: string

const CACHE_PREFIX = 'app-'
const CACHE = `${CACHE_PREFIX}${VERSION}`
/** Every page is served from this one document. */
const PAGE = '/'
/** Paths below which the server returns something other than the document. */
const NOT_PAGES = /^\/(api|devnet|tron|bsc|assets)(\/|$)/

self.addEventListener('install', (event) => event.waitUntil(keepFiles()))
self.addEventListener('activate', (event) => event.waitUntil(takeOver()))

/** Caches this build's files next to those of an older build, which open pages continue to use. */
async function keepFiles(): Promise<void> {
  const cache = await caches.open(CACHE)
  await cache.addAll([
    new Request(PAGE, { cache: 'reload' }),
    // Names in /assets/ contain a hash, so the browser's HTTP cache is always valid for them.
    ...KEPT_FILES.map((path) =>
      path.startsWith('/assets/') ? path : new Request(path, { cache: 'reload' }),
    ),
  ])
  const page = await cache.match(PAGE)
  // During a rolling deployment, the page can come from a server with another build.
  if (!(await page?.text())?.includes(ENTRY)) throw new Error('The page belongs to another build')
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  for (const client of pages) client.postMessage({ name: 'newVersion', entry: ENTRY })
}

/** Runs once no page of an older build is open. */
async function takeOver(): Promise<void> {
  const older = (await caches.keys()).filter(
    (name) => name.startsWith(CACHE_PREFIX) && name !== CACHE,
  )
  await Promise.all(older.map((name) => caches.delete(name)))
  // Lets the browser request the page while this worker is still starting.
  await self.registration.navigationPreload?.enable()
}

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== self.location.origin) return
  if (request.mode === 'navigate') {
    if (NOT_PAGES.test(pathname)) return
    event.respondWith(openPage(event))
    event.waitUntil(makeUpForRenewal())
  } else if (mayBeMissing(event.clientId) && KEPT_FILES.includes(pathname)) {
    event.respondWith(readFile(request, pathname))
  }
})

/** Whether the latest page was served from the cache because the server did not respond. */
let isUnreached = false
/** Pages that the server has delivered since it has a newer build: they need no files of this build. */
const newerPages = new Set<string>()

/**
 * Whether the server may lack the files of an open page, because it is unreachable or has another build. Otherwise the
 * browser fetches them itself, which is faster: Chrome discards what it preloaded through a service worker
 * (https://github.com/vite-pwa/vite-plugin-pwa/issues/945).
 */
function mayBeMissing(clientId: string): boolean {
  return isUnreached || !self.navigator.onLine || (hasNewerBuild() && !newerPages.has(clientId))
}

function hasNewerBuild(): boolean {
  return self.registration.installing !== null || self.registration.waiting !== null
}

/** The server's current page, so that a new version takes effect on the next load; the cached one if that fails. */
async function openPage(event: FetchEvent): Promise<Response> {
  try {
    const early: Response | undefined = await event.preloadResponse
    const page = early ?? (await fetch(event.request))
    // A proxy answers for a service that does not run; large ones have codes of their own, such as 521.
    isUnreached = page.status >= 502
    const shell = isUnreached ? await findKept(PAGE) : undefined
    if (shell) return shell
    if (hasNewerBuild()) newerPages.add(event.resultingClientId)
    return page
  } catch (cause) {
    isUnreached = true
    const kept = await findKept(PAGE)
    if (!kept) throw cause
    return kept
  }
}

async function readFile(request: Request, pathname: string): Promise<Response> {
  return (await findKept(pathname)) ?? fetch(request)
}

async function findKept(path: string): Promise<Response | undefined> {
  try {
    return await (await caches.open(CACHE)).match(path, { ignoreVary: true })
  } catch {
    return undefined // the browser refuses its cache, for example on a full disk
  }
}

type Message = {
  /** The same for every delivery of one message. */
  id: string
  title: string
  body: string
  /** The path of the page that the message is about. */
  url: string
  /** The badge on the app's icon: how many items await the holder. A server with an older build does not send it. */
  waiting?: number
}

self.addEventListener('push', (event) => {
  if (event.data) event.waitUntil(showMessage(event.data.json() as Message))
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(openFor(String(event.notification.data)))
})

async function showMessage({ id, title, body, url, waiting }: Message): Promise<void> {
  const isRepeated = await wasShown(id)
  const isStillShown = (await self.registration.getNotifications({ tag: id })).length > 0
  await self.registration.showNotification(title, {
    body,
    tag: id,
    data: url,
    icon: '/icons/icon-192.png',
    badge: '/icons/badge-96.png',
    silent: isRepeated,
  })
  // Browsers revoke the permission of sites that receive a push and show nothing, so a repeated message that was
  // already dismissed is shown again and removed at once.
  if (isRepeated && !isStillShown) {
    for (const shown of await self.registration.getNotifications({ tag: id })) shown.close()
  }
  if (waiting !== undefined) await showWaiting(waiting)
}

/** Caches the ids of the latest messages shown. */
const SHOWN_CACHE = 'shown-messages'
const SHOWN_KEPT = 100

/** Whether this message was shown before. Records it as shown. */
async function wasShown(id: string): Promise<boolean> {
  const shown = await caches.open(SHOWN_CACHE)
  const key = `/shown-messages/${encodeURIComponent(id)}`
  if (await shown.match(key)) return true
  await shown.put(key, new Response())
  const oldest = (await shown.keys()).slice(0, -SHOWN_KEPT)
  await Promise.all(oldest.map((request) => shown.delete(request)))
  return false
}

async function showWaiting(waiting: number): Promise<void> {
  // Not every browser supports a badge on the icon.
  if (!('setAppBadge' in self.navigator)) return
  await self.navigator.setAppBadge(waiting)
}

self.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(renewPush(event)))

/** Caches the subscription that the service knows while the browser has a newer one that it does not know yet. */
const FORMER = '/former-subscription'

/**
 * Notifies the service that the browser has replaced its subscription. If that fails, or the permission is temporarily
 * withdrawn, it is retried with the next change or when a page is opened.
 */
async function renewPush({ oldSubscription, newSubscription }: Replaced): Promise<void> {
  const kept = await caches.match(FORMER)
  const former: PushSubscriptionJSON | undefined = kept
    ? await kept.json()
    : oldSubscription?.toJSON()
  if (!former) return
  const cache = await caches.open(FORMER)
  await cache.put(FORMER, new Response(JSON.stringify(former)))
  const renewed = newSubscription ?? (await subscribeAs(oldSubscription))
  if (!renewed) return
  const answer = await fetch('/api/messages/push-renewal', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ former: ownOf(former), renewed: ownOf(renewed.toJSON()) }),
  })
  // A refusal is final: the holder may have removed this device.
  if (answer.status < 500 && answer.status !== 429) await caches.delete(FORMER)
}

type Replaced = Pick<PushSubscriptionChangeEvent, 'oldSubscription' | 'newSubscription'>

/** The part of a subscription that the service stores. */
function ownOf({ endpoint, keys }: PushSubscriptionJSON): object {
  return { endpoint, keys }
}

async function subscribeAs(former: PushSubscription | null): Promise<PushSubscription | null> {
  const { pushManager } = self.registration
  if (!former || (await pushManager.permissionState({ userVisibleOnly: true })) !== 'granted') {
    return null
  }
  const { applicationServerKey } = former.options
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey })
}

async function makeUpForRenewal(): Promise<void> {
  if (!(await caches.has(FORMER))) return
  const newSubscription = await self.registration.pushManager.getSubscription()
  await renewPush({ oldSubscription: null, newSubscription })
}

/** Shows a message's page: in the window that already shows it, otherwise in a new one, so that no input is lost. */
async function openFor(path: string): Promise<void> {
  const { href } = new URL(path, self.location.origin)
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const open = windows.find(({ url }) => url === href)
  await (open ? open.focus() : self.clients.openWindow(href))
}
