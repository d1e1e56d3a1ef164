import { errorText } from '../../shared/api/api-error.ts'
import type { Earning } from '../../shared/api/earnings.api.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { ExplorerValue } from '../../shared/ui/explorer-value.tsx'
import { toast } from '../../shared/ui/toast-store.ts'
import { useClaimCapital } from './my-earnings.api.ts'
import { EARNINGS_WORDING, earningsTexts } from './my-earnings.texts.ts'

/** Requests the locked tokens of an ended earning, and shows the state of that request. */
export function ClaimCapital({ earning }: { earning: Earning }) {
  const text = useTexts(earningsTexts)
  const request = useClaimCapital()
  const isReturned = earning.capital_state === 'released'
  const ask = () =>
    request.mutate(earning.earning_plan_code, {
      onSuccess: ({ message }) => toast.money(message),
      onError: (error) => toast.error(errorText(error, EARNINGS_WORDING.claimCapitalFailed)),
    })
  return (
    <div className="row earning__capital">
      <button
        type="button"
        className={`button button--small ${isReturned ? 'button--quiet' : 'button--dct'}`}
        disabled={request.isPending || isReturned}
        onClick={ask}
      >
        {EARNINGS_WORDING.claimCapital}
      </button>
      <p className="soft small">
        {isReturned && earning.release_trx_hash ? (
          <>
            {text('capitalReturned')}{' '}
            <ExplorerValue chain="tron" kind="transaction" value={earning.release_trx_hash} />
          </>
        ) : (
          text(earning.capital_state === 'releasing' ? 'capitalRequested' : 'capitalDue')
        )}
      </p>
    </div>
  )
}
