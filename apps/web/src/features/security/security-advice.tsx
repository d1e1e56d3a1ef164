import type { ConfigReply } from '@dct/api-contract/config'
import type { PropsWithChildren } from 'react'
import { Link } from 'react-router'
import { usePublicConfig } from '../../shared/config/public-config.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { CopyButton } from '../../shared/ui/copy-button.tsx'
import { ExplorerValue } from '../../shared/ui/explorer-value.tsx'
import { Fact } from '../../shared/ui/fact.tsx'
import { securityTexts } from './security.texts.ts'

/** How to recognise the service, what to verify, and where to report a problem. */
export function SecurityAdvice() {
  const text = useTexts(securityTexts)
  const config = usePublicConfig()
  return (
    <>
      <Part id="genuine" title={text('genuine')}>
        <dl className="facts">
          <Fact term={text('genuineAddress')}>
            <span className="code">{config?.origin}</span>
          </Fact>
        </dl>
        <p>{text('genuineHint')}</p>
      </Part>
      <Part id="never" title={text('never')}>
        <ul className="stack stack--tight">
          <li>{text('neverSeed')}</li>
          <li>{text('neverContact')}</li>
          <li>{text('neverUnlock')}</li>
          <li>{text('neverAddress')}</li>
        </ul>
      </Part>
      <Part id="sign" title={text('sign')}>
        <ul className="stack stack--tight">
          <li>{text('signLogin')}</li>
          <li>{text('signApproval')}</li>
          <li>{text('signFee')}</li>
        </ul>
      </Part>
      {config && <Addresses config={config} />}
      <Part id="lost" title={text('lost')}>
        <p>{text('lostText')}</p>
      </Part>
      <Part id="report" title={text('report')}>
        <p>{text('reportHint')}</p>
        {config && (
          <p className="row">
            <a href={`mailto:${config.support_email}`}>{config.support_email}</a>
            <CopyButton value={config.support_email} label={text('copyEmail')} iconOnly />
          </p>
        )}
        <p>{text('reportFair')}</p>
        <p>
          <a href="/.well-known/security.txt">{text('reportFile')}</a>
        </p>
      </Part>
    </>
  )
}

function Part({ id, title, children }: PropsWithChildren<{ id: string; title: string }>) {
  return (
    <section className="panel" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  )
}

function Addresses({ config: { tron, bsc } }: { config: ConfigReply }) {
  const text = useTexts(securityTexts)
  const addresses = [
    ['tron', text('staking'), tron.staking],
    ['tron', text('pool'), tron.reward_pool],
    ['tron', text('token', { symbol: tron.token_symbol }), tron.token],
    ['bsc', text('fee'), bsc.fee_receiver],
    ['bsc', text('payout'), bsc.payout_address],
    ['bsc', text('usdt'), bsc.usdt],
  ] as const
  return (
    <Part id="verify" title={text('verify')}>
      <p>{text('verifyHint')}</p>
      <dl className="facts">
        {addresses.map(([chain, name, address]) => (
          <Fact key={name} term={name}>
            <ExplorerValue chain={chain} kind="address" value={address} isWhole />
          </Fact>
        ))}
      </dl>
      <ul className="stack stack--tight">
        <li>
          <Link to="/transparency">{text('verifyReserves')}</Link>
        </li>
        <li>
          <Link to="/status">{text('verifyStatus')}</Link>
        </li>
      </ul>
    </Part>
  )
}
