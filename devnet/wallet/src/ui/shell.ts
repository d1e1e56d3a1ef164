import { STYLES } from './styles.ts'

/** Events that must not reach the page, which would treat a click in the wallet as a click outside its own dialog. */
const FENCED = ['pointerdown', 'mousedown', 'click', 'focusin', 'focusout', 'touchstart'] as const

/**
 * The wallet's corner of the page. A shadow tree isolates its styles from the page's, and a constructed style sheet works
 * even if the policy refuses inline styles. It is placed next to <body>, where a page's dialogs neither hide nor block it.
 */
export function createShell(): ShadowRoot {
  const host = document.createElement('development-wallet')
  const root = host.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(STYLES)
  root.adoptedStyleSheets = [sheet]
  for (const name of FENCED) host.addEventListener(name, (event) => event.stopPropagation())
  document.documentElement.append(host)
  return root
}

/** Shows a modal dialog. Escape closes only this dialog and nothing on the page behind it. */
export function openDialog(root: ShadowRoot, dialog: HTMLDialogElement): void {
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.stopPropagation()
    event.preventDefault()
    dialog.close()
  }
  window.addEventListener('keydown', onKey, true)
  dialog.addEventListener('close', () => {
    window.removeEventListener('keydown', onKey, true)
    dialog.remove()
  })
  root.append(dialog)
  dialog.showModal()
}
