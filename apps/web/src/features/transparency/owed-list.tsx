import type { OwnOwedReply } from '@dct/api-contract/owed-list'
import { checkInclusion } from '@dct/rules/sum-tree'
import { useQuery } from '@tanstack/react-query'
import { useTexts } from '../../shared/i18n/texts.ts'
import { shownDate } from '../../shared/lib/date.ts'
import { saveBlob } from '../../shared/lib/save-blob.ts'
import { useAction } from '../../shared/lib/use-once.ts'
import { useSession } from '../../shared/session/session.tsx'
import { Amount } from '../../shared/ui/amount.tsx'
import { Callout } from '../../shared/ui/callout.tsx'
import { Fact } from '../../shared/ui/fact.tsx'
import { SmallButton } from '../../shared/ui/small-button.tsx'
import { owedDaysQuery, readOwnOwed } from './transparency.api.ts'
import { transparencyTexts } from './transparency.texts.ts'
import { VERIFY_PAGE_SHA256 } from './verify-page-hash.ts'

/** The newest list of what referrers are owed, and whether the signed-in holder is in it. */
export function OwedList() {
  const text = useTexts(transparencyTexts)
  const { user } = useSession()
  const [newest] = useQuery(owedDaysQuery).data?.days ?? []
  if (newest === undefined) return null
  return (
    <>
      <h3>{text('owedList')}</h3>
      <p className="soft">{text('owedListHint')}</p>
      <dl className="facts">
        <Fact term={text('owedListSum', { day: shownDate(newest.day) })}>
          <Amount value={newest.sum_usdt} unit="USDT" decimals="all" />
        </Fact>
        <Fact term={text('owedListHolders')}>{newest.holders}</Fact>
        <Fact term={text('owedListRoot')}>
          <code className="code check-yourself__call">{newest.root}</code>
        </Fact>
      </dl>
      {user?.role === 'user' && <OwnPlace />}
      <p className="soft small">
        <a href="/verify.html" download>
          {text('verifyPage')}
        </a>{' '}
        SHA-256 <code className="code check-yourself__call">{VERIFY_PAGE_SHA256}</code>
      </p>
    </>
  )
}

/** One press: the browser follows the holder's own path to the published root. */
function OwnPlace() {
  const text = useTexts(transparencyTexts)
  const own = useAction({ mutationFn: readOwnOwed })
  return (
    <div className="stack stack--tight">
      <SmallButton disabled={own.isPending} onClick={() => own.mutate()}>
        {text('amIIn')}
      </SmallButton>
      {own.isError && <Callout tone="warn">{text('ownPlaceFailed')}</Callout>}
      {own.data !== undefined && <Verdict own={own.data} />}
    </div>
  )
}

function Verdict({ own: { published, proof } }: { own: OwnOwedReply }) {
  const text = useTexts(transparencyTexts)
  if (published === null || proof === null) {
    return <Callout role="status">{text('nothingListed')}</Callout>
  }
  const isIn = checkInclusion(proof, published) === undefined
  const save = () =>
    saveBlob({
      name: `owed-${proof.day}.json`,
      content: new Blob([JSON.stringify({ published, proof }, null, 2)]),
    })
  return (
    <>
      <Callout tone={isIn ? 'info' : 'bad'} role="status">
        <p>{text(isIn ? 'youAreIn' : 'youAreNotIn', { day: shownDate(proof.day) })}</p>
      </Callout>
      <SmallButton onClick={save}>{text('saveOwnPlace')}</SmallButton>
    </>
  )
}
