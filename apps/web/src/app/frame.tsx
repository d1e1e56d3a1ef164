import { BUSINESS_ZONE_NAME, businessDayOf } from '@dct/rules/business-day'
import { Suspense, useEffect, useRef, useSyncExternalStore } from 'react'
import { Outlet, useLocation } from 'react-router'
import { useIsOffline } from '../shared/api/connection.ts'
import { useReportAge } from '../shared/api/report-age.ts'
import { clock } from '../shared/clock.ts'
import { useTexts } from '../shared/i18n/texts.ts'
import { useSession } from '../shared/session/session.tsx'
import { deviceMemory } from '../shared/storage/memory.ts'
import { lazyPart } from '../shared/ui/lazy-part.tsx'
import { ToastRegion } from '../shared/ui/toast-region.tsx'
import { BottomBar } from './bottom-bar.tsx'
import { FootLinks } from './foot-links.tsx'
import { frameTexts } from './frame.texts.ts'
import { OfflineBanner } from './offline-banner.tsx'
import { TopBar } from './top-bar.tsx'
import './frame.css'

const BrowserWarnings = lazyPart(
  async () => (await import('./browser-warnings.tsx')).BrowserWarnings,
)

/** The layout around every page. */
export function Frame() {
  const text = useTexts(frameTexts)
  const main = useRef<HTMLElement>(null)
  const role = useSession().user?.role
  const isHolder = role === 'user'
  const reportAge = useReportAge()
  useFocusOnNewPage(main)
  const isLasting = useSyncExternalStore(deviceMemory.subscribe, deviceMemory.isLasting)
  const hasWarnings = !isLasting || !window.isSecureContext
  return (
    <div className="frame" data-has-bar={isHolder}>
      <a className="skip-link" href="#content">
        {text('skipToContent')}
      </a>
      <TopBar />
      <main id="content" ref={main} tabIndex={-1}>
        <OfflineBanner />
        <Suspense>{hasWarnings && <BrowserWarnings />}</Suspense>
        <Suspense fallback={<PageSkeleton />}>
          <Outlet />
        </Suspense>
      </main>
      <nav className="foot-links" aria-label={text('aboutService')}>
        <FootLinks />
      </nav>
      <footer className="footer">
        <p>{text('zone', { zone: BUSINESS_ZONE_NAME })}</p>
        {role === 'admin' && reportAge > 0 && <p>{text('reportAge', { seconds: reportAge })}</p>}
        <p>{text('rights', { year: businessDayOf(clock.now()).slice(0, 4) })}</p>
      </footer>
      {isHolder && <BottomBar />}
      <ToastRegion />
    </div>
  )
}

/** Shown while a page's code or the session is loading; as wide as the page, so that the top bar does not move. */
export function PageSkeleton() {
  const text = useTexts(frameTexts)
  const { pathname } = useLocation()
  // Offline, nothing is loading; the banner reports it.
  if (useIsOffline()) return null
  return (
    <div
      className="page"
      data-size={pathname.startsWith('/admin/') ? 'wide' : undefined}
      aria-busy="true"
    >
      <span className="visually-hidden" role="status">
        {text('pageLoading')}
      </span>
      <span className="skeleton skeleton--line" />
      <span className="skeleton skeleton--block" />
    </div>
  )
}

/** Moves the scroll position and the focus to the start of a newly opened page, except on the first load. */
function useFocusOnNewPage(main: { current: HTMLElement | null }): void {
  const { pathname, hash, key } = useLocation()
  const lastPathname = useRef(pathname)
  useEffect(() => {
    if (lastPathname.current === pathname) return
    lastPathname.current = pathname
    window.scrollTo(0, 0)
    main.current?.focus({ preventScroll: true })
  }, [pathname, main])

  // A link to a part of the page scrolls to it each time it is followed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` distinguishes one click from the next
  useEffect(() => {
    if (hash !== '') document.getElementById(hash.slice(1))?.scrollIntoView()
  }, [hash, key])
}
