import { formatPercentage } from '@dct/rules/percentages'
import { readReferralPercentage } from '@dct/rules/referral-percentage'
import { type FormEvent, useState } from 'react'
import { errorText } from '../../shared/api/api-error.ts'
import type { User } from '../../shared/api/wire.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { readDecimal, shownDecimal } from '../../shared/lib/decimal.ts'
import { shownPercentage } from '../../shared/lib/shown-percentage.ts'
import { CheckedField } from '../../shared/ui/checked-field.tsx'
import { CancelButton, Dialog } from '../../shared/ui/dialog.tsx'
import { ExplorerValue } from '../../shared/ui/explorer-value.tsx'
import { Fact } from '../../shared/ui/fact.tsx'
import { toast } from '../../shared/ui/toast-store.ts'
import { useUpdatePercentage } from './admin-users.api.ts'
import { USER_REFUSALS, USER_WORDING, userTexts } from './admin-users.texts.ts'
import { RatePreview } from './rate-preview.tsx'

type StepProps = { user: User; onClose(): void }

/** Asks for a percentage, then shows the old and the new one; nothing is saved until that is confirmed. */
export function EditPercentage({ user, onClose }: StepProps) {
  const [wanted, setWanted] = useState<string>()
  return wanted === undefined ? (
    <EnterPercentage user={user} onClose={onClose} onEntered={setWanted} />
  ) : (
    <ConfirmUpdate user={user} wanted={wanted} onClose={onClose} />
  )
}

type EnterProps = StepProps & { onEntered(percentage: string): void }

function EnterPercentage({ user, onClose, onEntered }: EnterProps) {
  const text = useTexts(userTexts)
  const [typed, setTyped] = useState(shownDecimal(user.referral_reward_percentage))
  const [problem, setProblem] = useState<string>()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const read = readReferralPercentage(readDecimal(typed, '%') ?? typed)
    if (typed.trim() === '' || ('problem' in read && read.problem === 'text')) {
      return refuse(USER_REFUSALS.notNumeric)
    }
    if ('problem' in read) return refuse(USER_REFUSALS.outOfRange)
    onEntered(formatPercentage(read.rateBps))
  }
  const refuse = (reason: string) => {
    setProblem(reason)
    toast.error(reason)
  }
  return (
    <Dialog title={USER_WORDING.editTitle} onClose={onClose}>
      <form className="stack" onSubmit={submit} noValidate>
        <p>
          <ExplorerValue chain="tron" kind="address" value={user.tron_address} isWhole />
        </p>
        <p className="soft">{text('editHint')}</p>
        <CheckedField
          label={text('newPercentage')}
          inputMode="decimal"
          placeholder="1 - 75"
          isAnnounced={false}
          value={typed}
          problem={problem}
          onType={(entered) => {
            setTyped(entered)
            setProblem(undefined)
          }}
        />
        <div className="dialog__actions">
          <CancelButton>{text('cancel')}</CancelButton>
          <button type="submit" className="button">
            {text('save')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

function ConfirmUpdate({ user, wanted, onClose }: StepProps & { wanted: string }) {
  const text = useTexts(userTexts)
  const update = useUpdatePercentage()
  const save = () =>
    update.mutate(
      { target_tron_address: user.tron_address, referral_reward_percentage: Number(wanted) },
      {
        onSuccess: ({ message, is_set: isSet }) => {
          toast.outcome(message, { isDone: isSet })
          onClose()
        },
        onError: (error) => toast.error(errorText(error, USER_WORDING.updateFailed)),
      },
    )
  return (
    <Dialog title={USER_WORDING.confirmTitle} onClose={onClose} isBusy={update.isPending}>
      <p>
        <ExplorerValue chain="tron" kind="address" value={user.tron_address} isWhole />
      </p>
      <dl className="facts">
        <Fact term={text('oldValue')}>{shownPercentage(user.referral_reward_percentage)}%</Fact>
        <Fact term={text('newValue')}>{shownPercentage(wanted)}%</Fact>
      </dl>
      <RatePreview address={user.tron_address} percentage={wanted} />
      <p className="soft">{text('confirmHint')}</p>
      <div className="dialog__actions">
        <CancelButton>{text('cancel')}</CancelButton>
        <button type="button" className="button" disabled={update.isPending} onClick={save}>
          {text('confirm')}
        </button>
      </div>
    </Dialog>
  )
}
