import { Component, type ErrorInfo, type PropsWithChildren, type ReactNode } from 'react'
import { useTexts } from '../shared/i18n/texts.ts'
import { frameTexts } from './frame.texts.ts'

/** Catches programming errors and offers a way to continue. */
export class CrashBoundary extends Component<PropsWithChildren, { hasCrashed: boolean }> {
  override state = { hasCrashed: false }

  static getDerivedStateFromError(): { hasCrashed: boolean } {
    return { hasCrashed: true }
  }

  override componentDidCatch(error: Error, _info: ErrorInfo): void {
    reportError(error)
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
