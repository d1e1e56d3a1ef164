import { Dialog } from 'radix-ui'
import { useEffect, useRef, useState } from 'react'
import { useWallet } from '../chain/wallet-provider.tsx'
import { clock } from '../clock.ts'
import { useTexts } from '../i18n/texts.ts'
import { UnkeptCallout } from '../storage/unkept-callout.tsx'
import { useBackCloses } from '../ui/back-closes.ts'
import { Callout } from '../ui/callout.tsx'
import { ExplorerValue } from '../ui/explorer-value.tsx'
import { CheckIcon, CloseIcon } from '../ui/icons.tsx'
import { DialogPortal, DialogRoot } from '../ui/radix-dialog.ts'
import { TX_WORDING, txTexts } from './tx.texts.ts'
import type { Words } from './tx-report.ts'
import { secondsLeft, type TxState, type TxStep, type TxStepState } from './tx-stage.ts'
import './tx-overlay.css'

type TxOverlayProps = {
  state: TxState
  labels: Readonly<Record<string, Words>>
  /** Closing cancels the action; otherwise the action goes on, and the page shows how. */
  isCancel: boolean
  onClose(): void
}

/** Covers the page while a transaction is in progress. It can be left at any time. */
export function TxOverlay({ state, labels, isCancel, onClose }: TxOverlayProps) {
  const text = useTexts(txTexts)
  const wallet = useWallet().walletName ?? 'TronLink'
  useBackCloses(() => !isCancel && onClose())
  const hold = (event: Event) => event.preventDefault()
  return (
    <DialogRoot open onOpenChange={(isOpen) => !isOpen && !isCancel && onClose()}>
      <DialogPortal>
        <div className="tx-overlay" data-holds-page>
          <Dialog.Content
            className="tx-overlay__content"
            aria-describedby={undefined}
            onEscapeKeyDown={isCancel ? hold : undefined}
            onInteractOutside={hold}
          >
            <span className="tx-overlay__spinner" aria-hidden="true" />
            <Dialog.Title className="tx-overlay__title">{TX_WORDING.waiting}</Dialog.Title>
            <Countdown deadline={state.deadline} />
            <Steps steps={state.steps} labels={labels} />
            <UnkeptCallout subject="transaction" />
            <div aria-live="polite">
              {state.stage.name === 'sign' && !state.isLate && (
                <Callout>
                  <p>{text('confirmInWallet', { wallet })}</p>
                  <p>{text('noPrompt', { wallet })}</p>
                </Callout>
              )}
              {state.isLate && (
                <Callout>
                  <p>{text(lateText(state))}</p>
                  <p>
                    <a href="/status" target="_blank" rel="noopener noreferrer">
                      {text('status')}
                    </a>
                  </p>
                </Callout>
              )}
            </div>
            <Log lines={state.log} />
            <footer className="row tx-overlay__foot">
              {state.hash && (
                <span>
                  {text('transaction')}{' '}
                  <ExplorerValue chain="tron" kind="transaction" value={state.hash} />
                </span>
              )}
              <button type="button" className="button button--quiet" onClick={onClose}>
                {text(isCancel ? 'cancel' : 'close')}
              </button>
            </footer>
          </Dialog.Content>
        </div>
      </DialogPortal>
    </DialogRoot>
  )
}

function lateText({ stage }: TxState): 'stillChecking' | 'stillSigning' | 'stillWorking' {
  if (stage.name === 'sign') return 'stillSigning'
  return stage.name === 'pending' ? 'stillChecking' : 'stillWorking'
}

function Countdown({ deadline }: { deadline: number }) {
  const text = useTexts(txTexts)
  const [now, setNow] = useState(() => clock.now().getTime())
  useEffect(() => {
    const timer = setInterval(() => setNow(clock.now().getTime()), 1000)
    return () => clearInterval(timer)
  }, [])
  return (
    <p className="tx-overlay__time" role="timer">
      {text('remaining', { seconds: secondsLeft(deadline, now) })}
    </p>
  )
}

const STATE_TEXTS = {
  waiting: 'stepWaiting',
  active: 'stepActive',
  done: 'stepDone',
  skipped: 'stepSkipped',
  failed: 'stepFailed',
} as const satisfies Record<TxStepState, string>

function Steps({ steps, labels }: { steps: readonly TxStep[]; labels: TxOverlayProps['labels'] }) {
  const text = useTexts(txTexts)
  return (
    <ol className="tx-steps" aria-label={text('steps')}>
      {steps.map(({ id, state, label }) => (
        <li
          key={id}
          className="tx-steps__step"
          data-state={state}
          aria-current={state === 'active' ? 'step' : undefined}
        >
          <span className="tx-steps__mark">
            {state === 'done' && <CheckIcon />}
            {state === 'failed' && <CloseIcon />}
          </span>
          {(label ?? labels[id])?.()}
          <span className="visually-hidden">{text(STATE_TEXTS[state])}</span>
        </li>
      ))}
    </ol>
  )
}

function Log({ lines }: { lines: readonly Words[] }) {
  const text = useTexts(txTexts)
  const box = useRef<HTMLDivElement>(null)
  const count = lines.length
  useEffect(() => {
    if (count > 0) box.current?.scrollTo({ top: box.current.scrollHeight })
  }, [count])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users need focus to scroll a long log
    <div ref={box} className="tx-log" role="log" aria-label={text('log')} tabIndex={0}>
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines are only ever added at the end
        <p key={index}>{line()}</p>
      ))}
    </div>
  )
}
