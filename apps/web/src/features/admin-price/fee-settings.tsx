import type { MoneySetting } from '@dct/api-contract/money-settings'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { errorText } from '../../shared/api/api-error.ts'
import { usePublicConfig } from '../../shared/config/public-config.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { shownPercentage } from '../../shared/lib/shown-percentage.ts'
import { useSession } from '../../shared/session/session.tsx'
import { DateTime } from '../../shared/ui/date-time.tsx'
import { ExplorerValue } from '../../shared/ui/explorer-value.tsx'
import { Fact } from '../../shared/ui/fact.tsx'
import { NotLoaded } from '../../shared/ui/not-loaded.tsx'
import { Panel } from '../../shared/ui/panel.tsx'
import { SmallButton } from '../../shared/ui/small-button.tsx'
import { toast } from '../../shared/ui/toast-store.ts'
import { ChangeFeeSetting } from './change-fee-setting.tsx'
import { FeeSettingValue } from './fee-setting-value.tsx'
import { feeSettingQueries, useSetFeeSetting } from './fee-settings.api.ts'
import { feeSettingTexts } from './fee-settings.texts.ts'

/** The fee settings: those that admins change, and what is fixed. */
export function FeeSettings() {
  const text = useTexts(feeSettingTexts)
  const settings = useQuery(feeSettingQueries.now)
  const [isChanging, setIsChanging] = useState(false)
  if (settings.data === undefined) {
    return <NotLoaded query={settings}>{text('loadFailed')}</NotLoaded>
  }
  return (
    <Panel title={text('title')}>
      <p className="soft">{text('hint')}</p>
      <dl className="facts">
        {settings.data.settings.map(({ name, value }) => (
          <Fact key={name} term={text(name)}>
            <FeeSettingValue name={name} value={value} />
          </Fact>
        ))}
        <FixedFacts />
      </dl>
      {settings.data.settings.map((setting) => (
        <WaitingSetting key={setting.name} setting={setting} />
      ))}
      <p>
        <SmallButton onClick={() => setIsChanging(true)}>{text('change')}</SmallButton>
      </p>
      {isChanging && <ChangeFeeSetting onClose={() => setIsChanging(false)} />}
    </Panel>
  )
}

function FixedFacts() {
  const text = useTexts(feeSettingTexts)
  const config = usePublicConfig()
  if (config === undefined) return null
  const { rates, limits } = config
  return (
    <>
      <Fact term={text('claimFee')}>
        {text('ofClaim', { percentage: shownPercentage(rates.claim_fee_percentage) })}
      </Fact>
      <Fact term={text('maximumReferral')}>
        {text('ofFee', { percentage: shownPercentage(limits.referral_percentage_maximum) })}
      </Fact>
      <Fact term={text('grace')}>{text('cycles', { count: limits.freeze_grace_cycles })}</Fact>
      <Fact term={text('stepUp')}>{text(config.is_step_up_required ? 'on' : 'off')}</Fact>
    </>
  )
}

/** A value that waits for a second admin. */
function WaitingSetting({ setting: { name, proposal } }: { setting: MoneySetting }) {
  const text = useTexts(feeSettingTexts)
  const { user } = useSession()
  const setSetting = useSetFeeSetting()
  if (proposal === null) return null
  const confirm = () =>
    setSetting.mutate(
      { name, value: proposal.value },
      {
        onSuccess: ({ message, is_set: isDone }) => toast.outcome(message, { isDone }),
        onError: (error) => toast.error(errorText(error, text('failed'))),
      },
    )
  return (
    <article className="stack" aria-label={`${text('waiting')}: ${text(name)}`}>
      <h3>{text('waiting')}</h3>
      <dl className="facts">
        <Fact term={text(name)}>
          <FeeSettingValue name={name} value={proposal.value} />
        </Fact>
        <Fact term={text('proposedBy')}>
          <ExplorerValue chain="tron" kind="address" value={proposal.proposed_by} />
        </Fact>
        <Fact term={text('proposedAt')}>
          <DateTime value={proposal.proposed_at} />
        </Fact>
        <Fact term={text('expiresAt')}>
          <DateTime value={proposal.expires_at} />
        </Fact>
      </dl>
      {user?.tron_address === proposal.proposed_by ? (
        <p className="soft">{text('ownProposal')}</p>
      ) : (
        <p>
          <SmallButton disabled={setSetting.isPending} onClick={confirm}>
            {text('confirmProposal')}
          </SmallButton>
        </p>
      )}
    </article>
  )
}
