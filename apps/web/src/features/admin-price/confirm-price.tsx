import type { PriceReply } from '@dct/api-contract/pricing'
import { errorText } from '../../shared/api/api-error.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { Amount } from '../../shared/ui/amount.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
import { toast } from '../../shared/ui/toast-store.ts'
import { useSetPrice } from './admin-price.api.ts'
import { priceTexts } from './admin-price.texts.ts'
import { isLargeStep, stepPercentage } from './price-step.ts'

type ConfirmPriceProps = { price: PriceReply; wanted: string; onClose(): void }

const PRICE_DECIMALS = 8

/** The old and the new price side by side, before anything is sent. */
export function ConfirmPrice({ price, wanted, onClose }: ConfirmPriceProps) {
  const text = useTexts(priceTexts)
  const setPrice = useSetPrice()
  const { price: before, maximum_step_percentage: percentage, proposal } = price
  const isConfirming = proposal !== null && proposal.price === wanted
  const isLarge = before !== null && !isConfirming && isLargeStep(before, wanted, percentage)
  const send = () =>
    setPrice.mutate(
      { price: wanted },
      {
        onSuccess: ({ message, is_set }) => {
          if (is_set) toast.success(message)
          else toast.warning(message)
          onClose()
        },
      },
    )
  return (
    <Dialog title={text('confirmTitle')} onClose={onClose}>
      <dl className="facts">
        <div>
          <dt>{text('oldPrice')}</dt>
          <dd>
            <Amount value={before} unit="USDT" decimals={PRICE_DECIMALS} />
          </dd>
        </div>
        <div>
          <dt>{text('newPrice')}</dt>
          <dd>
            <Amount value={wanted} unit="USDT" decimals={PRICE_DECIMALS} />
          </dd>
        </div>
        {before !== null && (
          <div>
            <dt>{text('step')}</dt>
            <dd>{stepPercentage(before, wanted)} %</dd>
          </div>
        )}
      </dl>
      <p className="soft">{text('effect')}</p>
      {isLarge && (
        <Notice tone="warn">
          <p>{text('largeStep', { percentage })}</p>
        </Notice>
      )}
      {setPrice.isError && (
        <p className="field__error" role="alert">
          {errorText(setPrice.error, text('failed'))}
        </p>
      )}
      <div className="dialog__actions">
        <button type="button" className="button button--quiet" onClick={onClose}>
          {text('cancel')}
        </button>
        <button type="button" className="button" disabled={setPrice.isPending} onClick={send}>
          {text('confirm')}
        </button>
      </div>
    </Dialog>
  )
}
