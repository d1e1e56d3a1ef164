import {
  createContext,
  type PropsWithChildren,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { WalletError } from '../chain/wallet-error.ts'
import { clock } from '../clock.ts'
import { toast } from '../ui/toast-store.ts'
import { TX_WORDING } from './tx.texts.ts'
import { TxOverlay } from './tx-overlay.tsx'
import type { TxReport, Words } from './tx-report.ts'
import { isCancellable, startTx, TX_WAIT_MS, type TxEvent, txReducer } from './tx-stage.ts'

export type { TxReport } from './tx-report.ts'

export type TxAction<T> = {
  steps: readonly { id: string; label: Words }[]
  /** When the countdown ends, for an action resumed after a reload. */
  deadline?: number
  /** Set if the action asks no wallet and can go on unseen: the overlay may then be closed at any time. */
  onClose?(): void
  work(report: TxReport): Promise<T>
}

/** The outcome of an action; `hash` is its latest transaction, if one was signed. */
export type TxResult<T> =
  | { ok: true; value: T; hash: string | undefined }
  | { ok: false; error: unknown; hash: string | undefined }

type RunTx = <T>(action: TxAction<T>) => Promise<TxResult<T>>
type Running = {
  key: number
  labels: Readonly<Record<string, Words>>
  onClose: (() => void) | undefined
  /** Stops the action, as long as nothing that it asks for has been signed. */
  cancel(): void
}

type Tx = { run: RunTx; isRunning: boolean }
const TxContext = createContext<Tx | undefined>(undefined)

/** Runs money actions under the full-screen overlay, which outlives the screen that started them. */
export function TxProvider({ children }: PropsWithChildren) {
  const [state, setState] = useState(() => startTx([], 0))
  const [running, setRunning] = useState<Running>()
  const [isShown, setIsShown] = useState(false)
  const lastKey = useRef(0)

  const run = useCallback<RunTx>(async (action) => {
    const key = ++lastKey.current
    const deadline = action.deadline ?? clock.now().getTime() + TX_WAIT_MS
    const stop = new AbortController()
    const dispatch = (event: TxEvent) => {
      if (key !== lastKey.current) return
      setState((before) => txReducer(before, event))
      // A closed overlay returns when the wallet has to be answered.
      if (event.type === 'asked') setIsShown(true)
    }
    const steps = action.steps.map(({ id }) => id)
    setState(startTx(steps, deadline))
    setRunning({
      key,
      labels: Object.fromEntries(action.steps.map(({ id, label }) => [id, label])),
      onClose: action.onClose,
      cancel: () => stop.abort(new WalletError('cancelled')),
    })
    setIsShown(true)

    const result = await settle(action, { deadline, signal: stop.signal }, dispatch)
    if (result.ok) dispatch({ type: 'finished' })
    else dispatch({ type: 'failed', reason: String(result.error) })
    if (key === lastKey.current) {
      setIsShown(false)
      setRunning(undefined)
    }
    return result
  }, [])

  const onTimeout = useCallback(() => {
    setState((before) => txReducer(before, { type: 'waitedTooLong' }))
    toast.error(TX_WORDING.timeout)
  }, [])
  useDeadline(running ? state.deadline : undefined, onTimeout)

  const isRunning = running !== undefined
  const value = useMemo(() => ({ run, isRunning }), [run, isRunning])
  const close = () => {
    setIsShown(false)
    running?.onClose?.()
  }
  const isCancel = running?.onClose === undefined && isCancellable(state)
  return (
    <TxContext value={value}>
      {children}
      {running && isShown && (
        <TxOverlay
          state={state}
          labels={running.labels}
          isCancel={isCancel}
          onClose={isCancel ? running.cancel : close}
        />
      )}
    </TxContext>
  )
}

export function useTx(): Tx {
  const tx = useContext(TxContext)
  if (!tx) throw new Error('useTx needs a TxProvider')
  return tx
}

async function settle<T>(
  action: TxAction<T>,
  { deadline, signal }: Pick<TxReport, 'deadline' | 'signal'>,
  dispatch: (event: TxEvent) => void,
): Promise<TxResult<T>> {
  let hash: string | undefined
  const report: TxReport = {
    step: (step, label) => dispatch({ type: 'stepStarted', step, label }),
    skip: (step) => dispatch({ type: 'stepSkipped', step }),
    log: (line) => dispatch({ type: 'logged', line }),
    asked: () => dispatch({ type: 'asked' }),
    signed: (signed) => {
      hash = signed
      dispatch({ type: 'signed', hash: signed })
    },
    included: () => dispatch({ type: 'included' }),
    deadline,
    signal,
  }
  try {
    return {
      ok: true,
      value: await Promise.race([action.work(report), untilAborted(signal)]),
      hash,
    }
  } catch (error) {
    return { ok: false, error, hash }
  }
}

/** Rejects when aborted, so that a wallet that never answers holds nothing up. */
function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason))
  })
}

function useDeadline(deadline: number | undefined, onReached: () => void): void {
  useEffect(() => {
    if (deadline === undefined) return undefined
    const timer = setTimeout(onReached, Math.max(0, deadline - clock.now().getTime()))
    return () => clearTimeout(timer)
  }, [deadline, onReached])
}
