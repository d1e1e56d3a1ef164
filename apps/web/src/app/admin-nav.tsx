import { NavLink } from 'react-router'
import { useTexts } from '../shared/i18n/texts.ts'
import { adminNavTexts } from './admin-nav.texts.ts'
import './admin-nav.css'

/** Links to the admin pages that the top bar does not list. */
export function AdminNav() {
  const text = useTexts(adminNavTexts)
  return (
    <nav className="row admin-nav" aria-label={text('more')}>
      <NavLink className="button button--quiet button--small" to="/admin/operations">
        {text('operations')}
      </NavLink>
      <NavLink className="button button--quiet button--small" to="/admin/control">
        {text('control')}
      </NavLink>
    </nav>
  )
}
