/**
 * Lets the app open without a connection, keeps the code of an open page until it is closed, and shows messages. It
 * answers nothing but pages and the app's own files: every call of a page goes straight to the service, and none is ever
 * kept, repeated or sent later.
 */
declare const self: ServiceWorkerGlobalScope

/** The build writes these: the app's files, its entry script among them, and a digest that changes with any of them. */
declare const KEPT_FILES: readonly string[]
declare const ENTRY: string
declare const VERSION: string

const CACHE_PREFIX = 'app-'
const CACHE = `${CACHE_PREFIX}${VERSION}`
/** Every page is this one document. */
const PAGE = '/'
/** Paths below which the server answers something else than the document. */
const NOT_PAGES = /^\/(api|devnet|tron|bsc|assets)(\/|$)/

self.addEventListener('install', (event) => event.waitUntil(keepFiles()))
self.addEventListener('activate', (event) => event.waitUntil(takeOver()))

/** Keeps this build's files beside those of an older build, which open pages go on using. */
async function keepFiles(): Promise<void> {
  const cache = await caches.open(CACHE)
  await cache.addAll([
    new Request(PAGE, { cache: 'reload' }),
    // Names in /assets/ contain a hash, so what the browser has downloaded already is right.
    ...KEPT_FILES.map((path) =>
      path.startsWith('/assets/') ? path : new Request(path, { cache: 'reload' }),
    ),
  ])
  const page = await cache.match(PAGE)
  // While a deployment replaces one server after the other, the page can come from another build.
  if (!(await page?.text())?.includes(ENTRY)) throw new Error('The page is of another build')
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  for (const client of pages) client.postMessage({ name: 'newVersion', entry: ENTRY })
}

/** Runs once no page of an older build is open. */
async function takeOver(): Promise<void> {
  const older = (await caches.keys()).filter(
    (name) => name.startsWith(CACHE_PREFIX) && name !== CACHE,
  )
  await Promise.all(older.map((name) => caches.delete(name)))
  // The page is requested while this worker still starts.
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

/** Whether the newest page came from the files kept here, because the server did not answer. */
let isUnreached = false
/** Pages that the server gave since it has a newer build: they need nothing of this one. */
const newerPages = new Set<string>()

/**
 * Whether the server may not have the files of an open page: it cannot be reached, or it has another build. Otherwise
 * the browser reads them itself, which is faster: Chrome discards what it preloaded through a service worker
 * (https://github.com/vite-pwa/vite-plugin-pwa/issues/945).
 */
function mayBeMissing(clientId: string): boolean {
  return isUnreached || !self.navigator.onLine || (hasNewerBuild() && !newerPages.has(clientId))
}

function hasNewerBuild(): boolean {
  return self.registration.installing !== null || self.registration.waiting !== null
}

/** The page as the server has it now, so that a new version takes effect with the next load; otherwise the kept one. */
async function openPage(event: FetchEvent): Promise<Response> {
  try {
    const early: Response | undefined = await event.preloadResponse
    const page = early ?? (await fetch(event.request))
    isUnreached = false
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
  return (await caches.open(CACHE)).match(path, { ignoreVary: true })
}

type Message = {
  /** The same for every delivery of one message. */
  id: string
  title: string
  body: string
  /** The path of the page that it is about. */
  url: string
  /** How many things wait for the holder: the number at the app's icon. A server of an older build sends none. */
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
  // A browser revokes the permission of whoever receives a push and shows nothing, so a repetition that was already
  // dismissed is shown and removed.
  if (isRepeated && !isStillShown) {
    for (const shown of await self.registration.getNotifications({ tag: id })) shown.close()
  }
  if (waiting !== undefined) await showWaiting(waiting)
}

/** The ids of the newest messages shown; the only thing kept besides the app's files. */
const SHOWN_CACHE = 'shown-messages'
const SHOWN_KEPT = 100

/** Whether this message was shown before; from now on it counts as shown. */
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
  // Not every browser has a number at the icon.
  if (!('setAppBadge' in self.navigator)) return
  await self.navigator.setAppBadge(waiting)
}

self.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(renewPush(event)))

/** The subscription that the service sends to, kept while the browser has another one that the service does not know yet. */
const FORMER = '/former-subscription'

/**
 * Tells the service that the browser has replaced its subscription. Where that fails, or the permission is withdrawn for a
 * while, it is made up for with the next change, or when a page is opened.
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
  const answer = await fetch('/api/notices/push-renewal', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ former: ownOf(former), renewed: ownOf(renewed.toJSON()) }),
  })
  // A refusal stays one: the holder may have removed this device.
  if (answer.status < 500 && answer.status !== 429) await caches.delete(FORMER)
}

type Replaced = Pick<PushSubscriptionChangeEvent, 'oldSubscription' | 'newSubscription'>

/** What the service keeps of a subscription. */
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

/** Shows the page of a message: in the window that is on it, otherwise in a new one, so that nothing half-done is lost. */
async function openFor(path: string): Promise<void> {
  const { href } = new URL(path, self.location.origin)
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const open = windows.find(({ url }) => url === href)
  await (open ? open.focus() : self.clients.openWindow(href))
}
