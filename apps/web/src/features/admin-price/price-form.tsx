import type { PriceReply } from '@dct/api-contract/pricing'
import { type FormEvent, useState } from 'react'
import { useTexts } from '../../shared/i18n/texts.ts'
import { compareDecimals, decimalProblem } from '../../shared/lib/decimal.ts'
import { CheckedField } from '../../shared/ui/checked-field.tsx'
import { priceTexts } from './admin-price.texts.ts'
import { readPrice } from './price-step.ts'

type PriceFormProps = { price: PriceReply; onEntered(price: string): void }

/** Asks for a price; nothing is sent until it is confirmed. */
export function PriceForm({ price, onEntered }: PriceFormProps) {
  const text = useTexts(priceTexts)
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState<string>()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const { minimum, maximum } = price
    const wanted = readPrice(typed)
    if (wanted === undefined) return setProblem(decimalProblem(typed, 'USDT') ?? text('invalid'))
    if (compareDecimals(wanted, minimum) < 0 || compareDecimals(wanted, maximum) > 0) {
      return setProblem(text('outOfBounds', { minimum, maximum }))
    }
    onEntered(wanted)
  }
  return (
    <form className="stack" onSubmit={submit} noValidate>
      <CheckedField
        label={text('newPrice')}
        inputMode="decimal"
        value={typed}
        problem={problem}
        onType={(entered) => {
          setTyped(entered)
          setProblem(undefined)
        }}
      />
      <p>
        <button type="submit" className="button">
          {text('set')}
        </button>
      </p>
    </form>
  )
}
