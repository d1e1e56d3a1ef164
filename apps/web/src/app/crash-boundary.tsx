import { Component, type ErrorInfo, type PropsWithChildren, type ReactNode } from 'react'
import { useTexts } from '../shared/i18n/texts.ts'
import { frameTexts } from './frame.texts.ts'

type CrashBoundaryProps = PropsWithChildren<{
  /** Renders the page anew if its elements were changed by something else. @returns whether it will */
  onCrash(): boolean
}>

/** Catches programming errors and offers a way to continue. */
export class CrashBoundary extends Component<CrashBoundaryProps, { hasCrashed: boolean }> {
  override state = { hasCrashed: false }

  static getDerivedStateFromError(): { hasCrashed: boolean } {
    return { hasCrashed: true }
  }

  override componentDidCatch(error: Error, _info: ErrorInfo): void {
    // The page's own code never looks for a node in vain.
    const isForeign = error instanceof DOMException && error.name === 'NotFoundError'
    if (!isForeign || !this.props.onCrash()) reportError(error)
  }

  override render(): ReactNode {
    return this.state.hasCrashed ? <CrashPage /> : this.props.children
  }
}

function CrashPage() {
  const text = useTexts(frameTexts)
  return (
    <main className="page" role="alert">
      <h1>{text('crashTitle')}</h1>
      <p>{text('crashText')}</p>
      <p>
        <button type="button" className="button" onClick={() => window.location.reload()}>
          {text('reload')}
        </button>
      </p>
    </main>
  )
}
