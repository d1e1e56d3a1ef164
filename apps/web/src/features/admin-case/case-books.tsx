import { CASE_ENTRIES, LEDGER_ACCOUNTS } from '@dct/api-contract/codes'
import type { CaseReply } from '@dct/api-contract/reports'
import { useTexts } from '../../shared/i18n/texts.ts'
import { Amount } from '../../shared/ui/amount.tsx'
import { CodeName } from '../../shared/ui/code-name.tsx'
import { DateTime } from '../../shared/ui/date-time.tsx'
import { ExplorerValue } from '../../shared/ui/explorer-value.tsx'
import { Fact } from '../../shared/ui/fact.tsx'
import { Panel } from '../../shared/ui/panel.tsx'
import { PlainTable } from '../../shared/ui/plain-table.tsx'
import { adminCaseTexts } from './admin-case.texts.ts'

/** The parts of a case that only admins see: the underlying lock, the ledger, and the rewards from its fee. */
export function CaseBooks({ found }: { found: CaseReply }) {
  const text = useTexts(adminCaseTexts)
  const { stake, named_transaction: named } = found
  return (
    <>
      <Panel title={text('stake')}>
        <dl className="facts">
          <Fact term={text('stakeId')}>{stake.id}</Fact>
          <Fact term={text('stakeHash')}>
            <ExplorerValue chain="tron" kind="transaction" value={stake.tx_hash} />
          </Fact>
          <Fact term={text('stakeAmount')}>
            <Amount value={stake.amount} unit="DCT" />
          </Fact>
          {named && (
            <Fact term={text('named')} hint={named.problem ?? text('namedFine')}>
              <ExplorerValue chain="bsc" kind="transaction" value={named.tx_hash} />
            </Fact>
          )}
        </dl>
      </Panel>
      <Panel title={text('entries')} className="wide-table">
        {found.entries.length === 0 ? (
          <p className="soft">{text('noEntries')}</p>
        ) : (
          <PlainTable
            caption={text('entries')}
            columns={[
              { header: text('when') },
              { header: text('what') },
              { header: text('amount'), align: 'end' },
              { header: text('from') },
              { header: text('to') },
            ]}
            rows={found.entries.map((entry) => ({
              key: `${entry.kind} ${entry.ref}`,
              cells: [
                <DateTime key="at" value={entry.at} />,
                <CodeName key="kind" codes={CASE_ENTRIES} code={entry.kind} />,
                <Amount
                  key="amount"
                  value={entry.amount}
                  unit={entry.asset === 'DCT' ? 'DCT' : 'USDT'}
                  decimals="all"
                />,
                <AccountName key="debit" code={entry.debit} />,
                <AccountName key="credit" code={entry.credit} />,
              ],
            }))}
          />
        )}
      </Panel>
      {found.referral_rewards.length > 0 && (
        <Panel title={text('rewards')}>
          <ul>
            {found.referral_rewards.map((reward) => (
              <li key={reward.tron_address + reward.kind}>
                <ExplorerValue chain="tron" kind="address" value={reward.tron_address} />:{' '}
                <CodeName codes={CASE_ENTRIES} code={`referral.${reward.kind}`} />{' '}
                <Amount value={reward.amount_usdt} unit="USDT" decimals="all" />
              </li>
            ))}
          </ul>
        </Panel>
      )}
    </>
  )
}

/** What a ledger account holds, and below it its code, which identifies the owner or the plan. */
function AccountName({ code }: { code: string }) {
  const [name = ''] = code.split(':')
  return (
    <>
      <CodeName codes={LEDGER_ACCOUNTS} code={name} />
      <br />
      <span className="code soft small">{code}</span>
    </>
  )
}
