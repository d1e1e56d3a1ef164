import { NavLink } from 'react-router'
import { useTexts } from '../shared/i18n/texts.ts'
import { HistoryIcon, HomeIcon, PeopleIcon, PersonIcon } from '../shared/ui/icons.tsx'
import { FRAME_WORDING, frameTexts } from './frame.texts.ts'
import './bottom-bar.css'

/** A holder's four pages in reach of the thumb; shown on phones only, beside the menu. */
export function BottomBar() {
  const text = useTexts(frameTexts)
  const links = [
    { to: '/dashboard', name: FRAME_WORDING.dashboard, Icon: HomeIcon },
    { to: '/referrals', name: FRAME_WORDING.referral, Icon: PeopleIcon },
    { to: '/activity', name: text('activity'), Icon: HistoryIcon },
    { to: '/user', name: text('account'), Icon: PersonIcon },
  ]
  return (
    <nav className="bottom-bar" aria-label={text('bottomNavigation')}>
      {links.map(({ to, name, Icon }) => (
        <NavLink key={to} className="bottom-bar__link" to={to}>
          <Icon />
          {name}
        </NavLink>
      ))}
    </nav>
  )
}
