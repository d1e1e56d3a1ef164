/** The state of a money action as plain data; the overlay only renders it. */
import { TX_WORDING } from './tx.texts.ts'
import type { Words } from './tx-report.ts'

/** How long the overlay counts down. The chain may take longer, so reaching zero does not mean failure. */
export const TX_WAIT_MS = 180_000

export type TxStepState = 'waiting' | 'active' | 'done' | 'skipped' | 'failed'
export type TxStep = {
  id: string
  state: TxStepState
  /** Of a step that was not foreseen. */
  label?: Words | undefined
}

export type TxStage =
  | { name: 'working' }
  /** The wallet is prompting the user. */
  | { name: 'sign' }
  /** Sent; waiting for the chain. */
  | { name: 'pending'; hash: string }
  | { name: 'done'; hash: string | undefined }
  | { name: 'failed'; reason: string }

export type TxState = {
  stage: TxStage
  steps: readonly TxStep[]
  log: readonly Words[]
  /** The latest transaction of this action, for the explorer link. */
  hash: string | undefined
  /** When the countdown ends, in milliseconds since 1970. */
  deadline: number
  /** The countdown ended first. That does not mean failure: the chain is still being polled. */
  isLate: boolean
}

export type TxEvent =
  | { type: 'stepStarted'; step: string; label?: Words | undefined }
  | { type: 'stepSkipped'; step: string }
  | { type: 'logged'; line: Words }
  | { type: 'asked' }
  | { type: 'signed'; hash: string }
  /** The chain included the transaction; further steps may follow. */
  | { type: 'included' }
  | { type: 'waitedTooLong' }
  | { type: 'finished' }
  | { type: 'failed'; reason: string }

export function startTx(steps: readonly string[], deadline: number): TxState {
  return {
    stage: { name: 'working' },
    steps: steps.map((id) => ({ id, state: 'waiting' })),
    log: [],
    hash: undefined,
    deadline,
    isLate: false,
  }
}

/** Applies an event to the state; an event that does not fit is ignored. */
export function txReducer(state: TxState, event: TxEvent): TxState {
  if (isOver(state)) return state
  const { stage } = state
  switch (event.type) {
    case 'logged':
      return { ...state, log: [...state.log, event.line] }
    case 'stepStarted':
      return { ...state, steps: startStep(state.steps, event) }
    case 'stepSkipped':
      return { ...state, steps: withStep(state.steps, event.step, 'skipped') }
    case 'asked':
      return stage.name === 'working' ? { ...state, stage: { name: 'sign' } } : state
    case 'signed':
      if (stage.name !== 'sign') return state
      return { ...state, hash: event.hash, stage: { name: 'pending', hash: event.hash } }
    case 'included':
      return stage.name === 'pending' ? { ...state, stage: { name: 'working' } } : state
    case 'waitedTooLong':
      if (state.isLate) return state
      return { ...state, isLate: true, log: [...state.log, () => TX_WORDING.timeoutLine] }
    case 'finished':
      return {
        ...state,
        steps: endActive(state.steps, 'done'),
        stage: { name: 'done', hash: state.hash },
      }
    case 'failed':
      return {
        ...state,
        steps: endActive(state.steps, 'failed'),
        stage: { name: 'failed', reason: event.reason },
      }
  }
}

function isOver({ stage }: TxState): boolean {
  return stage.name === 'done' || stage.name === 'failed'
}

/** Whether stopping now stops everything: the wallet still has to sign, or nothing has been signed yet. */
export function isCancellable({ stage, hash }: TxState): boolean {
  return stage.name === 'sign' || (stage.name === 'working' && hash === undefined)
}

/** The whole seconds left on the countdown; never below 0. */
export function secondsLeft(deadline: number, now: number): number {
  return Math.max(0, Math.ceil((deadline - now) / 1000))
}

function startStep(
  steps: readonly TxStep[],
  { step: id, label }: Extract<TxEvent, { type: 'stepStarted' }>,
): readonly TxStep[] {
  const ended = endActive(steps, 'done')
  if (ended.some((step) => step.id === id)) return withStep(ended, id, 'active')
  const isWaiting = ({ state }: TxStep) => state === 'waiting'
  const before = ended.filter((step) => !isWaiting(step))
  return [...before, { id, label, state: 'active' }, ...ended.filter(isWaiting)]
}

function endActive(steps: readonly TxStep[], end: 'done' | 'failed'): readonly TxStep[] {
  return steps.map((step) => (step.state === 'active' ? { ...step, state: end } : step))
}

function withStep(steps: readonly TxStep[], id: string, state: TxStepState): readonly TxStep[] {
  return steps.map((step) => (step.id === id ? { ...step, state } : step))
}
