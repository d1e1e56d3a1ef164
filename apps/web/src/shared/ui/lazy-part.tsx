import { Component, lazy, type ReactElement, Suspense, useEffect } from 'react'
import { useIsOffline } from '../api/connection.ts'
import { useTexts } from '../i18n/texts.ts'
import { Callout } from './callout.tsx'
import { toast } from './toast-store.ts'
import { uiTexts } from './ui.texts.ts'

type Part<P> = (props: P) => ReactElement | null
type Load<P> = () => Promise<Part<P>>
/** A part whose code `load` can prefetch; it then renders immediately. */
export type LazyPart<P> = (new (props: P) => Component<P>) & { load(): Promise<unknown> }

/** A part of a page whose code is fetched on first render. If that fails, it shows why and what to do. */
export function lazyPart<P extends object = object>(load: Load<P>): LazyPart<P> {
  return withCode(load, () => <PartMissing />)
}

/** The same for a dialog: shows nothing until its code is there; if that fails, it shows a toast and closes. */
export function lazyDialog<P extends { onClose(): void }>(load: Load<P>): Part<P> {
  const Part = withCode(load, ({ onClose }) => <DialogMissing onClose={onClose} />)
  return (props) => (
    <Suspense>
      <Part {...props} />
    </Suspense>
  )
}

class CodeMissing extends Error {
  override name = 'CodeMissing'
}

function withCode<P extends object>(load: Load<P>, missing: Part<P>): LazyPart<P> {
  let loaded: Part<P> | undefined
  const loadOnce = async () => {
    loaded ??= await load()
    return loaded
  }
  const Later = lazy(async () => {
    try {
      return { default: await loadOnce() }
    } catch (cause) {
      throw new CodeMissing('The code of this part could not be fetched', { cause })
    }
  })
  return class LazyPart extends Component<P, { error: unknown }> {
    static readonly load = loadOnce
    override state = { error: undefined }
    // Chosen once: another component in its place would lose the part's state.
    readonly #Part = loaded ?? Later

    static getDerivedStateFromError(error: unknown): { error: unknown } {
      return { error }
    }

    override render(): ReactElement | null {
      const error: unknown = this.state.error
      const Part = this.#Part
      if (error === undefined) return <Part {...this.props} />
      if (error instanceof CodeMissing) return missing(this.props)
      // The part itself failed: leave that to the error boundary above.
      throw error
    }
  }
}

/** Browsers cache a failed import, so only reloading the page helps, once there is a connection. */
function PartMissing() {
  const text = useTexts(uiTexts)
  const isOffline = useIsOffline()
  return (
    <div className="page">
      <Callout tone="warn" role="alert">
        <p>{text(isOffline ? 'partOffline' : 'partMissing')}</p>
        {!isOffline && (
          <p>
            <button type="button" className="text-button" onClick={() => window.location.reload()}>
              {text('reload')}
            </button>
          </p>
        )}
      </Callout>
    </div>
  )
}

function DialogMissing({ onClose }: { onClose(): void }) {
  const text = useTexts(uiTexts)
  const why = text(useIsOffline() ? 'partOffline' : 'partMissing')
  // biome-ignore lint/correctness/useExhaustiveDependencies: shown once, when it happens
  useEffect(() => {
    toast.error(why)
    onClose()
  }, [])
  return null
}
