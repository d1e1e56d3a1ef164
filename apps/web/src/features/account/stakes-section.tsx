import { formatUnits } from '@dct/money'
import { useQuery } from '@tanstack/react-query'
import { useWallet } from '../../shared/chain/wallet-provider.tsx'
import { usePublicConfig } from '../../shared/config/public-config.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { Amount } from '../../shared/ui/amount.tsx'
import { DateTime } from '../../shared/ui/date-time.tsx'
import { Fact } from '../../shared/ui/fact.tsx'
import { LoadFailed } from '../../shared/ui/load-failed.tsx'
import { WalletConnection } from '../../shared/wallet/wallet-connection.tsx'
import { accountQueries } from './account.api.ts'
import { accountTexts } from './account.texts.ts'
import { type ChainStake, readStakes } from './read-stakes.ts'
import './account.css'

/** The signed-in address's locks, read directly from the contract. */
export function StakesSection({ owner }: { owner: string }) {
  const text = useTexts(accountTexts)
  const isConnected = useWallet().status === 'connected'
  return (
    <section className="panel">
      <div className="stack stack--tight">
        <h2>{text('stakes')}</h2>
        <p className="soft small">{text('stakesLead')}</p>
      </div>
      {isConnected ? (
        <Stakes owner={owner} />
      ) : (
        <>
          <p>{text('stakesNoWallet')}</p>
          <WalletConnection />
        </>
      )}
    </section>
  )
}

function Stakes({ owner }: { owner: string }) {
  const text = useTexts(accountTexts)
  const { node, networkVersion } = useWallet()
  const tron = usePublicConfig()?.tron
  const planCodes = useQuery(accountQueries.planCodes)
  const stakes = useQuery({
    queryKey: ['account', 'stakes', owner, tron?.staking, planCodes.data, networkVersion],
    queryFn: () =>
      readStakes(node(), {
        staking: tron?.staking ?? '',
        owner,
        planCodes: planCodes.data ?? [],
      }),
    enabled: tron !== undefined && planCodes.data !== undefined,
    retry: 1,
  })
  if (stakes.isLoadingError || planCodes.isLoadingError) {
    const retry = () => void (planCodes.isError ? planCodes : stakes).refetch()
    return <LoadFailed onRetry={retry}>{text('stakesFailed')}</LoadFailed>
  }
  if (stakes.isPending || !tron) {
    return <span className="skeleton skeleton--block" aria-busy="true" />
  }
  if (stakes.data.length === 0) return <p className="soft">{text('noStakes')}</p>
  return (
    <ul className="account__stakes">
      {stakes.data.map((stake) => (
        <li key={stake.id}>
          <StakeFacts stake={stake} decimals={tron.token_decimals} />
        </li>
      ))}
    </ul>
  )
}

function StakeFacts({ stake, decimals }: { stake: ChainStake; decimals: number }) {
  const text = useTexts(accountTexts)
  return (
    <>
      <p className="row">
        <strong>{stake.planCode}</strong>
        <span className="soft small">
          {text('stakeId')} {stake.id}
        </span>
        <span className="badge" data-tone={stake.isReleased ? 'good' : undefined}>
          {text(stake.isReleased ? 'stateReleased' : 'stateLocked')}
        </span>
      </p>
      <dl className="facts small">
        <Fact term={text('locked')}>
          <Amount value={formatUnits(stake.amount, decimals)} unit="DCT" />
        </Fact>
        <Fact term={text('reward')}>
          <Amount value={formatUnits(stake.reward, decimals)} unit="DCT" />
        </Fact>
        <Fact term={text('start')}>
          <DateTime value={stake.start.toISOString()} />
        </Fact>
        <Fact term={text('end')}>
          <DateTime value={stake.end.toISOString()} />
        </Fact>
      </dl>
    </>
  )
}
