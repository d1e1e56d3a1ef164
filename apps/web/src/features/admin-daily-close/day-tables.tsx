import type { DayStatement } from '@dct/api-contract/reports'
import { useTexts } from '../../shared/i18n/texts.ts'
import { Amount } from '../../shared/ui/amount.tsx'
import { Panel } from '../../shared/ui/panel.tsx'
import { PlainTable } from '../../shared/ui/plain-table.tsx'
import { closeTexts } from './daily-close.texts.ts'

type Names = (typeof closeTexts)['english']

/** A day's movements and figures. */
export function DayTables({ statement }: { statement: DayStatement }) {
  const text = useTexts(closeTexts)
  // A movement without a text yet is shown under the service's name for it.
  const nameOf = (id: string) => (id in closeTexts.english ? text(id as keyof Names & 'day') : id)
  return (
    <>
      <Panel title={text('flows')}>
        {statement.flows.length === 0 ? (
          <p className="soft">{text('noFlows')}</p>
        ) : (
          <PlainTable
            caption={text('flows')}
            columns={[
              { header: text('flow') },
              { header: text('count'), align: 'end' },
              { header: text('onChain'), align: 'end' },
              { header: text('booked'), align: 'end' },
              { header: text('difference'), align: 'end' },
            ]}
            rows={statement.flows.map((flow) => ({
              key: flow.flow,
              cells: [
                nameOf(flow.flow),
                flow.count,
                <Amount key="chain" value={flow.on_chain} unit={flow.asset} />,
                <Amount key="booked" value={flow.booked} unit={flow.asset} />,
                <Amount key="difference" value={flow.difference} unit={flow.asset} />,
              ],
            }))}
          />
        )}
      </Panel>
      <Panel title={text('figures')}>
        <PlainTable
          isNarrow
          caption={text('figures')}
          columns={[
            { header: text('figure') },
            { header: text('count'), align: 'end' },
            { header: text('amount'), align: 'end' },
          ]}
          rows={statement.figures.map((figure) => ({
            key: figure.figure,
            cells: [
              nameOf(figure.figure),
              figure.count,
              <Amount key="amount" value={figure.amount} unit={figure.asset} />,
            ],
          }))}
        />
      </Panel>
    </>
  )
}
