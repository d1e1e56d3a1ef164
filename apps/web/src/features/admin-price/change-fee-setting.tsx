import { MONEY_SETTING_NAMES, type MoneySettingName } from '@dct/api-contract/proposals'
import { isBusinessDay } from '@dct/rules/business-day'
import { type FormEvent, useState } from 'react'
import { errorText } from '../../shared/api/api-error.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { readDecimal } from '../../shared/lib/decimal.ts'
import { CheckedField } from '../../shared/ui/checked-field.tsx'
import { CancelButton, Dialog } from '../../shared/ui/dialog.tsx'
import { SelectField } from '../../shared/ui/select-field.tsx'
import { settingTexts } from '../../shared/ui/setting.texts.ts'
import { toast } from '../../shared/ui/toast-store.ts'
import { useSetMoneySetting } from './admin-price.api.ts'
import { feeSettingTexts } from './fee-settings.texts.ts'

/** Asks which value to change, and to what. */
export function ChangeFeeSetting({ onClose }: { onClose(): void }) {
  const text = useTexts(feeSettingTexts)
  const named = useTexts(settingTexts)
  const setSetting = useSetMoneySetting()
  const [name, setName] = useState<MoneySettingName>('energy_fee')
  const [typed, setTyped] = useState('')
  const isDay = name === 'non_direct_opens'
  const value = isDay ? (isBusinessDay(typed) ? typed : undefined) : readDecimal(typed, 'USDT')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (value === undefined) return
    setSetting.mutate(
      { name, value },
      {
        onSuccess: ({ message, is_set: isDone }) => {
          toast.outcome(message, { isDone })
          onClose()
        },
      },
    )
  }
  return (
    <Dialog title={text('change')} onClose={onClose} isBusy={setSetting.isPending}>
      <form className="stack" onSubmit={submit} noValidate>
        <SelectField
          label={text('which')}
          value={name}
          onChoose={(one) => {
            setName(one as MoneySettingName)
            setTyped('')
          }}
        >
          {MONEY_SETTING_NAMES.map((one) => (
            <option key={one} value={one}>
              {named(one)}
            </option>
          ))}
        </SelectField>
        <CheckedField
          key={name}
          label={
            isDay
              ? text('newDay')
              : text('newValue', { unit: name === 'direct_rate' ? '%' : 'USDT' })
          }
          {...(isDay ? { type: 'date' } : { inputMode: 'decimal' })}
          value={typed}
          problem={setSetting.isError ? errorText(setSetting.error, text('failed')) : undefined}
          onType={setTyped}
        />
        <div className="dialog__actions">
          <CancelButton>{text('cancel')}</CancelButton>
          <button
            type="submit"
            className="button"
            disabled={value === undefined || setSetting.isPending}
          >
            {text('confirm')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
