import type { ConfigReply } from '@dct/api-contract/config'
import { usePublicConfig } from '../../shared/config/public-config.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { ExplorerValue } from '../../shared/ui/explorer-value.tsx'
import { Fact } from '../../shared/ui/fact.tsx'
import { transparencyTexts } from './transparency.texts.ts'

type Question = {
  figure: string
  contract: { chain: 'tron' | 'bsc'; address: string; name: string }
  call: string
}

/** The contracts, and the calls that return the figures above. */
export function CheckYourself({ planCodes }: { planCodes: readonly string[] }) {
  const text = useTexts(transparencyTexts)
  const config = usePublicConfig()
  const questions = useQuestions(planCodes, config)
  if (config === undefined) return null
  const { tron, bsc } = config
  const { token_symbol: asset, token_decimals: decimals } = tron
  return (
    <section className="panel" aria-labelledby="check">
      <h2 id="check">{text('check')}</h2>
      <p className="soft">{text('checkHint')}</p>
      <p className="soft">
        {text('decimals', { asset, decimals })} ·{' '}
        {text('decimals', { asset: 'USDT', decimals: bsc.usdt_decimals })}
      </p>
      <ul className="check-yourself">
        {questions.map(({ figure, contract, call }) => (
          <li key={figure}>
            <dl className="facts">
              <Fact term={text('checkFigure')}>{figure}</Fact>
              <Fact term={`${text('checkContract')}: ${contract.name}`}>
                <ExplorerValue
                  chain={contract.chain}
                  kind="address"
                  value={contract.address}
                  isWhole
                />
              </Fact>
              <Fact term={text('checkCall')}>
                <code className="code check-yourself__call">{call}</code>
              </Fact>
            </dl>
          </li>
        ))}
      </ul>
    </section>
  )
}

function useQuestions(planCodes: readonly string[], config: ConfigReply | undefined): Question[] {
  const text = useTexts(transparencyTexts)
  if (config === undefined) return []
  const { tron, bsc } = config
  const on = (address: string, name: string) => ({ chain: 'tron' as const, address, name })
  const staking = on(tron.staking, text('contractStaking'))
  const rewards = on(tron.reward_pool, text('contractRewards'))
  const token = on(tron.token, `${text('contractToken')} ${tron.token_symbol}`)
  const usdt = { chain: 'bsc' as const, address: bsc.usdt, name: 'USDT (BEP20)' }
  return [
    { figure: text('figureLocked'), contract: staking, call: 'totalLocked()' },
    {
      figure: text('figureStakingHolds'),
      contract: token,
      call: `balanceOf("${tron.staking}")`,
    },
    { figure: text('figureStakes'), contract: staking, call: 'stakeCount()' },
    {
      figure: text('figureOwnStake'),
      contract: staking,
      call: `stakeOf("T…", "${planCodes[0] ?? 'PLAN'}"), stakes(stakeId)`,
    },
    ...planCodes.map((plan) => ({
      figure: text('figurePlan', { plan }),
      contract: rewards,
      call: `plans("${plan}")`,
    })),
    {
      figure: text('figurePoolHolds'),
      contract: token,
      call: `balanceOf("${tron.reward_pool}")`,
    },
    { figure: text('figureWallet'), contract: usdt, call: `balanceOf("${bsc.payout_address}")` },
  ]
}
