import { Link, useLocation, useNavigate } from 'react-router'
import { useWallet } from '../../shared/chain/wallet-provider.tsx'
import { Term } from '../../shared/glossary/term.tsx'
import { useTexts } from '../../shared/i18n/texts.ts'
import { shorten } from '../../shared/lib/shorten.ts'
import { homeOf } from '../../shared/session/home-of.ts'
import { returnPlaceOf } from '../../shared/session/return-place.ts'
import { useSession } from '../../shared/session/session.tsx'
import { Callout } from '../../shared/ui/callout.tsx'
import { WalletConnection } from '../../shared/wallet/wallet-connection.tsx'
import { WalletWait } from '../../shared/wallet/wallet-wait.tsx'
import { LOGIN_WORDING, loginTexts } from './login.texts.ts'
import { useLogin } from './use-login.ts'
import './login-panel.css'

/** Logging in, in two steps: connect the wallet and sign. */
export function LoginPanel() {
  const text = useTexts(loginTexts)
  const login = useLogin()
  const navigate = useNavigate()
  const { user } = useSession()
  const hasExpired = returnPlaceOf(useLocation().state) !== undefined
  const isConnected = useWallet().status === 'connected'
  return (
    <>
      {user && !login.isBusy && (
        <Callout>
          <p>{text('signedInAs', { address: shorten(user.tron_address) })}</p>
          <p>
            <Link to={homeOf(user)}>{text('goOn')}</Link>
          </p>
        </Callout>
      )}
      {hasExpired && !user && <Callout role="status">{text('expired')}</Callout>}
      <ol className="panel login-steps">
        <li className="stack">
          <h2 className="login-steps__name">
            <Term word="wallet">{text('stepWallet')}</Term>
          </h2>
          <WalletConnection />
        </li>
        <li className="stack">
          <h2 className="login-steps__name">{text('stepSign')}</h2>
          {login.isBusy && <p className="soft small">{text('signing')}</p>}
          <button
            type="button"
            className={isConnected ? 'button button--wide' : 'button button--wide button--quiet'}
            disabled={login.isBusy}
            onClick={login.start}
          >
            {LOGIN_WORDING.login}
          </button>
          {login.isAsking && <WalletWait onCancel={login.cancel} />}
        </li>
      </ol>
      <p className="login-new">
        <span className="soft">{text('newHere')}</span>
        <button
          type="button"
          className="button button--quiet"
          onClick={() => void navigate('/register')}
        >
          {LOGIN_WORDING.register}
        </button>
      </p>
    </>
  )
}
