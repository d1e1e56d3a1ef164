import { useEffect, useId, useState } from 'react'
import { Link, NavLink, useLocation, useNavigate } from 'react-router'
import { DEFAULT_BRAND, usePublicConfig } from '../shared/config/public-config.ts'
import { useTexts } from '../shared/i18n/texts.ts'
import { type Session, useSession } from '../shared/session/session.tsx'
import { useBackCloses } from '../shared/ui/back-closes.ts'
import { CloseIcon, HistoryIcon, MenuIcon, MoonIcon, SunIcon } from '../shared/ui/icons.tsx'
import { QuietButton } from '../shared/ui/quiet-button.tsx'
import { useTheme } from '../shared/ui/theme.ts'
import { toast } from '../shared/ui/toast-store.ts'
import { FootLinks } from './foot-links.tsx'
import { FRAME_WORDING, frameTexts } from './frame.texts.ts'
import { LanguageSwitch } from './language-switch.tsx'
import './top-bar.css'

/** Each role's links and the wording that names them. */
const LINKS = {
  admin: [
    ['/admin/dashboard', 'adminDashboard'],
    ['/admin/reward-history', 'rewardHistory'],
    ['/admin/claim-history', 'claimHistory'],
    ['/admin/referral-claim-pool', 'claimApproval'],
  ],
  user: [
    ['/dashboard', 'dashboard'],
    ['/referrals', 'referral'],
  ],
  visitor: [['/login', 'login']],
} as const

/** Links to pages that the specification does not name. */
const MORE_LINKS = {
  admin: [
    ['/admin/operations', 'operations'],
    ['/admin/control', 'control'],
  ],
  user: [['/user', 'account']],
  visitor: [],
} as const

export function TopBar() {
  const text = useTexts(frameTexts)
  const session = useSession()
  const brand = usePublicConfig()?.brand ?? DEFAULT_BRAND
  const [isOpen, setIsOpen] = useState(false)
  const menuId = useId()

  // Following a link closes the menu on small screens.
  const { key } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: close on every navigation, whatever it changed
  useEffect(() => setIsOpen(false), [key])

  return (
    <header className="top-bar">
      <div className="top-bar__inner">
        <Link className="top-bar__brand" to="/">
          <BrandMark />
          {brand}
        </Link>
        <div className="top-bar__tools">
          {session.user && (
            <Link
              className="icon-button top-bar__activity"
              aria-label={text('activity')}
              title={text('activity')}
              to={session.user.role === 'admin' ? '/admin/activity' : '/activity'}
            >
              <HistoryIcon />
            </Link>
          )}
          <ThemeToggle />
          <button
            type="button"
            className="icon-button top-bar__menu"
            aria-expanded={isOpen}
            aria-controls={menuId}
            aria-label={text('menu')}
            onClick={() => setIsOpen(!isOpen)}
          >
            {isOpen ? <CloseIcon /> : <MenuIcon />}
          </button>
        </div>
        <nav
          id={menuId}
          className="top-bar__links"
          aria-label={text('mainNavigation')}
          data-open={isOpen}
        >
          {isOpen && <BackCloses onBack={() => setIsOpen(false)} />}
          {session.status !== 'loading' && <RoleLinks session={session} />}
        </nav>
        <div className="top-bar__more" data-open={isOpen}>
          <LanguageSwitch />
          {isOpen && session.user?.role === 'user' && (
            <div className="top-bar__about">
              <FootLinks />
            </div>
          )}
        </div>
      </div>
    </header>
  )
}

/** While it is rendered, the browser's Back button closes the menu instead of leaving the page. */
function BackCloses({ onBack }: { onBack(): void }) {
  useBackCloses(onBack)
  return null
}

function RoleLinks({ session }: { session: Session }) {
  const text = useTexts(frameTexts)
  const navigate = useNavigate()
  const logOut = () => {
    session.signOut()
    toast.success(FRAME_WORDING.loggedOut)
    void navigate('/login')
  }
  return (
    <>
      {LINKS[session.user?.role ?? 'visitor'].map(([to, name]) => (
        <NavLink key={to} className="top-bar__link" to={to}>
          {FRAME_WORDING[name]}
        </NavLink>
      ))}
      {MORE_LINKS[session.user?.role ?? 'visitor'].map(([to, name]) => (
        <NavLink key={to} className="top-bar__link" to={to}>
          {text(name)}
        </NavLink>
      ))}
      {session.user && <QuietButton onClick={logOut}>{FRAME_WORDING.logout}</QuietButton>}
    </>
  )
}

function ThemeToggle() {
  const text = useTexts(frameTexts)
  const [theme, chooseTheme] = useTheme()
  const isDark = theme === 'dark'
  const label = text(isDark ? 'toLight' : 'toDark')
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={label}
      title={label}
      onClick={() => chooseTheme(isDark ? 'light' : 'dark')}
    >
      {isDark ? <SunIcon /> : <MoonIcon />}
    </button>
  )
}

/** The logo: two open rings, the token around USDT. */
function BrandMark() {
  return (
    <svg className="top-bar__mark" viewBox="0 0 32 32" fill="none" aria-hidden="true">
      <path
        d="M16 4a12 12 0 1 0 12 12"
        stroke="var(--dct)"
        strokeWidth="3.6"
        strokeLinecap="round"
      />
      <path d="M16 11a5 5 0 1 1-5 5" stroke="var(--usdt)" strokeWidth="3.6" strokeLinecap="round" />
    </svg>
  )
}
