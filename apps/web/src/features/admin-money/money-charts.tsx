import type { MoneyDay } from '@dct/api-contract/operations'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTexts } from '../../shared/i18n/texts.ts'
import { AmountChart, type Series } from '../../shared/ui/chart/amount-chart.tsx'
import { NotLoaded } from '../../shared/ui/not-loaded.tsx'
import { SelectField } from '../../shared/ui/select-field.tsx'
import { moneyQueries } from './admin-money.api.ts'
import { moneyTexts } from './admin-money.texts.ts'
import './admin-money.css'

const RANGES = [30, 90, 365]

type MoneyChartsProps = {
  planCodes: readonly string[]
  /** Which figures: only what moved each day, or also the balances and debts at its beginning. */
  kind: 'moves' | 'all'
}

/** Figures by business day; the DCT ones for one plan or for all. */
export function MoneyCharts({ planCodes, kind }: MoneyChartsProps) {
  const text = useTexts(moneyTexts)
  const [days, setDays] = useState(RANGES[0] ?? 0)
  const [plan, setPlan] = useState('')
  const history = useQuery(moneyQueries.history({ days, ...(plan !== '' && { plan_code: plan }) }))
  return (
    <section className="panel" aria-label={text('overTime')} aria-busy={history.isFetching}>
      <div className="panel__head">
        <h2>{text('overTime')}</h2>
        <div className="row">
          <SelectField label={text('planFilter')} value={plan} onChoose={setPlan}>
            <option value="">{text('allPlans')}</option>
            {planCodes.map((code) => (
              <option key={code} value={code}>
                {code}
              </option>
            ))}
          </SelectField>
          <SelectField
            label={text('range')}
            value={days}
            onChoose={(chosen) => setDays(Number(chosen))}
          >
            {RANGES.map((count) => (
              <option key={count} value={count}>
                {text('lastDays', { days: count })}
              </option>
            ))}
          </SelectField>
        </div>
      </div>
      {history.isPending && <span className="skeleton skeleton--block" aria-busy="true" />}
      {history.isError && <NotLoaded query={history}>{text('loadFailed')}</NotLoaded>}
      {history.data?.length === 0 && <p className="soft">{text('noDays')}</p>}
      {history.data !== undefined && history.data.length > 0 && (
        <>
          <Moves days={history.data} />
          {kind === 'all' && <Balances days={history.data} />}
        </>
      )}
    </section>
  )
}

type ChartsProps = { days: readonly MoneyDay[] }
type Figure = Exclude<keyof MoneyDay, 'day'>

function useCharts({ days }: ChartsProps) {
  const text = useTexts(moneyTexts)
  const series = (name: string, tone: Series['tone'], key: Figure): Series => ({
    ...{ name, tone, values: days.map((day) => day[key]) },
  })
  const common = {
    days: days.map(({ day }) => day),
    tableLabel: text('figuresByDay'),
    dayLabel: text('day'),
  }
  return { text, series, common }
}

/** What moved during each day. */
function Moves(props: ChartsProps) {
  const { text, series, common } = useCharts(props)
  return (
    <div className="money-charts">
      <AmountChart
        {...common}
        shape="bars"
        title={text('lockedByDay')}
        unit="DCT"
        series={[series(text('lockedByDay'), 'dct', 'dct_locked')]}
      />
      <AmountChart
        {...common}
        shape="bars"
        title={text('paidByDay')}
        unit="DCT"
        series={[series(text('paidByDay'), 'dct', 'dct_paid')]}
      />
      <AmountChart
        {...common}
        shape="pairs"
        title={text('feesAndPayouts')}
        unit="USDT"
        series={[
          series(text('feesIn'), 'usdt', 'usdt_fees'),
          series(text('referrersPaid'), 'ink', 'usdt_paid'),
        ]}
      />
    </div>
  )
}

/** What was owed at the beginning of each day, and the balances that pay it. */
function Balances(props: ChartsProps) {
  const { text, series, common } = useCharts(props)
  return (
    <div className="money-charts">
      <AmountChart
        {...common}
        shape="lines"
        title={text('owedDct')}
        unit="DCT"
        series={[
          series(text('owedLine'), 'dct', 'dct_owed'),
          series(text('poolLine'), 'ink', 'dct_pool'),
        ]}
      />
      <AmountChart
        {...common}
        shape="lines"
        title={text('owedUsdt')}
        unit="USDT"
        series={[
          series(text('owedLine'), 'usdt', 'usdt_owed'),
          series(text('walletLine'), 'ink', 'usdt_wallet'),
        ]}
      />
      <AmountChart
        {...common}
        shape="lines"
        title={text('operatorTrx')}
        unit="TRX"
        series={[series('TRX', 'ink', 'trx')]}
      />
      <AmountChart
        {...common}
        shape="lines"
        title={text('payoutBnb')}
        unit="BNB"
        series={[series('BNB', 'ink', 'bnb')]}
      />
    </div>
  )
}
