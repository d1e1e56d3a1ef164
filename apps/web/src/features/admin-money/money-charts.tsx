import type { MoneyDay } from '@dct/api-contract/operations'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTexts } from '../../shared/i18n/texts.ts'
import { AmountChart, type Series } from '../../shared/ui/chart/amount-chart.tsx'
import { SelectField } from '../../shared/ui/select-field.tsx'
import { moneyQueries } from './admin-money.api.ts'
import { moneyTexts } from './admin-money.texts.ts'

const RANGES = [30, 90, 365]

/** The same figures by business day; the DCT ones for one plan or for all. */
export function MoneyCharts({ planCodes }: { planCodes: readonly string[] }) {
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
      {history.isError && <p>{text('loadFailed')}</p>}
      {history.data?.length === 0 && <p className="soft">{text('noDays')}</p>}
      {history.data !== undefined && history.data.length > 0 && <Charts days={history.data} />}
    </section>
  )
}

function Charts({ days }: { days: readonly MoneyDay[] }) {
  const text = useTexts(moneyTexts)
  const line = (
    name: string,
    tone: Series['tone'],
    key: Exclude<keyof MoneyDay, 'day'>,
  ): Series => ({ name, tone, values: days.map((day) => day[key]) })
  const common = {
    shape: 'lines' as const,
    days: days.map(({ day }) => day),
    tableLabel: text('figuresByDay'),
    dayLabel: text('day'),
  }
  return (
    <>
      <AmountChart
        {...common}
        title={text('owedDct')}
        unit="DCT"
        series={[
          line(text('owedLine'), 'dct', 'dct_owed'),
          line(text('poolLine'), 'ink', 'dct_pool'),
        ]}
      />
      <AmountChart
        {...common}
        title={text('owedUsdt')}
        unit="USDT"
        series={[
          line(text('owedLine'), 'usdt', 'usdt_owed'),
          line(text('walletLine'), 'ink', 'usdt_wallet'),
        ]}
      />
      <AmountChart
        {...common}
        title={text('operatorTrx')}
        unit="TRX"
        series={[line('TRX', 'ink', 'trx')]}
      />
      <AmountChart
        {...common}
        title={text('payoutBnb')}
        unit="BNB"
        series={[line('BNB', 'ink', 'bnb')]}
      />
    </>
  )
}
