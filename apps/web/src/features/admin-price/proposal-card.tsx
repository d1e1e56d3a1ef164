import type { PriceReply } from '@dct/api-contract/pricing'
import { PRICE_DECIMALS } from '@dct/rules/constants'
import { useTexts } from '../../shared/i18n/texts.ts'
import { useSession } from '../../shared/session/session.tsx'
import { Amount } from '../../shared/ui/amount.tsx'
import { DateTime } from '../../shared/ui/date-time.tsx'
import { ExplorerValue } from '../../shared/ui/explorer-value.tsx'
import { Fact } from '../../shared/ui/fact.tsx'
import { SmallButton } from '../../shared/ui/small-button.tsx'
import { priceTexts } from './admin-price.texts.ts'

type ProposalCardProps = {
  proposal: NonNullable<PriceReply['proposal']>
  onConfirm(price: string): void
}

/** A large price step waiting for a second admin. */
export function ProposalCard({ proposal, onConfirm }: ProposalCardProps) {
  const text = useTexts(priceTexts)
  const { user } = useSession()
  const isOwn = user?.tron_address === proposal.proposed_by
  return (
    <article className="stack" aria-label={text('proposal')}>
      <h3>{text('proposal')}</h3>
      <dl className="facts">
        <Fact term={text('price')}>
          <Amount value={proposal.price} unit="USDT" decimals={PRICE_DECIMALS} />
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
      {isOwn ? (
        <p className="soft">{text('ownProposal')}</p>
      ) : (
        <p>
          <SmallButton onClick={() => onConfirm(proposal.price)}>
            {text('confirmProposal')}
          </SmallButton>
        </p>
      )}
    </article>
  )
}
