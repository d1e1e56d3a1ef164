import type { PriceReply } from '@dct/api-contract/pricing'
import { errorText } from '../../shared/api/api-error.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { shownDecimal } from '../../shared/lib/decimal.ts'
import { shownPercentage } from '../../shared/lib/shown-percentage.ts'
import { Amount } from '../../shared/ui/amount.tsx'
import { Callout } from '../../shared/ui/callout.tsx'
import { CancelButton, Dialog } from '../../shared/ui/dialog.tsx'
import { Fact } from '../../shared/ui/fact.tsx'
import { toast } from '../../shared/ui/toast-store.ts'
import { useSetMoneySetting } from './admin-price.api.ts'
import { priceTexts } from './admin-price.texts.ts'
import { isWithin, stepPercentage } from './price-step.ts'

type ConfirmPriceProps = { price: PriceReply; wanted: string; onClose(): void }

/** Shows the old and the new price side by side before anything is sent. */
export function ConfirmPrice({ price, wanted, onClose }: ConfirmPriceProps) {
  const text = useTexts(priceTexts)
  const setPrice = useSetMoneySetting()
  const { price: before, maximum_step_percentage: percentage } = price
  const isLarge = !isWithin(price.alone, wanted)
  const send = () =>
    setPrice.mutate(
      { name: 'price', value: wanted },
      {
        onSuccess: ({ message, is_set: isSet }) => {
          toast.outcome(message, { isDone: isSet })
          onClose()
        },
      },
    )
  return (
    <Dialog title={text('confirmTitle')} onClose={onClose} isBusy={setPrice.isPending}>
      <dl className="facts">
        <Fact term={text('oldPrice')}>
          <Amount value={before} unit="USDT" decimals="all" />
        </Fact>
        <Fact term={text('newPrice')}>
          <Amount value={wanted} unit="USDT" decimals="all" />
        </Fact>
        {before !== null && (
          <Fact term={text('step')}>{shownDecimal(stepPercentage(before, wanted))}%</Fact>
        )}
      </dl>
      <p className="soft">{text('effect')}</p>
      {isLarge && (
        <Callout tone="warn">
          <p>{text('largeStep', { percentage: shownPercentage(percentage) })}</p>
        </Callout>
      )}
      {setPrice.isError && (
        <p className="field__error" role="alert">
          {errorText(setPrice.error, text('failed'))}
        </p>
      )}
      <div className="dialog__actions">
        <CancelButton>{text('cancel')}</CancelButton>
        <button type="button" className="button" disabled={setPrice.isPending} onClick={send}>
          {text('confirm')}
        </button>
      </div>
    </Dialog>
  )
}
